// Ids of facts that are no longer kept, as short hashes. Pure, and the same in every process.

/** A state holds so many, the newest: about 55 KB. */
export const MAX_HASHES = 4000;

/** Whether a fact of this id was received and is no longer kept. */
export const isDropped = (hashes: readonly string[] | undefined, id: string): boolean =>
  hashes !== undefined && hashes.length > 0 && hashes.includes(hashOf(id));

/** The hashes with those of these ids. */
export const addDropped = (hashes: readonly string[] = [], ids: readonly string[]): string[] =>
  [...hashes, ...ids.map(hashOf)].slice(-MAX_HASHES);

/** The 53 bits of cyrb53 in base 36. Among 4000 ids a new one collides once in two million million times. */
function hashOf(id: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < id.length; index += 1) {
    const unit = id.charCodeAt(index);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  const mixedHigh = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  const mixedLow = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return ((mixedLow & 0x1fffff) * 2 ** 32 + (mixedHigh >>> 0)).toString(36);
}
