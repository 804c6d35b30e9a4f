// What must hold in a life: the first request that is accepted under a uid or key is the only one, whatever Temporal or PostgreSQL has lost since.
import { isDeepStrictEqual } from 'node:util';
import type { Reply } from '../http-stack.js';

export type Kind = 'agreement' | 'payment' | 'refund';
export type Principal = 'test' | 'other';

export interface Request {
  kind: Kind;
  principal: Principal;
  /** It names the agreement of a payment, and the payment of a refund. */
  path: string;
  parent?: string | undefined;
  body: Record<string, unknown>;
  key?: string | undefined;
}

export interface Thing {
  kind: Kind;
  uid: string;
  request: Request;
  requestedAt: unknown;
  connection: unknown;
  isForgotten: boolean;
  isWithdrawn: boolean;
  retries: Set<string>;
  /** Another request was accepted under its uid or key while the records were away: it must be flagged. */
  isContested: boolean;
  /** It was accepted while the records were away and Temporal had forgotten it, so its agreement may be sent, and refused. */
  isUnchecked: boolean;
}

export type Model = ReturnType<typeof createModel>;

export function createModel() {
  const things = new Map<string, Thing>();
  const keys = new Map<string, Thing>();
  const accepted: Request[] = [];

  /** @param isAway whether the API may consider the records away: from the first cut on, as it waits minutes after a failure. */
  function judge(request: Request, { status, body }: Reply, isAway: boolean): Thing | undefined {
    if (status >= 300) return void judgeRefusal(request, { status, code: body['code'] }, isAway);
    const uid = String(body['uid']);
    const thing = things.get(uid);
    const parent = things.get(request.parent ?? '');
    if (thing === undefined && parent?.kind === 'agreement' && parent.isForgotten)
      throw new Error(`a new payment ${uid} was accepted under the cancelled agreement ${parent.uid}`);
    const isAwayAndForgotten = isAway && thing?.isForgotten === true;
    if (isAwayAndForgotten) thing.isUnchecked = true;
    if (thing !== undefined && !isSame(thing.request, request)) {
      if (!isAwayAndForgotten) throw new Error(`${uid} was accepted for a second request`);
      thing.isContested = true;
    } else if (thing !== undefined && !isAwayAndForgotten) {
      const [answered, first] = [
        identityIn(body),
        [thing.request.principal, thing.connection, thing.requestedAt],
      ];
      if (!isDeepStrictEqual(answered, first))
        throw new Error(`${uid} was ${first.join()}, and is ${answered.join()}`);
    }
    const current = thing ?? newThing(request, uid, body);
    things.set(uid, current);
    bind(request, current, isAway);
    accepted.push(request);
    return current;
  }

  function judgeRefusal(
    request: Request,
    { status, code }: { status: number; code: unknown },
    isAway: boolean,
  ): void {
    if (status >= 500 && !(isAway && code === 'records_unavailable'))
      throw new Error(`unexpected ${status} ${String(code)}`);
    if (status >= 500 || !accepted.some((one) => isDeepStrictEqual(one, request))) return;
    const { uid, isContested } = thingOf(request) ?? {};
    if (isContested === false)
      throw new Error(`${uid}: an exact repeat was refused with ${status} ${String(code)}`);
  }

  const thingOf = (request: Request): Thing | undefined =>
    [...things.values()].find((one) => isSame(one.request, request));

  function bind(request: Request, thing: Thing, isAway: boolean): void {
    if (request.key === undefined) return;
    const name = [request.principal, request.path, request.key].join(' ');
    const bound = keys.get(name) ?? thing;
    keys.set(name, bound);
    if (isSame(bound.request, request)) return;
    if (!isAway || request.kind !== 'agreement')
      throw new Error(`key ${request.key} was accepted for a second request`);
    bound.isContested = true;
    thing.isContested = true;
  }

  return { things, thingOf, judge };
}

const isSame = (first: Request, second: Request): boolean =>
  isDeepStrictEqual({ ...first, key: undefined }, { ...second, key: undefined }) &&
  (first.body['uid'] !== undefined || first.key === second.key);

export const identityIn = (body: Record<string, unknown>): unknown[] => [
  body['requested_by'],
  body['connection'],
  body['requested_at'] ?? body['created_at'],
];

function newThing(request: Request, uid: string, body: Record<string, unknown>): Thing {
  const [requestedBy, connection, requestedAt] = identityIn(body);
  if (requestedBy !== request.principal)
    throw new Error(`${uid} is new, and belongs to ${String(requestedBy)}`);
  const kept = {
    isForgotten: false,
    isWithdrawn: false,
    isContested: false,
    isUnchecked: false,
    retries: new Set<string>(),
  };
  return { kind: request.kind, uid, request, requestedAt, connection, ...kept };
}
