// What an Idempotency-Key was used for, as far as it takes to know a repeat from another request. Pure.
// Digests alone are kept: a key is the caller's own text, and may name a person.

export interface KeyUse {
  /** Digest of the key within its scope, which is the principal, the method and the path that it came with. */
  key: string;
  /** What was asked for with it. */
  uid: string;
  /** Digest of the whole body. */
  body: string;
}

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
