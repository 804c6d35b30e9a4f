// A short hash of a text that no adversary chooses. Pure, as workflows have no crypto, and the same in every process.

/** 64 bits, the two lanes of cyrb53 as they are: among thousands a new text as good as never collides. */
export function shortHash(text: string): string {
  let [one, other] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index += 1) {
    one = Math.imul(one ^ text.charCodeAt(index), 2654435761);
    other = Math.imul(other ^ text.charCodeAt(index), 1597334677);
  }
  return `${(one >>> 0).toString(36)}${(other >>> 0).toString(36)}`;
}
