// The accounts of a counterparty: which are to be verified, what that came to, and which of them stop it. Plain JSON and pure.
import { checkOf } from '../../domain/counterparty/lifecycle.js';
import { lower } from '../../domain/attention/flags.js';
import { consequenceOf, nextTryAt } from '../../domain/counterparty/verification.js';
import { spreadOf } from '../entity/resource/blocked.js';
import { raiseFlag } from '../entity/resource/state.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { AccountOrder } from '../../domain/counterparty/request.schema.js';
import type { Verified } from '../../domain/counterparty/verification.js';
import type { CounterpartyLifecycleState } from '../../domain/counterparty/lifecycle.js';
import type { Checked } from '../../domain/counterparty/verification.js';
import type { ResourceState } from '../entity/resource/state.js';

/** One of its accounts as it is now, corrections included. */
export interface Account extends AccountOrder {
  /** How often it was looked into: with its uid it makes the uid of each try. */
  tries: number;
  /** How often it was corrected: what was asked before says nothing of it. */
  corrections: number;
  checked?: Checked | undefined;
  /** A person has said that a close match is the one. */
  isAccepted?: true | undefined;
}

/** As much of a counterparty's state as its accounts need. */
interface AccountsState extends ResourceState<CounterpartyLifecycleState> {
  accounts: Account[];
}

/** Nothing is known of it but what a third party vouches for. */
export const unchecked = (
  {
    isAccepted: _,
    checked: __,
    ...account
  }: AccountOrder & Pick<Account, 'tries' | 'isAccepted' | 'checked'>,
  corrections: number,
  at: Instant,
): Account => ({
  ...account,
  corrections,
  ...(checkOf(account) === 'third_party_provider' && { checked: { outcome: 'evidence', times: 1, at } }),
});

/** Whether nothing stands in the way of registering it. */
export const isCleared = (account: Account): boolean =>
  checkOf(account) === undefined || account.isAccepted === true || follows(account) === 'go_on';

const follows = ({ checked }: Account) => (checked === undefined ? undefined : consequenceOf(checked).then);

/** Whether a person has to accept or correct it. */
export const isBlocking = (account: Account): boolean => {
  const then = follows(account);
  return !isCleared(account) && (then === 'person' || then === 'stop');
};

/** Whether it is to be looked into now. */
export const isCheckDue = (account: Account): boolean =>
  !isCleared(account) && !isBlocking(account) && account.checked?.notBefore === undefined;

/** When the next of them is to be looked into once more. */
export const nextCheckAt = ({ accounts }: Pick<AccountsState, 'accounts'>): Instant | undefined =>
  accounts
    .filter((account) => !isCleared(account) && !isBlocking(account))
    .flatMap(({ checked }) => checked?.notBefore ?? [])
    .sort()[0];

/** Whether it waits for nothing but a person's word that a close match is the one. */
export const isAcceptable = (account: Account): boolean =>
  !isCleared(account) && follows(account) === 'person';

export function accountOf({ accounts, uid }: AccountsState, accountUid: string): Account {
  const account = accounts.find((one) => one.uid === accountUid);
  if (account === undefined) throw new Error(`expected counterparty ${uid} to have account ${accountUid}`);
  return account;
}

export const updateAccount = <State extends AccountsState>(
  state: State,
  uid: string,
  by: (account: Account) => Account,
): State => ({
  ...state,
  accounts: state.accounts.map((account) => (account.uid === uid ? by(account) : account)),
});

/** Noted before the provider is asked, so that no two tries have one uid. */
export const markCheckStarted = <State extends AccountsState>(state: State, uid: string): State =>
  updateAccount(state, uid, (account) => ({ ...account, tries: account.tries + 1 }));

/** Under which uid the provider is asked: of the state alone, and another one for each try. */
export const referenceOf = ({ uid, tries }: Pick<Account, 'uid' | 'tries'>): string => `${uid}-${tries}`;

/** What it came to. @param retryAfterMs how long the provider asked us to wait. */
export function recordCheck<State extends AccountsState>(
  state: State,
  uid: string,
  now: Instant,
  found: Verified,
  retryAfterMs?: number,
): State {
  const checkedOf = (account: Account): Account => {
    const isAgain = account.checked?.outcome === found.outcome;
    const times = isAgain ? (account.checked?.times ?? 0) + 1 : 1;
    const consequence = consequenceOf({ outcome: found.outcome, times });
    const spread = spreadOf(uid);
    const notBefore =
      consequence.then === 'again' ? nextTryAt(consequence, times, now, { spread, retryAfterMs }) : undefined;
    return { ...account, checked: { ...found, times, at: now, notBefore } };
  };
  return flagStopped(updateAccount(state, uid, checkedOf), now);
}

/** The wait of those is over for which it is time. */
export const endWaits = <State extends AccountsState>(state: State, now: Instant): State => ({
  ...state,
  accounts: state.accounts.map((account) => {
    const { checked } = account;
    const isTime = checked?.notBefore !== undefined && checked.notBefore <= now;
    return isTime ? { ...account, checked: { ...checked, notBefore: undefined } } : account;
  }),
});

/** Flagged for as long as an account stands in the way: nothing was sent, and nothing is before a person has acted. */
export function flagStopped<State extends AccountsState>(state: State, now: Instant): State {
  const calm = { ...state, attention: lower(state.attention, 'parked') };
  const stopping = state.accounts.filter(isBlocking);
  if (stopping.length === 0) return calm;
  const words = stopping.flatMap(({ uid, checked }) => {
    if (checked === undefined) return [];
    const { detail, next } = consequenceOf(checked);
    return [{ detail: `Account ${uid}: ${detail}`, next: checked.next ?? next, own: next }];
  });
  return raiseFlag(calm, 'parked', now, {
    detail: `Nothing was sent to the provider. ${words.map(({ detail }) => detail).join(' ')}`,
    next: `${[...new Set(words.flatMap(({ next, own }) => [next, own]))].join(' ')} Or give it up: resolve this flag with \`close\`.`,
  });
}
