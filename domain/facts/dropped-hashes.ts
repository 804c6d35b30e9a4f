// Ids of facts that are no longer kept, as short hashes. Pure, and the same in every process.

/** A state holds so many, the newest: about 70 KB. */
export const MAX_HASHES = 4000;

/** Whether a fact of this id was received and is no longer kept. */
export const isDropped = (hashes: readonly string[] | undefined, id: string): boolean =>
  hashes !== undefined && hashes.length > 0 && hashes.includes(hashOf(id));

/** The hashes with those of these ids. */
export const addDropped = (hashes: readonly string[] = [], ids: readonly string[]): string[] =>
  [...hashes, ...ids.map(hashOf)].slice(-MAX_HASHES);

/** 64 bits, the two lanes of cyrb53 as they are: among 4000 ids a new one as good as never collides. */
function hashOf(id: string): string {
  let [one, other] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < id.length; index += 1) {
    one = Math.imul(one ^ id.charCodeAt(index), 2654435761);
    other = Math.imul(other ^ id.charCodeAt(index), 1597334677);
  }
  return `${(one >>> 0).toString(36)}${(other >>> 0).toString(36)}`;
}
