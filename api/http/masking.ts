// Account numbers are personal data: a key that may not see them is answered with all but their last three characters masked.
import { createMiddleware } from 'hono/factory';
import type { Env } from './env.js';
import type { Scope } from './api-keys.js';

/** Either of these scopes shows account numbers whole. */
export const SEES_PERSONAL: readonly Scope[] = ['personal', 'operate'];

const VISIBLE_CHARACTERS = 3;

/** Fields that hold an account number, and those that hold an object which has one as its `value`. */
const NUMBERS = ['primary_bank_account_bban'];
const IDENTIFIERS = ['account_identifier'];

/** `200001-12340001` as `************001`; of what is no longer than what would be shown, nothing is. */
export const maskedNumber = (number: string): string =>
  number.length <= VISIBLE_CHARACTERS
    ? '*'.repeat(number.length)
    : '*'.repeat(number.length - VISIBLE_CHARACTERS) + number.slice(-VISIBLE_CHARACTERS);

/** The same answer with its account numbers masked, wherever in it they are. */
export function masked(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(masked);
  if (!isObject(answer)) return answer;
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, maskedField(name, value)]));
}

function maskedField(name: string, value: unknown): unknown {
  if (NUMBERS.includes(name) && typeof value === 'string') return maskedNumber(value);
  if (!IDENTIFIERS.includes(name) || !isObject(value) || typeof value['value'] !== 'string')
    return masked(value);
  return { ...value, value: maskedNumber(value['value']) };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Masks what a route answers to a key without a scope of `SEES_PERSONAL`. */
export const maskPersonal = createMiddleware<Env>(async (c, next) => {
  await next();
  const seesPersonal = c.get('apiKey')?.scopes.some((scope) => SEES_PERSONAL.includes(scope)) ?? false;
  const isJson = c.res.headers.get('content-type')?.includes('json') === true;
  if (seesPersonal || !isJson) return;
  const { status, headers } = c.res;
  const answer: unknown = await c.res.json();
  c.res = new Response(JSON.stringify(masked(answer)), { status, headers });
});
