// What identifies the payer of an agreement in stored views and entries, and whether other stored data names that payer. Pure.
import { normalAccount } from '../float/normal-form.js';

export interface Payer {
  /** Account numbers and PayIDs, in their normal form. */
  accounts: readonly string[];
  /** The accounts of counterparties. */
  accountUids: readonly string[];
  /** In small letters, their words separated by one blank. */
  names: readonly string[];
  /** Accounts from which a credit of theirs came, in their normal form. They may belong to others. */
  creditAccounts: readonly string[];
}

/** `account`: it has an account of the payer. `name`: it only has the name, or an account of a credit, which others may have too. */
export type PayerMatch = 'account' | 'name';

/** Everything in such a field is about the payer. */
const OF_PAYER = /debtor|^accounts$|^payer$/i;
const NAME = /^(?:name|party_?name|ultimate_party_name|payerName)$/i;
/** Shorter account numbers are compared only as a whole, because any text may contain them. */
const LEAST_DIGITS = 8;
const SHORTEST_NAME = 5;

/** @param values views and data of entries. */
export function payerIn(values: readonly unknown[]): Payer {
  const found = {
    ...{ accounts: new Set<string>(), accountUids: new Set<string>() },
    ...{ names: new Set<string>(), creditAccounts: new Set<string>() },
  };
  const collect = (value: unknown, path: readonly string[], isInside: boolean): void => {
    if (Array.isArray(value)) for (const item of value) collect(item, path, isInside);
    else if (typeof value === 'object' && value !== null)
      for (const [field, inner] of Object.entries(value))
        collect(inner, [...path, field], isInside || OF_PAYER.test(field));
    else if (typeof value === 'string' && value !== '') addText(found, value, path, isInside);
  };
  for (const value of values) collect(value, [], false);
  return {
    ...{ accounts: [...found.accounts], accountUids: [...found.accountUids], names: [...found.names] },
    creditAccounts: [...found.creditAccounts].filter((account) => !found.accounts.has(account)),
  };
}

function addText(
  found: Record<keyof Payer, Set<string>>,
  text: string,
  path: readonly string[],
  isInside: boolean,
): void {
  const [field = '', parent] = path.toReversed();
  if (field === 'payerAccount') found.creditAccounts.add(normalAccount(text));
  if (field === 'payerName') found.names.add(wordsOf(text));
  if (!isInside) return;
  if (parent === 'account_identifier' && field === 'value') found.accounts.add(normalAccount(text));
  if (field === 'payment_account_uid' || (parent === 'accounts' && field === 'uid'))
    found.accountUids.add(text);
  if (NAME.test(field)) found.names.add(wordsOf(text));
}

/** Whether any text in the value has an account or the name of the payer. An account of another person that contains theirs does not count. */
export function matchOfPayer(
  { accounts, names, creditAccounts }: Payer,
  value: unknown,
): PayerMatch | undefined {
  const texts = textsIn(value);
  const hasOne = (of: readonly string[]): boolean =>
    of.some((account) => texts.some((text) => hasAccount(text, account)));
  if (hasOne(accounts)) return 'account';
  const given = names.filter(({ length }) => length >= SHORTEST_NAME);
  const hasName = texts.some(({ text }) => given.some((name) => ` ${wordsOf(text)} `.includes(` ${name} `)));
  return hasName || hasOne(creditAccounts) ? 'name' : undefined;
}

interface Text {
  text: string;
  /** It is an account, and not a text that may name one. */
  isAccount: boolean;
}

function hasAccount({ text, isAccount }: Text, account: string): boolean {
  if (normalAccount(text) === account) return true;
  return !isAccount && insideOf(account)?.test(text.normalize('NFKC').toLowerCase()) === true;
}

/** Finds the account in a longer text, but not as a part of another address or number. */
function insideOf(account: string): RegExp | undefined {
  if (account.includes('@'))
    return new RegExp(`(?<![\\w.+-])${account.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-]|\\.\\w)`);
  const groups = account.match(/\d+/g) ?? [];
  if (/[a-z]/.test(account) || groups.join('').length < LEAST_DIGITS) return undefined;
  const spaced = groups.map((group) => [...group].join('[ -]?'));
  // As in `BSB 200001 account 01234567`: each group may have zeros before it.
  return new RegExp(`(?<!\\d)0*${spaced.join('\\D{0,12}?0*')}(?!\\d)`);
}

const wordsOf = (text: string): string =>
  (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(' ');

const ACCOUNT_FIELD = /^payerAccount$|^account_identifier\.value$/;

/** Numbers count as texts, because the provider may send an account number as one. */
function textsIn(value: unknown, path: readonly string[] = []): Text[] {
  if (typeof value === 'string' || typeof value === 'number') {
    const [field = '', parent] = path.toReversed();
    const isAccount = ACCOUNT_FIELD.test(field) || ACCOUNT_FIELD.test(`${parent ?? ''}.${field}`);
    return [{ text: String(value), isAccount }];
  }
  if (Array.isArray(value)) return value.flatMap((item: unknown) => textsIn(item, path));
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([field, inner]) => textsIn(inner, [...path, field]))
    : [];
}
