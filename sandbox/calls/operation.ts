// One API operation: what every call goes through before and after what is its own.
// In order: what is due, token, scope, version, body, faults before, the handler, faults after; then the ledger.
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

/** Puts one route on the router. */
export type Registration = (router: Router, engine: Engine) => void;

export interface Operation {
  name: CallName;
  method: 'GET' | 'POST' | 'PATCH';
  /** The caller's uid of a resource stands in it as `:uid`, the provider's own id as `:id`. */
  path: string;
  /** Null: any token will do. */
  scope: string | null;
  /** A call that may come without a body; without one it counts as `{}`. */
  bodyIsOptional?: boolean;
  /** What the refusal of a token without the scope says; without it, it has no body. */
  forbidden?: ErrorItem;
  /** Its body is a form with a file, not JSON; the handler gets the file, or undefined where there is none. */
  takesFile?: boolean;
  /** What stands beside `data`, and beside `errors`, in every answer. */
  beside?: object;
}

export interface Call extends Admitted {
  /** What the path names, its `:uid` or else its `:id`; empty where it names nothing. */
  uid: string;
  params: Record<string, string>;
  body: unknown;
  path: string;
  query: Record<string, string>;
}

export interface Answer {
  status: 200 | 201 | 202;
  /** Null: no body, as most of what is accepted is answered (202). */
  body: object | null;
  headers?: Record<string, string>;
}

type Handler = (call: Call) => Answer;

/** What became of a call. A fault that spoils the answer has priority; one that dulls a read leaves it as it is. */
interface Outcome {
  result: RealAnswer | Refusal;
  spoiltBy?: Fault;
  dulledBy?: Fault;
}

/** `handle` answers, or throws a `Refusal`. It is synchronous: once it has begun, nothing comes between. */
export function registerOperation(
  router: Router,
  engine: Engine,
  operation: Operation,
  handle: Handler,
): void {
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
}

function outcomeOf(
  engine: Engine,
  { name, method, beside }: Operation,
  uid: string | null,
  { admitted, handle }: { admitted: () => Call; handle: Handler },
): Outcome {
  const { faults, past, clock } = engine;
  let dulledBy: Fault | undefined;
  try {
    const call = admitted();
    const before = faults.take(name, [uid], BEFORE_COMMIT);
    if (before !== undefined) return { result: NO_ANSWER, spoiltBy: before };
    dulledBy = method === 'GET' ? faults.take(name, [uid], ON_READ) : undefined;
    const lagMs = (dulledBy?.lag_seconds ?? 0) * 1000;
    // One call happens at one time: what it writes and what it sets off agree to the millisecond.
    const nowMs = clock.now();
    const answered = () => clock.at(nowMs, () => handle(call));
    const answer = lagMs > 0 ? past.asOf(nowMs - lagMs, answered) : answered();
    // A refused call commits nothing, so it does not come this far and uses up no fault after the commit.
    const after = faults.take(name, [uid], AFTER_COMMIT);
    const body = answer.body && { ...answer.body, ...beside };
    const result = jsonAnswer(answer.status, body, answer.headers);
    return { result, ...(after && { spoiltBy: after }), ...(dulledBy && { dulledBy }) };
  } catch (error) {
    if (error instanceof Refusal) return { result: error, ...(dulledBy && { dulledBy }) };
    throw error;
  }
}

function statusOf({ result, spoiltBy }: Outcome): number | 'cut' {
  if (spoiltBy === undefined || result instanceof Refusal) return result.status;
  return spoiltStatus(spoiltBy, result);
}

function sent(
  c: RequestContext,
  { result, spoiltBy }: Outcome,
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
