// Pages of lists: opaque cursors for callers, and pages cut from what a workflow keeps.
import { z } from 'zod';
import type { Keyring } from '../../sealing/keyring.js';
import { openValue, sealValue } from './sealed-value.js';
import { invalidParameter } from './problems/validation.js';

/** Sealed, so that only what we gave comes back: Temporal takes a token that it cannot read for an outage of its own. */
const contextOf = (list: string): string => `cursor/${list}`;

/** @param list to which the cursor belongs, and no other. */
export const sealCursor = (keyring: Keyring, list: string, token: string | undefined): string | undefined =>
  token === undefined ? undefined : sealValue(keyring, token, contextOf(list));

/** @throws ApiError `invalid_request` for what was not given by this very list. */
export function openCursor(keyring: Keyring, list: string, cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const token = openValue(keyring, cursor, contextOf(list), z.string());
  if (token === undefined) throw notOurs();
  return token;
}

const notOurs = (): Error =>
  invalidParameter('cursor', 'expected a cursor from links.next of this very list');

export const Key = z.tuple([z.string(), z.string()]);
/** Where an item stands: a later one has a greater key, and no two have the same. */
export type Key = z.output<typeof Key>;

/**
 * One page of a list that is wholly at hand. The cursor names the last item that was given, so whatever
 * is added to the list meanwhile neither repeats nor hides an item.
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

/** Readable by anyone: only for positions that callers may know. `sealCursor` is for the others. */
export const writeCursor = (position: unknown): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

/** What `writeCursor` was given. @throws ApiError `invalid_request` for a cursor that is of another form. */
export function readCursor<Position>(form: z.ZodType<Position>, cursor: string): Position {
  try {
    return form.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw notOurs();
  }
}

function compare([a, x]: Key, [b, y]: Key): number {
  if (a !== b) return a < b ? -1 : 1;
  if (x === y) return 0;
  return x < y ? -1 : 1;
}
