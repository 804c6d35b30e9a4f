// What identifies the payer of an agreement in stored views and entries, and whether other stored data names that payer. Pure.
import { normalAccount } from '../float/normal-form.js';

export interface Payer {
  /** Account numbers and PayIDs, in their normal form. */
  accounts: readonly string[];
  /** The accounts of counterparties. */
  accountUids: readonly string[];
  /** In small letters, their words separated by one blank. */
  names: readonly string[];
}

/** `account`: it has an account of the payer. `name`: it only has the name, which others may have too. */
export type PayerMatch = 'account' | 'name';

/** Everything in such a field is about the payer. */
const OF_PAYER = /debtor|^accounts$|^payer$/i;
const NAME = /^(?:name|party_?name|ultimate_party_name|payerName)$/i;
/** Shorter values are compared only as a whole, because any number may contain them. */
const SHORTEST_INSIDE = 8;
const SHORTEST_NAME = 5;

/** @param values views and data of entries. */
export function payerIn(values: readonly unknown[]): Payer {
  const found = { accounts: new Set<string>(), accountUids: new Set<string>(), names: new Set<string>() };
  const collect = (value: unknown, path: readonly string[], isInside: boolean): void => {
    if (Array.isArray(value)) for (const item of value) collect(item, path, isInside);
    else if (typeof value === 'object' && value !== null)
      for (const [field, inner] of Object.entries(value))
        collect(inner, [...path, field], isInside || OF_PAYER.test(field));
    else if (typeof value === 'string' && value !== '') addText(found, value, path, isInside);
  };
  for (const value of values) collect(value, [], false);
  return { accounts: [...found.accounts], accountUids: [...found.accountUids], names: [...found.names] };
}

function addText(
  found: Record<keyof Payer, Set<string>>,
  text: string,
  path: readonly string[],
  isInside: boolean,
): void {
  const [field = '', parent] = path.toReversed();
  if (field === 'payerAccount') found.accounts.add(normalAccount(text));
  if (field === 'payerName') found.names.add(wordsOf(text));
  if (!isInside) return;
  if (parent === 'account_identifier' && field === 'value') found.accounts.add(normalAccount(text));
  if (field === 'payment_account_uid' || (parent === 'accounts' && field === 'uid'))
    found.accountUids.add(text);
  if (NAME.test(field)) found.names.add(wordsOf(text));
}

/** Whether any text in the value has an account or the name of the payer, however it is written. */
export function matchOfPayer({ accounts, names }: Payer, value: unknown): PayerMatch | undefined {
  const texts = textsIn(value);
  if (texts.some((text) => accounts.some((account) => hasAccount(text, account)))) return 'account';
  const given = names.filter(({ length }) => length >= SHORTEST_NAME);
  return texts.some((text) => given.some((name) => ` ${wordsOf(text)} `.includes(` ${name} `)))
    ? 'name'
    : undefined;
}

function hasAccount(text: string, account: string): boolean {
  if (normalAccount(text) === account) return true;
  const inside = compact(account);
  return inside.length >= SHORTEST_INSIDE && compact(text).includes(inside);
}

/** Letters and digits, in small letters. */
const compact = (text: string): string => wordsOf(text).replaceAll(' ', '');

const wordsOf = (text: string): string =>
  (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(' ');

/** Numbers count as texts, because the provider may send an account number as one. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
