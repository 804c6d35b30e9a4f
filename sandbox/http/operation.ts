// One API operation: what every call goes through before and after what is its own.
// In order: what is due, token, scope, version, body, faults before, the handler, faults after; then the ledger.
import { finished } from 'node:stream';
import type { Engine } from '../engine.js';
import { grantBehind } from '../oauth/grants.js';
import { AFTER_COMMIT, BEFORE_COMMIT, type CallName, type Fault } from '../faults/fault.schema.js';
import { Refusal, refuse } from './refusal.js';
import { breakOff, refusalResponse, statusOf, type RequestContext, type Router } from './responses.js';
import { VERSION_HEADER, versionFrom, type ApiVersion } from './version.js';

/** Puts one route on the router. */
export type Registration = (router: Router, engine: Engine) => void;

export interface Operation {
  name: CallName;
  method: 'GET' | 'POST' | 'PATCH';
  /** The caller's uid of a resource stands in it as `:uid`, the provider's own id as `:id`. */
  path: string;
  /** Null: any token will do. */
  scope: string | null;
}

export interface Call {
  /** What the path names, its `:uid` or else its `:id`; empty where it names nothing. */
  uid: string;
  params: Record<string, string>;
  body: unknown;
  path: string;
  query: Record<string, string>;
  version: ApiVersion;
}

export interface Answer {
  status: 200 | 201 | 202;
  /** Null: no body, as most of what is accepted is answered (202). */
  body: object | null;
  headers?: Record<string, string>;
}

type Result = { answer: Answer } | { refusal: Refusal } | { fault: Fault };

/** `handle` answers, or throws a `Refusal`. It is synchronous: once it has begun, nothing comes between. */
export function registerOperation(
  router: Router,
  engine: Engine,
  operation: Operation,
  handle: (call: Call) => Answer,
): void {
  router.on(operation.method, operation.path, async (c) => {
    const text = await c.req.text();
    finished(c.env.outgoing, engine.openCalls.begin());
    engine.scheduler.catchUp();
    const uid = uidAsked(c) ?? uidWritten(text);
    const result = resultOf(
      () => admit(engine, c, operation, text),
      handle,
      faultsFor(engine, operation, uid),
    );
    engine.ledger.append({
      kind: 'call',
      operation: operation.name,
      resource_uid: uid,
      status: ledgerStatus(result),
      fault: 'fault' in result ? result.fault.do : null,
    });
    if ('fault' in result) return breakOff(c, result.fault);
    if ('refusal' in result) return refusalResponse(c, result.refusal);
    const { body, status, headers = {} } = result.answer;
    return body === null ? c.body(null, status, headers) : c.json(body, status, headers);
  });
}

interface OperationFaults {
  before(): Fault | undefined;
  after(): Fault | undefined;
}

function faultsFor({ faults }: Engine, { name }: Operation, uid: string | null): OperationFaults {
  return {
    before: () => faults.take(name, [uid], BEFORE_COMMIT),
    after: () => faults.take(name, [uid], AFTER_COMMIT),
  };
}

/** A refused call commits nothing, so it does not use up a fault that comes after the commit. */
function resultOf(admitted: () => Call, handle: (call: Call) => Answer, faults: OperationFaults): Result {
  try {
    const call = admitted();
    const before = faults.before();
    if (before !== undefined) return { fault: before };
    const answer = handle(call);
    const after = faults.after();
    return after === undefined ? { answer } : { fault: after };
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error };
    throw error;
  }
}

function ledgerStatus(result: Result): number | 'cut' {
  if ('fault' in result) return statusOf(result.fault);
  return 'refusal' in result ? result.refusal.status : result.answer.status;
}

function admit(engine: Engine, c: RequestContext, { scope, method }: Operation, text: string): Call {
  checkToken(engine, c.req.header('authorization'), scope);
  const version = versionFrom(c.req.header(VERSION_HEADER));
  const body = method !== 'GET' ? parseBody(c.req.header('content-type'), text) : undefined;
  return {
    uid: uidAsked(c) ?? '',
    params: c.req.param(),
    path: c.req.path,
    query: c.req.query(),
    version,
    body,
  };
}

function checkToken(engine: Engine, header: string | undefined, scope: string | null): void {
  const token = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];
  const grant = token === undefined ? 'missing' : grantBehind(engine, token);
  if (typeof grant === 'string') {
    throw refuse(401, 'Unauthorised access token', `The access token is ${grant}`);
  }
  if (scope === null || grant.scopes.includes(scope)) return;
  // Observed: the body says nothing, the header says it all.
  throw new Refusal(403, [], { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` });
}

function parseBody(contentType: string | undefined, text: string): unknown {
  if (!/^application\/json\b/i.test(contentType ?? '')) {
    throw refuse(400, 'Malformed request', 'The body must be sent as application/json');
  }
  const body = json(text);
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw refuse(400, 'Malformed request', 'The body must be a JSON object');
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const uidAsked = (c: RequestContext): string | undefined => c.req.param('uid') ?? c.req.param('id');

/** The uid a body asks for, good or bad: faults and ledger are told by it. */
function uidWritten(text: string): string | null {
  const body = json(text);
  const isObject = typeof body === 'object' && body !== null && 'uid' in body;
  return isObject && typeof body.uid === 'string' ? body.uid : null;
}
