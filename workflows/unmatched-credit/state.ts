// The state of a case. Plain JSON and pure.
import { lower, raise, type Attention } from '../../domain/attention/flags.js';
import { addFact, type Fact, type Instant } from '../../domain/facts/fact.js';
import { truncateHuge } from '../../domain/facts/retention.js';
import {
  type CREDIT_STATES,
  creditIn,
  isSameResolution,
  type Confirmation,
  type CreditResolution,
} from '../../domain/float/credit.js';
import { refused } from '../engine/refusal.js';
import type { CreditState, UnmatchedCreditInput, UnmatchedCreditView } from './contract.js';

export const newCase = ({ uid, accountUid, fact }: UnmatchedCreditInput, now: Instant): CreditState => {
  const state: CreditState = {
    ...{ uid, accountUid, startedAt: now, facts: [], attention: [] },
    ...{ awaiting: { what: 'look-up', since: now }, stateSince: now },
  };
  return fact === undefined ? state : applyReport(state, fact);
};

export const stateOf = ({ resolution, joined, entry }: CreditState): (typeof CREDIT_STATES)[number] =>
  resolution?.decision ?? (joined !== undefined ? 'joined' : entry === undefined ? 'unconfirmed' : 'open');

/** A repeat changes nothing. What only a connection's own secret proved is a hint, because the account may belong to another one. */
export function applyReport(state: CreditState, reported: Fact): CreditState {
  const received = truncateHuge(reported);
  const isOfApplication = received.provenConnectionId === undefined;
  const fact = isOfApplication ? received : { ...received, authenticated: false };
  const { facts, isNew } = addFact(state.facts, fact);
  if (!isNew) return state;
  const isOutranked = !fact.authenticated && isCertain(state);
  return { ...state, facts, report: isOutranked ? state.report : (creditIn(fact) ?? state.report) };
}

/** Whether the content of the notification is certainly the provider's. */
export const isCertain = ({ facts }: CreditState): boolean =>
  facts.some(({ authenticated }) => authenticated);

export function applyConfirmation(
  state: CreditState,
  { found, joined, decideWithinMs }: Confirmation,
  now: Instant,
): CreditState {
  if (state.resolution !== undefined || state.entry !== undefined) return state;
  if (joined !== undefined)
    return {
      ...state,
      ...{ joined: { uid: joined, at: now }, stateSince: now, attention: [] },
      awaiting: { what: 'nothing', since: now },
    };
  if (found === undefined)
    return { ...state, decideWithinMs, attention: raise(state.attention, unconfirmedFlag(state, now)) };
  const differs = state.report !== undefined && state.report.amount !== found.entry.amount;
  return {
    ...state,
    ...found,
    ...{ decideWithinMs, confirmedAt: now, stateSince: now, awaiting: { what: 'operator', since: now } },
    attention: [
      ...lower(state.attention, 'credit_unconfirmed'),
      ...(differs ? [amountFlag(state.report?.amount ?? 0, found.entry.amount, now)] : []),
    ],
  };
}

const unconfirmedFlag = ({ accountUid }: CreditState, since: Instant): Attention => ({
  ...{ code: 'credit_unconfirmed', since },
  detail: `A notification named this credit, but no entry of float account ${accountUid} confirms it.`,
  next: 'Check that the account is ours and that GET /v1/float-accounts lists it. If the notification is false, resolve the case as `ignored`.',
});

const amountFlag = (reported: number, found: number, since: Instant): Attention => ({
  ...{ code: 'conflict', since },
  detail: `The notification said ${reported} cents, and the entry of the account has ${found} cents.`,
  next: 'The entry counts. Ask the provider why its notification differs.',
});

/** The case has waited for its decision for too long. */
export const applyAge = (state: CreditState, now: Instant): CreditState =>
  stateOf(state) === 'open'
    ? {
        ...state,
        attention: raise(state.attention, {
          ...{ code: 'credit_undecided', since: now },
          detail: 'This credit waits for a decision.',
          next: `GET /v1/unmatched-credits/${state.uid} shows candidates. POST its resolution.`,
        }),
      }
    : state;

/** @throws ApplicationFailure with a code of `joinReport` (contract.ts). A repeat is accepted. */
export function assertJoinable({ facts, report, resolution, joined }: CreditState, { id }: Fact): void {
  if (facts.some((fact) => fact.id === id)) return;
  if (report !== undefined || resolution !== undefined || joined !== undefined)
    throw refused('credit_resolved', 'The case has a notification, or has ended.');
}

/** @throws ApplicationFailure with a code of `resolveCredit` (contract.ts). */
export function assertResolvable(state: CreditState, given: CreditResolution): void {
  const { resolution, joined, entry } = state;
  if (joined !== undefined)
    throw refused('credit_resolved', `The case ${joined.uid} has the entry of this credit. Decide that one.`);
  if (resolution !== undefined && !isSameResolution(resolution, given))
    throw refused('credit_resolved', `The case was resolved as ${resolution.decision}. It stays so.`);
  if (entry === undefined && given.decision !== 'ignored')
    throw refused(
      'credit_unconfirmed',
      'No entry of the account confirms this credit yet. It can only be resolved as `ignored`.',
    );
}

/** A repeat changes nothing. Expects a resolution that passed the validator. */
export const applyResolution = (state: CreditState, given: CreditResolution, now: Instant): CreditState =>
  state.resolution !== undefined
    ? state
    : {
        ...state,
        ...{ resolution: { ...given, at: now }, stateSince: now, attention: [] },
        awaiting: { what: 'nothing', since: now },
      };

/** The state from a view in a row. */
export function lostState(view: object): CreditState {
  const {
    requestedAt: startedAt,
    state: _,
    amount: _a,
    receivedAt: _r,
    isAuthenticated: _i,
    ...rest
  } = view as UnmatchedCreditView;
  return { ...rest, startedAt, facts: [] };
}
