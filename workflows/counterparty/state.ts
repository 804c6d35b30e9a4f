// What a counterparty workflow keeps, and what verifications, answers, callers and operators change in it. Plain JSON and pure. The provider
// shows none of it again: what was accepted is kept here, and one whose submission had no clear answer is for a person.
import { COUNTERPARTY_LIFECYCLE, checkOf, corrected } from '../../domain/counterparty/lifecycle.js';
import { lower } from '../../domain/attention/flags.js';
import { repeatOfUse } from '../../domain/commands/repeat.js';
import { consequenceOf, nextTryAt } from '../../domain/counterparty/verification.js';
import * as entity from '../entity/resource/attention.js';
import { spreadOf } from '../entity/resource/blocked.js';
import * as followed from '../entity/resource/state.js';
import { newSubmission, markOpen, park } from '../entity/resource/submission.js';
import { reportingTo } from '../entity/engine/reports.js';
import type { Reporting } from '../entity/engine/reports.js';
import type { CounterpartyChange, CounterpartyLifecycleState } from '../../domain/counterparty/lifecycle.js';
import type {
  AccountCorrection,
  AccountOrder,
  CounterpartyOrder,
} from '../../domain/counterparty/request.schema.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { KeyUse } from '../../domain/commands/key-use.js';
import type { Payer } from '../../domain/agreement/payer.schema.js';
import type { AttentionResolution, Decision } from '../../domain/attention/resolution.js';
import type { CounterpartySnapshot, Fetched, Refusal } from '../../domain/facts/snapshot.js';
import type { Checked, Verified } from '../../domain/counterparty/verification.js';

/** What a counterparty is begun with. */
export interface CounterpartyOrderRequest {
  uid: string;
  connectionId: string;
  order: CounterpartyOrder;
  /** Who asks, and from where: needed of a PayID, and forgotten once it is registered. */
  payer?: Payer | undefined;
  /** The id of the API key that it was asked for with. */
  requestedBy?: string | undefined;
  /** The id of the onboarding workflow that waits for it. */
  reportTo?: string | undefined;
}

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

/** What a person says of an account, or that none of it is wanted any more; its key makes it one, however often it is said. */
export interface ChangeRequest {
  kind: CounterpartyChange;
  /** Of which account; absent of a withdrawal. */
  accountUid?: string | undefined;
  /** Of a correction. */
  to?: AccountCorrection | undefined;
  reason: string;
  /** The id of the API key that they used. */
  by: string;
  use: KeyUse;
}

export interface Change extends Omit<ChangeRequest, 'to'> {
  at: Instant;
}

export interface CounterpartyState extends followed.ResourceState<CounterpartyLifecycleState>, Reporting {
  /** What was asked for. */
  order: CounterpartyOrder;
  accounts: Account[];
  payer?: Payer | undefined;
  requestedAt: Instant;
  requestedBy?: string | undefined;
  adopted?: true | undefined;
  failure?: Refusal | undefined;
  changes: Change[];
}

/** Of older ones nothing is kept: a repeat after so many more changes is a change of its own. */
export const MAX_CHANGES = 50;

export function newCounterparty(requested: CounterpartyOrderRequest, now: Instant): CounterpartyState {
  const { uid, connectionId, order, payer, requestedBy, reportTo } = requested;
  const base = followed.newResourceState<CounterpartyLifecycleState>(
    { uid, connectionId, submission: newSubmission('ready'), start: 'requested' },
    { what: 'look-up', since: now },
  );
  const accounts = order.payment_accounts.map((account) => unchecked({ ...account, tries: 0 }, 0, now));
  return {
    ...{ ...base, ...reportingTo(reportTo) },
    ...{ order, accounts, payer, requestedAt: now, requestedBy, changes: [] },
  };
}

/** Nothing is known of it but what a third party vouches for. */
const unchecked = (
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
export const nextCheckAt = ({ accounts }: Pick<CounterpartyState, 'accounts'>): Instant | undefined =>
  accounts
    .filter((account) => !isCleared(account) && !isBlocking(account))
    .flatMap(({ checked }) => checked?.notBefore ?? [])
    .sort()[0];

/** Whether it waits for nothing but a person's word that a close match is the one. */
export const isAcceptable = (account: Account): boolean =>
  !isCleared(account) && follows(account) === 'person';

export function accountOf({ accounts, uid }: CounterpartyState, accountUid: string): Account {
  const account = accounts.find((one) => one.uid === accountUid);
  if (account === undefined) throw new Error(`expected counterparty ${uid} to have account ${accountUid}`);
  return account;
}

const updateAccount = (
  state: CounterpartyState,
  uid: string,
  by: (account: Account) => Account,
): CounterpartyState => ({
  ...state,
  accounts: state.accounts.map((account) => (account.uid === uid ? by(account) : account)),
});

/** Noted before the provider is asked, so that no two tries have one uid. */
export const markCheckStarted = (state: CounterpartyState, uid: string): CounterpartyState =>
  updateAccount(state, uid, (account) => ({ ...account, tries: account.tries + 1 }));

/** Under which uid the provider is asked: of the state alone, and another one for each try. */
export const referenceOf = ({ uid, tries }: Pick<Account, 'uid' | 'tries'>): string => `${uid}-${tries}`;

/** What it came to. @param retryAfterMs how long the provider asked us to wait. */
export function recordCheck(
  state: CounterpartyState,
  uid: string,
  now: Instant,
  found: Verified,
  retryAfterMs?: number,
): CounterpartyState {
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
export const endWaits = (state: CounterpartyState, now: Instant): CounterpartyState => ({
  ...state,
  accounts: state.accounts.map((account) => {
    const { checked } = account;
    const isTime = checked?.notBefore !== undefined && checked.notBefore <= now;
    return isTime ? { ...account, checked: { ...checked, notBefore: undefined } } : account;
  }),
});

/** Flagged for as long as an account stands in the way: nothing was sent, and nothing is before a person has acted. */
function flagStopped(state: CounterpartyState, now: Instant): CounterpartyState {
  const calm = { ...state, attention: lower(state.attention, 'parked') };
  const stopping = state.accounts.filter(isBlocking);
  if (stopping.length === 0) return calm;
  const words = stopping.flatMap(({ uid, checked }) => {
    if (checked === undefined) return [];
    const { detail, next } = consequenceOf(checked);
    return [{ detail: `Account ${uid}: ${detail}`, next: checked.next ?? next, own: next }];
  });
  return followed.raiseFlag(calm, 'parked', now, {
    detail: `Nothing was sent to the provider. ${words.map(({ detail }) => detail).join(' ')}`,
    next: `${[...new Set(words.flatMap(({ next, own }) => [next, own]))].join(' ')} Or give it up: resolve this flag with \`close\`.`,
  });
}

/** A repeat changes nothing. Expects what the validator let through. */
export function recordChange(
  state: CounterpartyState,
  request: ChangeRequest,
  now: Instant,
): CounterpartyState {
  if (repeatOfUse(state.changes, request.use) !== 'none') return state;
  const { to, ...said } = request;
  const changes = [...state.changes, { ...said, at: now }].slice(-MAX_CHANGES);
  const noted = { ...state, changes };
  const { accountUid } = said;
  if (accountUid === undefined) return markOpen(recordOwnEnd(noted, now, WITHDRAWAL, WITHDRAWN));
  const changed = updateAccount(noted, accountUid, (account) =>
    to === undefined
      ? { ...account, isAccepted: true }
      : unchecked(corrected(account, to), account.corrections + 1, now),
  );
  return flagStopped({ ...changed, payer: to?.payer ?? changed.payer }, now);
}

/** The provider has it: what it says of the accounts' uids is right. */
export const markRegistered = (
  state: CounterpartyState,
  { snapshot }: Fetched<CounterpartySnapshot>,
): CounterpartyState => ({
  ...state,
  providerId: state.providerId ?? snapshot.counterpartyId,
  adopted: snapshot.isTaken === true ? true : state.adopted,
  accounts: state.accounts.map((account, index) => ({
    ...account,
    uid: snapshot.accountUids[index] ?? account.uid,
  })),
  payer: undefined,
});

const recordOwnEnd: typeof entity.recordEnd<CounterpartyState> = (state, now, end, reason) =>
  entity.recordEnd({ ...state, failure: reason, payer: undefined }, now, end, reason);

/** The provider would not register it. */
export const recordRefusal = (state: CounterpartyState, now: Instant, reason: Refusal): CounterpartyState =>
  recordOwnEnd(state, now, { verb: 'submit', type: 'refused', causedBy: 'provider' }, reason);

/** It may be there, or not: the provider shows none, and a second one would have an id of its own, so it is never sent again. */
export const parkUnknownRegistration = (state: CounterpartyState, now: Instant): CounterpartyState =>
  state.submission.stage === 'sent'
    ? park(state, now, 'absence', {
        detail:
          'The submission had no clear answer, so the provider may or may not have the counterparty, and it shows none that could be looked for.',
        next: 'Ask the provider whether there is a payment account of these uids, then resolve this flag: `adopt` takes it for registered, `close` gives it up. It is not sent again.',
      })
    : state;

/** A repeat changes nothing. Expects what `validateResolution` let through. */
export const resolveFlag = (
  state: CounterpartyState,
  resolution: AttentionResolution,
  now: Instant,
): CounterpartyState => entity.resolveFlag(state, resolution, now, applyDecision);

function applyDecision(state: CounterpartyState, decision: Decision, now: Instant): CounterpartyState {
  if (decision === 'adopt') {
    const adopted: CounterpartyState = { ...markOpen(state), adopted: true, payer: undefined };
    return entity.recordEnd(adopted, now, { verb: 'adopt', type: 'adopted', causedBy: 'initiator' }, {});
  }
  return markOpen(
    state.submission.count === 0
      ? recordOwnEnd(state, now, { verb: 'close', type: 'refused', causedBy: 'initiator' }, CLOSED)
      : recordOwnEnd(state, now, { verb: 'give-up', type: 'unresolved', causedBy: 'initiator' }, UNRESOLVED),
  );
}

const WITHDRAWAL = { verb: 'withdraw', type: 'refused', causedBy: 'initiator' } as const;
const WITHDRAWN: Refusal = {
  code: 'withdrawn',
  title: 'Withdrawn: nothing was sent to the provider.',
  next: 'Ask for it under another uid, should it be wanted after all.',
};
const CLOSED: Refusal = {
  code: 'closed',
  title: 'Given up by an operator: nothing was sent to the provider.',
  next: 'Ask for it again under another uid once its accounts are known to be right.',
};
const UNRESOLVED: Refusal = {
  code: 'unresolved',
  title: 'Given up by an operator: it is not known whether the provider has registered it.',
  next: 'Ask for it again under another uid: its accounts have other uids then.',
};

/** What a run leaves to the next, within Temporal's limit for a payload. */
export const stateToCarry = (state: CounterpartyState): CounterpartyState =>
  followed.compact(COUNTERPARTY_LIFECYCLE, state);
