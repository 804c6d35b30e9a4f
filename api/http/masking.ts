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
  /^(abn|acn|australian_\w+_number|uid|\w+_uids?|ids?|\w+_ids?|key|\w+_key|secret|codes?|\w+_codes?|state|type|kind|stage|pointer|cursor|\w*url|\w*version)$/;

/** Masks `200001-12340001` as `************001`. Hides a number of three characters or fewer completely. */
export const maskedNumber = (number: string): string =>
  number.length <= VISIBLE_CHARACTERS
    ? '*'.repeat(number.length)
    : '*'.repeat(number.length - VISIBLE_CHARACTERS) + number.slice(-VISIBLE_CHARACTERS);

/** First, and alone, because its start must not be inside of a run that another pattern has begun. Also takes `name@host`. */
const EMAIL = /(?<![\w.+-])[\w.+-]+(?:@[\w.+-]*\w)+/g;
const DATE = String.raw`\b\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?(?!\d)`;
const AMOUNT_OR_VERSION = String.raw`(?<![\w,])\d[\d,]{0,20} cents\b|\$ ?\d[\d,.]*|\bversion \d{8}\b`;
const BSB_AND_ACCOUNT = String.raw`(?<!\d)\d{3}[- ]?\d{3}[- ]\d{5,9}(?!\d)`;
/** Digits after a word such as "account", or on their own. Digits within an id or a path do not match. */
const DIGITS = String.raw`(?:(?<=\b(?:a\/c|acc|acct|account|bsb)[-:.#/ ]{0,16})|(?<![\w~/-]))\+?\d(?:[ -]?\d){5,40}(?![\w~-])`;
/** Longer than any number that DIGITS takes. */
const MANY_DIGITS = String.raw`\d[\d-]{40,}`;
const PATTERN = new RegExp(
  `(?<whole>${DATE}|${AMOUNT_OR_VERSION})|${BSB_AND_ACCOUNT}|${DIGITS}|${MANY_DIGITS}`,
  'gi',
);

/** A full page of ordinary resources has a tenth of these. Beyond, an answer could block all other requests. */
const MOST_CHARACTERS = 2_000_000;
const MOST_VALUES = 2000;
const LONGEST_VALUE = 280;
const HIDDEN = '(hidden: this answer has too much text to mask; the scope `personal` shows it)';

interface Masking {
  /** The personal values of the answer; `too-many` hides all texts. */
  personal: RegExp | 'too-many' | undefined;
  charactersLeft: number;
}

/** Masks personal values, and all text that looks like an account number, a phone number or an email address. */
function maskedText(text: string, masking: Masking, personal: RegExp | undefined): string {
  masking.charactersLeft -= text.length;
  if (masking.charactersLeft < 0 || masking.personal === 'too-many') return HIDDEN;
  const partly = personal === undefined ? text : text.replace(personal, maskedValue);
  return partly
    .replace(EMAIL, maskedNumber)
    .replace(PATTERN, (found: string, whole: string | undefined) => whole ?? maskedNumber(found));
}

/** Hides a name completely. */
const maskedValue = (value: string): string =>
  /[\d@]/.test(value) ? maskedNumber(value) : '*'.repeat(value.length);

/**
 * Returns the response with its personal data masked.
 * @param otherValues personal values of the resource that have no field in the response.
 */
export function masked(answer: unknown, otherValues: readonly string[] = []): unknown {
  const values = [...new Set([...personalValues(answer), ...otherValues])];
  return maskedField('', answer, { personal: patternOf(values), charactersLeft: MOST_CHARACTERS });
}

function patternOf(values: readonly string[]): Masking['personal'] {
  if (values.length > MOST_VALUES || values.some(({ length }) => length > LONGEST_VALUE)) return 'too-many';
  const either = values
    .toSorted((a, b) => b.length - a.length)
    .map((value) => value.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
    .join('|');
  if (either === '') return undefined;
  return new RegExp(String.raw`(?<![\p{L}\d])(?:${either})(?![\p{L}\d])`, 'giu');
}

function maskedField(name: string, value: unknown, masking: Masking): unknown {
  if (WHOLE_TREES.includes(name)) return value;
  if (Array.isArray(value)) return value.map((item) => maskedField(name, item, masking));
  if (typeof value === 'string') return maskedString(name, value, masking);
  if (!isObject(value)) return value;
  if (name === 'account_identifier' && typeof value['value'] === 'string')
    return { ...value, value: maskedNumber(value['value']) };
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [field, maskedField(field, inner, masking)]),
  );
}

function maskedString(name: string, value: string, masking: Masking): string {
  if (IDENTIFYING.test(name)) return value;
  if (NUMBERS.includes(name)) return maskedNumber(value);
  const { personal } = masking;
  return maskedText(value, masking, personal === 'too-many' || NAMES.includes(name) ? undefined : personal);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Masks the response unless the caller's key may see all of it, or its route has masked it, as for CSV and events. */
export const maskPersonal = createMiddleware<Env>(async (c, next) => {
  await next();
  const isJson = c.res.headers.get('content-type')?.includes('json') === true;
  if (seesAll(scopesOf(c)) || !isJson || c.get('isMasked') === true) return;
  const { status, headers } = c.res;
  const answer: unknown = await c.res.json();
  c.res = new Response(JSON.stringify(visibleTo(c, answer)), { status, headers });
});

const scopesOf = (c: Context<Env>): readonly string[] => c.get('apiKey')?.scopes ?? [];
/** Who may read decoded payloads has all of it. */
const SEES_ALL: readonly Scope[] = ['operate', 'decode'];
const seesAll = (scopes: readonly string[]): boolean => SEES_ALL.some((scope) => scopes.includes(scope));

/** The answer as the caller's key may see it. */
export const visibleTo = <Answer>(c: Context<Env>, answer: Answer): Answer =>
  visibleWith(scopesOf(c), answer, c.get('personalValues'));

/** The answer as a key with these scopes may see it. @param otherValues as `masked` takes them. */
export function visibleWith<Answer>(
  scopes: readonly string[],
  answer: Answer,
  otherValues?: readonly string[],
): Answer {
  if (seesAll(scopes)) return answer;
  const seesNumbers = SEES_PERSONAL.some((scope) => scopes.includes(scope));
  const visible = seesNumbers ? answer : masked(answer, otherValues);
  const hideNames = (name: string, value: unknown) => (FOR_OPERATORS.includes(name) ? null : value);
  return JSON.parse(JSON.stringify(visible, hideNames)) as Answer;
}
