// The accounts of a counterparty: which need verification, the outcomes, and which of them block the registration. Plain JSON and pure.
import { checkOf, type CounterpartyLifecycleState } from '../../domain/counterparty/lifecycle.js';
import { lower } from '../../domain/attention/flags.js';
import {
  consequenceOf,
  nextTryAt,
  type Verified,
  type Checked,
} from '../../domain/counterparty/verification.js';
import { spreadOf } from '../resource/blocked.js';
import { raiseFlag } from '../engine/flags.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { AccountOrder } from '../../domain/counterparty/request.schema.js';
import type { ResourceState } from '../resource/state.js';

/** An account with all its corrections. */
export interface Account extends AccountOrder {
  /** How often its verification was tried. The count is part of each try's uid. */
  tries: number;
  /** How often it was corrected. Verifications from before a correction do not count. */
  corrections: number;
  checked?: Checked | undefined;
  /** A person has accepted a close match. */
  isAccepted?: true | undefined;
}

/** The part of a counterparty's state that its accounts need. */
interface AccountsState extends ResourceState<CounterpartyLifecycleState> {
  accounts: Account[];
}

/** Resets the verification. Evidence from a third party counts as a first outcome. */
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

/** Whether it can be registered. */
export const isCleared = (account: Account): boolean =>
  checkOf(account) === undefined || account.isAccepted === true || follows(account) === 'go_on';

const follows = ({ checked }: Account) => (checked === undefined ? undefined : consequenceOf(checked).then);

/** Whether a person must accept or correct it. */
export const isBlocking = (account: Account): boolean => {
  const then = follows(account);
  return !isCleared(account) && (then === 'person' || then === 'stop');
};

/** Whether it must be verified now. */
export const isCheckDue = (account: Account): boolean =>
  !isCleared(account) && !isBlocking(account) && account.checked?.notBefore === undefined;

/** When the next repeated verification is due. */
export const nextCheckAt = ({ accounts }: Pick<AccountsState, 'accounts'>): Instant | undefined =>
  accounts
    .filter((account) => !isCleared(account) && !isBlocking(account))
    .flatMap(({ checked }) => checked?.notBefore ?? [])
    .sort()[0];

/** Whether it only needs a person to accept its close match. */
export const isAcceptable = (account: Account): boolean =>
  !isCleared(account) && follows(account) === 'person';

export function accountOf({ accounts, uid }: AccountsState, accountUid: string): Account {
  const account = accounts.find((one) => one.uid === accountUid);
  if (account === undefined) throw new Error(`counterparty ${uid} has no account ${accountUid}`);
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

/** Counted before the call, so that two tries never share a uid. */
export const markCheckStarted = <State extends AccountsState>(state: State, uid: string): State =>
  updateAccount(state, uid, (account) => ({ ...account, tries: account.tries + 1 }));

/** The uid of the current try at the provider. It depends only on the state. */
export const referenceOf = ({ uid, tries }: Pick<Account, 'uid' | 'tries'>): string => `${uid}-${tries}`;

/** Records the outcome of a verification. @param retryAfterMs the wait that the provider requested. */
export function applyCheck<State extends AccountsState>(
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

/** Ends the waits whose time has passed. */
export const endWaits = <State extends AccountsState>(state: State, now: Instant): State => ({
  ...state,
  accounts: state.accounts.map((account) => {
    const { checked } = account;
    const isTime = checked?.notBefore !== undefined && checked.notBefore <= now;
    return isTime ? { ...account, checked: { ...checked, notBefore: undefined } } : account;
  }),
});

/** Raises the flag while an account blocks the registration. Nothing is sent before a person has acted. */
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
    next: `${[...new Set(words.flatMap(({ next, own }) => [next, own]))].join(' ')} To give up the counterparty, resolve this flag with \`close\`.`,
  });
}
