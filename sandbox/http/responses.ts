// How answers leave: refusals in the provider's shape, and the two ways in which a fault breaks an answer off.
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { Fault, FaultAction } from '../faults/fault.schema.js';
import type { Refusal } from './refusal.js';

export interface Env {
  Bindings: HttpBindings;
}
export type Router = Hono<Env>;
export type RequestContext = Context<Env>;

export function refusalResponse(c: RequestContext, { status, errors, headers }: Refusal): Response {
  return errors.length === 0 ? c.body(null, status, headers) : c.json({ errors }, status, headers);
}

const CUTS: readonly FaultAction[] = ['cut_before_commit', 'cut_after_commit'];

/** What the ledger says of a call that the fault spoiled. */
export function statusOf(fault: Fault): 500 | 'cut' {
  return CUTS.includes(fault.do) ? 'cut' : 500;
}

/** A 500 without a body, or no answer at all: the connection is destroyed. */
export function breakOff(c: RequestContext, fault: Fault): Response {
  if (statusOf(fault) === 500) return c.body(null, 500);
  c.env.incoming.socket.destroy();
  return RESPONSE_ALREADY_SENT;
}
