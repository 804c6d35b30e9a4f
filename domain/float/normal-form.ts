// One form for what people and banks write in several ways: account numbers, references and uids. Search tags are made of it and sought by it. Pure.

/** Digits of an Australian branch number (BSB). */
const BRANCH_DIGITS = 6;
const MOST_WORDS = 40;
/** A uid with hyphens may be written with blanks, so words are also sought together. A UUID with a prefix has six. */
const MOST_JOINED = 6;
const LONGEST = 64;

/** A branch and an account number without blanks, hyphens and leading zeros of the number; anything else in small letters. */
export function normalAccount(value: string): string {
  const compact = value.normalize('NFKC').toLowerCase().replaceAll(/\s/g, '');
  const digits = compact.replaceAll('-', '');
  if (!/^\d+$/.test(digits)) return compact;
  if (digits.length <= BRANCH_DIGITS) return withoutZeros(digits);
  return `${digits.slice(0, BRANCH_DIGITS)}-${withoutZeros(digits.slice(BRANCH_DIGITS))}`;
}

/** Letters and digits only, in small letters, and numbers without leading zeros: `INV-007` equals `inv 7`. */
export const normalText = (value: string): string =>
  withoutZeros(
    value
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]/gu, ''),
  );

const withoutZeros = (text: string): string => text.replaceAll(/(?<!\d)0+(?=\d)/g, '');

/** The normal forms of what texts may name: each text, its words, and up to six words together. */
export function normalPhrases(texts: readonly string[]): string[] {
  const words = texts.map((text) => text.normalize('NFKC').match(/[\p{L}\p{N}]+/gu) ?? []);
  const phrases = words.flatMap((some) =>
    some
      .slice(0, MOST_WORDS)
      .flatMap((_, from) =>
        Array.from({ length: Math.min(MOST_JOINED, some.length - from) }, (_count, more) =>
          some.slice(from, from + more + 1).join(''),
        ),
      ),
  );
  const found = [...texts, ...phrases].map(normalText);
  return [...new Set(found)].filter((phrase) => phrase !== '' && phrase.length <= LONGEST);
}
