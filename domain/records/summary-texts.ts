// Reads the data of entries, whose form depends on the release that stored them, and puts it into words. Pure.

/** The value of a field. Undefined if there is none. */
export const at = (data: object, name: string): unknown => Reflect.get(data, name);

/** The text of a field. Undefined if it is absent, empty or no text. */
export function textIn(data: object, name: string): string | undefined {
  const value = at(data, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A code as words: `under_investigation` is `under investigation`. */
export const words = (code: string): string => code.replaceAll(/[_-]/g, ' ');

/** With a capital letter at the start. */
export const titled = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The text of a field behind its words, or the other words. */
export function named(data: object, name: string, before: string, without: string): string {
  const text = textIn(data, name);
  return text === undefined ? without : `${before}${text}`;
}

/** An amount in cents as dollars behind its words. Empty if there is none. */
export function cents(data: object, name: string, before: string): string {
  const value = at(data, name);
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return '';
  const [whole, part] = [Math.trunc(Math.abs(value) / 100), String(Math.abs(value) % 100).padStart(2, '0')];
  return `${before}${value < 0 ? '-' : ''}$${whole}.${part}`;
}

/** The title and code of a reason, as the end of a sentence. Empty if there is none. */
export function reasonIn(data: object, name = 'reason'): string {
  const reason = at(data, name);
  if (typeof reason !== 'object' || reason === null) return '';
  const [code, title] = [textIn(reason, 'code'), textIn(reason, 'title')?.replace(/\.$/, '')];
  if (title === undefined) return code === undefined ? '' : ` (${words(code)})`;
  // Codes of the product are words of the title.
  return code === undefined || /^[a-z_]+$/.test(code) ? `: ${title}` : `: ${title} (${code})`;
}
