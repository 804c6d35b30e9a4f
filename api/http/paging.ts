// Paging: opaque cursors for callers, and pages of lists that a workflow stores.
import { z } from 'zod';
import type { Keyring } from '../../sealing/keyring.js';
import { openValue, sealValue } from './sealed-value.js';
import { invalidParameter } from './problems/validation.js';

/** Seals cursors, so that callers cannot forge them: Temporal answers a forged token with an internal error. */
const contextOf = (list: string): string => `cursor/${list}`;

/** @param list the list that the cursor is valid for. */
export const sealCursor = (keyring: Keyring, list: string, token: string | undefined): string | undefined =>
  token === undefined ? undefined : sealValue(keyring, token, contextOf(list));

/** @throws ApiError `invalid_request` for a cursor that this list did not issue. */
export function openCursor(keyring: Keyring, list: string, cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const token = openValue(keyring, cursor, contextOf(list), z.string());
  if (token === undefined) throw notOurs();
  return token;
}

/** The value of `changed_after` before the first change. */
export const START = 'start';

const notOurs = (parameter = 'cursor'): Error =>
  invalidParameter(parameter, 'expected a cursor from links.next of the same list');

const Key = z.tuple([z.string(), z.string()]);
/** The sort key of an item: unique, and greater for later items. */
type Key = z.output<typeof Key>;

/**
 * Cuts one page from a complete list. The cursor names the last returned item, so items that are added later neither duplicate
 * nor hide an item.
 */
export function pageOf<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
  { per_page: size, cursor }: { per_page: number; cursor?: string | undefined },
): { page: Item[]; next: string | undefined } {
  const after = cursor === undefined ? undefined : readCursor(Key, cursor);
  const sorted = [...items].sort((a, b) => compare(keyOf(a), keyOf(b)));
  const rest = after === undefined ? sorted : sorted.filter((item) => compare(keyOf(item), after) > 0);
  const page = rest.slice(0, size);
  const last = page.at(-1);
  const hasMore = last !== undefined && rest.length > page.length;
  return { page, next: hasMore ? writeCursor(keyOf(last)) : undefined };
}

/** Encodes a position without encryption. Use `sealCursor` for positions that callers must not read or forge. */
export const writeCursor = (position: unknown): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

/** Decodes a cursor of `writeCursor`. @param parameter the parameter that has it. @throws ApiError `invalid_request` for a malformed cursor. */
export function readCursor<Position>(
  form: z.ZodType<Position>,
  cursor: string,
  parameter = 'cursor',
): Position {
  try {
    return form.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw notOurs(parameter);
  }
}

function compare([a, x]: Key, [b, y]: Key): number {
  if (a !== b) return a < b ? -1 : 1;
  if (x === y) return 0;
  return x < y ? -1 : 1;
}
