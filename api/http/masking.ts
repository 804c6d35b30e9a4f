// Masks account numbers and other personal data in responses, unless the API key may see them.
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { personalValues } from '../../domain/agreement/personal-values.js';
import type { Env } from './env.js';
import type { Scope } from './api-keys.js';

/** Each of these scopes unmasks account numbers. */
const SEES_PERSONAL: readonly Scope[] = ['personal', 'operate'];

const VISIBLE_CHARACTERS = 3;

const NUMBERS = ['primary_bank_account_bban', 'account_number'];
const NAMES = ['party_name', 'ultimate_party_name'];
/** The name behind a PayID is for operators only. Never show it to the payer. */
const FOR_OPERATORS = ['payid_display_name'];

const WHOLE_TREES = ['metadata', 'links'];
/** Fields with identifiers or codes, which are not masked. */
const IDENTIFYING =
  /^(abn|acn|australian_\w+_number|uid|\w+_uids?|ids?|\w+_ids?|key|\w+_key|codes?|\w+_codes?|state|type|kind|stage|pointer|cursor|\w*url|\w*version)$/;

/** Masks `200001-12340001` as `************001`. Hides a number of three characters or fewer completely. */
export const maskedNumber = (number: string): string =>
  number.length <= VISIBLE_CHARACTERS
    ? '*'.repeat(number.length)
    : '*'.repeat(number.length - VISIBLE_CHARACTERS) + number.slice(-VISIBLE_CHARACTERS);

const DATE = String.raw`\b\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?(?!\d)`;
const AMOUNT_OR_VERSION = String.raw`\b\d[\d,]* cents\b|\$ ?\d[\d,.]*|\bversion \d{8}\b`;
const EMAIL = String.raw`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`;
const BSB_AND_ACCOUNT = String.raw`(?<!\d)\d{3}[- ]?\d{3}[- ]\d{5,9}(?!\d)`;
/** Digits after a word such as "account", or on their own. Digits within an id or a path do not match. */
const DIGITS = String.raw`(?:(?<=\b(?:a\/c|acc|acct|account|bsb)[-:.#/ ]*)|(?<![\w~/-]))\+?\d(?:[ -]?\d){5,}(?![\w~-])`;
const PATTERN = new RegExp(
  `(?<whole>${DATE}|${AMOUNT_OR_VERSION})|${EMAIL}|${BSB_AND_ACCOUNT}|${DIGITS}`,
  'gi',
);

/** Masks personal values, and all text that looks like an account number, a phone number or an email address. */
function maskedText(text: string, personal: RegExp | undefined): string {
  const partly = personal === undefined ? text : text.replace(personal, maskedValue);
  return partly.replace(PATTERN, (found: string, whole: string | undefined) => whole ?? maskedNumber(found));
}

/** Hides a name completely. */
const maskedValue = (value: string): string =>
  /[\d@]/.test(value) ? maskedNumber(value) : '*'.repeat(value.length);

/**
 * Returns the response with its personal data masked.
 * @param otherValues personal values of the resource that have no field in the response.
 */
export function masked(answer: unknown, otherValues: readonly string[] = []): unknown {
  const values = [...new Set([...personalValues(answer), ...otherValues])].sort(
    (a, b) => b.length - a.length,
  );
  const either = values.map((value) => value.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join('|');
  const personal =
    either === '' ? undefined : new RegExp(String.raw`(?<![\p{L}\d])(?:${either})(?![\p{L}\d])`, 'giu');
  return maskedField('', answer, personal);
}

function maskedField(name: string, value: unknown, personal: RegExp | undefined): unknown {
  if (WHOLE_TREES.includes(name)) return value;
  if (Array.isArray(value)) return value.map((item) => maskedField(name, item, personal));
  if (typeof value === 'string') return maskedString(name, value, personal);
  if (!isObject(value)) return value;
  if (name === 'account_identifier' && typeof value['value'] === 'string')
    return { ...value, value: maskedNumber(value['value']) };
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [field, maskedField(field, inner, personal)]),
  );
}

function maskedString(name: string, value: string, personal: RegExp | undefined): string {
  if (IDENTIFYING.test(name)) return value;
  if (NUMBERS.includes(name)) return maskedNumber(value);
  return maskedText(value, NAMES.includes(name) ? undefined : personal);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Masks the response unless the caller's key may see all of it. CSV is masked by its route, before it is written. */
export const maskPersonal = createMiddleware<Env>(async (c, next) => {
  await next();
  const isJson = c.res.headers.get('content-type')?.includes('json') === true;
  if (seesAll(c) || !isJson) return;
  const { status, headers } = c.res;
  const answer: unknown = await c.res.json();
  c.res = new Response(JSON.stringify(visibleTo(c, answer)), { status, headers });
});

const scopesOf = (c: Context<Env>): readonly Scope[] => c.get('apiKey')?.scopes ?? [];
/** Who may read decoded payloads has all of it. */
const SEES_ALL: readonly Scope[] = ['operate', 'decode'];
const seesAll = (c: Context<Env>): boolean => scopesOf(c).some((scope) => SEES_ALL.includes(scope));

/** The answer as the caller's key may see it. */
export function visibleTo<Answer>(c: Context<Env>, answer: Answer): Answer {
  if (seesAll(c)) return answer;
  const seesNumbers = scopesOf(c).some((scope) => SEES_PERSONAL.includes(scope));
  const visible = seesNumbers ? answer : masked(answer, c.get('personalValues'));
  const hideNames = (name: string, value: unknown) => (FOR_OPERATORS.includes(name) ? null : value);
  return JSON.parse(JSON.stringify(visible, hideNames)) as Answer;
}
