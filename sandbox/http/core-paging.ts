// Pages of core lists (facts 6): the body holds the rows alone; size and way on stand in the headers.
import { z } from 'zod';
import type { Engine } from '../engine.js';
import { refuse } from './refusal.js';

export const DEFAULT_PER_PAGE = 25;
const MOST_PER_PAGE = 100;

const wholeNumber = (most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.int().min(1).max(most));
const PerPage = wholeNumber(MOST_PER_PAGE);
const PageNumber = wholeNumber(999_999_999);

/** @throws Refusal 400 for what is no such number: documented of float entries, taken for all core lists. */
export function readPerPage(given: string | undefined): number {
  if (given === undefined) return DEFAULT_PER_PAGE;
  const parsed = PerPage.safeParse(given);
  if (parsed.success) return parsed.data;
  throw refuse(400, 'Validation Failed', `per_page must be a whole number from 1 to ${MOST_PER_PAGE}`);
}

/** Counted from 1. */
export function readPage(given: string | undefined): number {
  if (given === undefined) return 1;
  const parsed = PageNumber.safeParse(given);
  if (parsed.success) return parsed.data;
  throw refuse(400, 'Validation Failed', 'page must be a whole number from 1');
}

export interface Asked {
  path: string;
  query: Record<string, string>;
}

/** @param onward what of the query changes on the way to the next page; undefined on the last one. */
export function pagingHeaders(
  { settings }: Engine,
  { path, query }: Asked,
  perPage: number,
  onward: Record<string, string> | undefined,
): Record<string, string> {
  const headers = { 'Per-Page': String(perPage) };
  if (onward === undefined) return headers;
  const next = new URLSearchParams({ ...query, ...onward }).toString();
  return { ...headers, Link: `<${settings.baseUrl}${path}?${next}>; rel="next"` };
}
