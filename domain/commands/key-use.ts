// The register of callers' idempotency keys, by which a run distinguishes a repeat from another request. Pure. It stores only digests,
// because a key is the caller's own text and may name a person.
import { shortHash } from '../facts/short-hash.js';

export interface KeyUse {
  /** Digest of the key within its scope: the principal, the method and the path of the request. */
  key: string;
  /** The uid of the requested resource. */
  uid: string;
  /** Digest of the whole body. */
  body: string;
}

export interface KeyRegister {
  /** Oldest first; absent until the first use. */
  uses?: readonly KeyUse[] | undefined;
  /** How many older uses were dropped. The records have them. */
  usesOlder?: number | undefined;
}

/** The number of uses that a run holds. The records (PostgreSQL) get the older ones (`droppedUses`). */
const MAX_USES = 1500;

/** `other`: the key or the uid was used for another request. */
export type Repeat = 'none' | 'same' | 'other';

/** Whether the key was used before, and for the same request. */
export function repeatOfUse({ uses = [] }: KeyRegister, use: KeyUse | undefined): Repeat {
  const used = use === undefined ? undefined : uses.find(({ key }) => key === use.key);
  if (used === undefined || use === undefined) return 'none';
  return isOtherUse(used, use) ? 'other' : 'same';
}

/** Returns the same state if the request has no key, or if its key is registered already. */
export const applyUse = <State extends KeyRegister>(state: State, use: KeyUse | undefined): State =>
  use === undefined || repeatOfUse(state, use) !== 'none'
    ? state
    : withinLimit({ ...state, uses: [...(state.uses ?? []), use] });

function withinLimit<State extends KeyRegister>(state: State): State {
  const { uses = [], usesOlder = 0 } = state;
  const surplus = uses.length - MAX_USES;
  return surplus <= 0 ? state : { ...state, uses: uses.slice(surplus), usesOlder: usesOlder + surplus };
}

/** The uses that were dropped between two states. */
export const droppedUses = (before: KeyRegister | undefined, after: KeyRegister): KeyUse[] =>
  before?.uses?.slice(0, (after.usesOlder ?? 0) - (before.usesOlder ?? 0)) ?? [];

/** Frees the key of a request that was not carried out. Other requests may have the same uid, such as commands of an agreement. */
export const freeUse = <State extends KeyRegister>(state: State, use: KeyUse | undefined): State =>
  use === undefined ? state : { ...state, uses: state.uses?.filter(({ key }) => key !== use.key) };

/** The use of a key for a body that has no digest yet. */
export const useOf = (key: string, uid: string, body: object): KeyUse => ({
  key,
  uid,
  body: shortHash(canonical(body)),
});

/** Whether the same key was used for another request. */
export const isOtherUse = (used: Omit<KeyUse, 'key'>, { uid, body }: KeyUse): boolean =>
  used.uid !== uid || used.body !== body;

/** The JSON of a value with sorted keys, so that equal values have equal digests. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => inOrder(part));

function inOrder(part: unknown): unknown {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  return Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)));
}
