// Runs one API operation, in this order: due tasks, token, scope, version, body, faults before the commit, the handler, faults after
// the commit, the ledger.
import { finished } from 'node:stream';
import type { Engine } from '../engine/parts.js';
import { AFTER_COMMIT, BEFORE_COMMIT, ON_READ } from '../faults/actions.schema.js';
import type { CallName, Fault } from '../faults/rule.schema.js';
import { Refusal, type ErrorItem } from '../http/refusal.js';
import { parseBody, readFile, uidWritten, type SentFile } from '../http/request.js';
import {
  jsonAnswer,
  realResponse,
  refusalResponse,
  type RealAnswer,
  type RequestContext,
  type Router,
} from '../http/responses.js';
import { admit, type Admitted } from './access.js';
import { lingers, NO_ANSWER, spoiltAnswer, spoiltStatus } from './spoil-answer.js';

/** Registers one route, or several related ones. */
export type Registration = (router: Router, engine: Engine) => void;

export interface Operation {
  name: CallName;
  method: 'GET' | 'POST' | 'PATCH';
  /** Contains `:uid` for a uid of the caller, or `:id` for an id of the provider. */
  path: string;
  /** Null accepts any token. */
  scope: string | null;
  /** If true, a missing body counts as `{}`. */
  bodyIsOptional?: boolean;
  /** The error in the 403 for a missing scope. If absent, the 403 has no body. */
  forbidden?: ErrorItem;
  /** The body is a form with a file instead of JSON. The handler receives the file, or undefined if it is missing. */
  takesFile?: boolean;
  /** Fields added beside `data` or `errors` in every answer. */
  beside?: object;
}

export interface Call extends Admitted {
  /** The `:uid` of the path, else its `:id`, else empty. */
  uid: string;
  params: Record<string, string>;
  body: unknown;
  path: string;
  query: Record<string, string>;
}

export interface Answer {
  status: 200 | 201 | 202;
  /** Null is an empty body, as in most 202 answers. */
  body: object | null;
  headers?: Record<string, string>;
}

type Handler = (call: Call) => Answer;

/** The outcome of a call. `dulledBy` has changed only the data of a read. In the ledger, `spoiltBy` takes priority. */
interface CallOutcome {
  result: RealAnswer | Refusal;
  spoiltBy?: Fault;
  dulledBy?: Fault;
}

/** @param handle answers or throws a `Refusal`. It is synchronous, so calls never interleave. */
export const operation =
  (operation: Operation, handler: (call: Call, engine: Engine) => Answer): Registration =>
  (router, engine) => {
    const handle: Handler = (call) => handler(call, engine);
    if (operation.method === 'GET') engine.reads.add(operation.name);
    router.on(operation.method, operation.path, async (c) => {
      const text = await c.req.text();
      const end = engine.openCalls.begin();
      finished(c.env.outgoing, end);
      engine.scheduler.catchUp();
      const uid = uidAsked(c) ?? uidWritten(text);
      const file =
        operation.takesFile === true ? await readFile(c.req.header('content-type'), text) : undefined;
      const outcome = outcomeOf(engine, operation, uid, {
        admitted: () => callFrom(engine, c, operation, { text, file }),
        handle,
      });
      engine.ledger.append({
        kind: 'call',
        operation: operation.name,
        resource_uid: uid,
        status: statusOf(outcome),
        fault: (outcome.spoiltBy ?? outcome.dulledBy)?.do ?? null,
      });
      if (outcome.spoiltBy !== undefined && lingers(outcome.spoiltBy)) end();
      return sent(c, outcome, operation.beside);
    });
  };

function outcomeOf(
  engine: Engine,
  { name, method, beside }: Operation,
  uid: string | null,
  { admitted, handle }: { admitted: () => Call; handle: Handler },
): CallOutcome {
  const { faults, past, clock } = engine;
  let dulledBy: Fault | undefined;
  try {
    const call = admitted();
    const before = faults.take(name, [uid], BEFORE_COMMIT);
    if (before !== undefined) return { result: NO_ANSWER, spoiltBy: before };
    dulledBy = method === 'GET' ? faults.take(name, [uid], ON_READ) : undefined;
    const lagMs = (dulledBy?.lag_seconds ?? 0) * 1000;
    // One call has one time, so that its changes and its scheduled tasks agree to the millisecond.
    const nowMs = clock.now();
    const answered = () => clock.at(nowMs, () => handle(call));
    const answer = lagMs > 0 ? past.asOf(nowMs - lagMs, answered) : answered();
    // A refused call throws before this line, so it consumes no fault after the commit.
    const after = faults.take(name, [uid], AFTER_COMMIT);
    const body = answer.body && { ...answer.body, ...beside };
    const result = jsonAnswer(answer.status, body, answer.headers);
    return { result, ...(after && { spoiltBy: after }), ...(dulledBy && { dulledBy }) };
  } catch (error) {
    if (error instanceof Refusal) return { result: error, ...(dulledBy && { dulledBy }) };
    throw error;
  }
}

function statusOf({ result, spoiltBy }: CallOutcome): number | 'cut' {
  if (spoiltBy === undefined || result instanceof Refusal) return result.status;
  return spoiltStatus(spoiltBy, result);
}

function sent(
  c: RequestContext,
  { result, spoiltBy }: CallOutcome,
  beside: object | undefined,
): Response | Promise<Response> {
  if (result instanceof Refusal) return refusalResponse(c, result, beside);
  return spoiltBy === undefined ? realResponse(c, result) : spoiltAnswer(c, spoiltBy, result);
}

interface Sent {
  text: string;
  file: SentFile | undefined;
}

function callFrom(engine: Engine, c: RequestContext, operation: Operation, { text, file }: Sent): Call {
  const admitted = admit(engine, c, operation);
  return {
    ...admitted,
    uid: uidAsked(c) ?? '',
    params: c.req.param(),
    path: c.req.path,
    query: c.req.query(),
    body: operation.takesFile === true ? file : bodyOf(c, operation, text),
  };
}

function bodyOf(c: RequestContext, { method, bodyIsOptional = false }: Operation, text: string): unknown {
  if (method === 'GET') return undefined;
  return text === '' && bodyIsOptional ? {} : parseBody(c.req.header('content-type'), text);
}

const uidAsked = (c: RequestContext): string | undefined => c.req.param('uid') ?? c.req.param('id');
