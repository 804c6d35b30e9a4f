// Closes the connection without a response, so that the sender of the request sends it again.
import type { Context } from 'hono';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Env } from './env.js';
import { PROBLEMS, type ProblemCode } from './problems/codes.js';

/** @returns a response for the log and the metrics only. The server does not send it. */
export function dropConnection(c: Context<Env>, code: ProblemCode): Response {
  c.set('problem', code);
  c.env.outgoing.destroy();
  const { headers } = RESPONSE_ALREADY_SENT;
  return new Response(null, { status: PROBLEMS[code].status, headers });
}
