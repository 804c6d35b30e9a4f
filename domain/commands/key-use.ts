// What callers' keys were used for: the one register by which a run distinguishes a repeat from another request. Pure. Digests alone are kept: a
// key is the caller's own text, and may name a person.
import { shortHash } from '../facts/short-hash.js';

export interface KeyUse {
  /** Digest of the key within its scope, which is the principal, the method and the path that it came with. */
  key: string;
  /** What was asked for with it. */
  uid: string;
  /** Digest of the whole body. */
  body: string;
}

export interface KeyRegister {
  /** Oldest first; absent until the first one. */
  uses?: KeyUse[] | undefined;
}

/** A repeat after so many newer requests is a new request. */
const MAX_USES = 1500;

/** `other`: the key, or the uid, was used before, for something else. */
export type Repeat = 'none' | 'same' | 'other';

/** Whether the key was used before, and for the same. */
export function repeatOfUse({ uses = [] }: KeyRegister, use: KeyUse | undefined): Repeat {
  const used = use === undefined ? undefined : uses.find(({ key }) => key === use.key);
  if (used === undefined || use === undefined) return 'none';
  return isOtherUse(used, use) ? 'other' : 'same';
}

/** The very same state where no key came with the request, or it was used before. */
export const recordUse = <State extends KeyRegister>(state: State, use: KeyUse | undefined): State =>
  use === undefined || repeatOfUse(state, use) !== 'none'
    ? state
    : { ...state, uses: [...(state.uses ?? []), use].slice(-MAX_USES) };

/** What was asked for did not come to be: its key is free again. */
export const freeUse = <State extends KeyRegister>(state: State, uid: string): State => ({
  ...state,
  uses: state.uses?.filter((use) => use.uid !== uid),
});

/** The use of a key whose request has no digest yet. */
export const useOf = (key: string, uid: string, body: object): KeyUse => ({
  key,
  uid,
  body: shortHash(canonical(body)),
});

/** Whether the same key stands for something else. */
export const isOtherUse = (used: Omit<KeyUse, 'key'>, { uid, body }: KeyUse): boolean =>
  used.uid !== uid || used.body !== body;

/** One text for all that says the same, whatever the order of its fields: what a digest is made of. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => inOrder(part));

function inOrder(part: unknown): unknown {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  return Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)));
}
