// The stored state of an agreement, and how facts and snapshots change it. Plain JSON and pure. desired-steps.ts derives the steps.
import { isUnderWay, type Action } from '../../domain/agreement/action.js';
import { agreementEvent } from '../../domain/agreement/events.js';
import {
  AGREEMENT_LIFECYCLE,
  isAnswered,
  isAuthorityInDoubt,
  isFinal,
  type AgreementLifecycleState,
  type AgreementSnapshot,
} from '../../domain/agreement/lifecycle.js';
import { differences } from '../../domain/commands/differences.js';
import { lower } from '../../domain/attention/flags.js';
import {
  actionsAtTheEnd,
  answeredActions,
  identifiedActions,
  withoutOpen,
} from '../../domain/agreement/action-outcome.js';
import { compact } from '../resource/compact.js';
import * as followed from '../resource/state.js';
import { leaveToOther, applyOthersFact, requestLookUp } from '../resource/others.js';
import { isUidOfAnother, openByFact, markOrphan } from '../resource/submission/state.js';
import { dropUnneededPayer, type Creation } from './creation.js';
import { isLate } from './deadlines.js';
import { reportingTo, type Reporting } from '../resource/reports.js';
import type { Fact, Instant } from '../../domain/facts/fact.js';
import type { Mandate } from '../../domain/agreement/mandate.js';
import type { Plan } from '../../domain/agreement/plan.js';
import type { Fetched, Refusal } from '../../domain/facts/snapshot.js';
import type { Ledger } from './ledger.js';
import type { ConsecutiveFailures } from './consecutive-failures.js';

export interface AgreementState
  extends followed.ResourceState<AgreementLifecycleState>, Ledger, Reporting, Creation {
  /** The mandate as requested, to detect a repeat of the request. */
  requestedMandate?: Mandate | undefined;
  /** The mandate in force, as the provider last showed it, including amendments. */
  mandate?: Mandate | undefined;
  /** True if it was found at the provider and not created by us. */
  adopted: boolean;
  startedAt: Instant;
  /** The principal that requested it. Absent if it was adopted. */
  requestedBy?: string | undefined;
  /** When the payer was asked, as far as we know. */
  requestedAt?: Instant | undefined;
  overdue: boolean;
  /** How many reminders about the payer's missing answer were recorded. */
  reminded?: number | undefined;
  /** Requested actions, oldest first: all pending ones, and the newest ended ones. */
  actions: Action[];
  /** Deadlines that have caused a look-up, by `deadlineId`. */
  passed: string[];
  mmsAgreementId?: string | undefined;
  /** Absent until a payment has failed. */
  consecutiveFailures?: ConsecutiveFailures | undefined;
  plan?: Plan | undefined;
}

export function newAgreement(
  input: Pick<AgreementState, 'uid' | 'connectionId' | 'mandate' | 'payer' | 'requestedBy'> & {
    reportTo?: string | undefined;
  },
  now: Instant,
): AgreementState {
  const { uid, connectionId, mandate, payer, requestedBy } = input;
  const adopted = mandate === undefined;
  return dropUnneededPayer({
    ...followed.newResourceState<AgreementLifecycleState>(
      { uid, connectionId, start: 'pending' },
      now,
      adopted,
    ),
    ...reportingTo(input.reportTo),
    requestedMandate: mandate,
    mandate,
    payer,
    adopted,
    startedAt: now,
    requestedBy,
    overdue: false,
    actions: [],
    passed: [],
    ledger: [],
    paymentsOlder: 0,
  });
}

/** The state that the facts lead to. `pending` if there are none. */
export const stateOf = (state: AgreementState): AgreementLifecycleState =>
  followed.foldedOf(AGREEMENT_LIFECYCLE, state).state;

/** Stores the fields of a snapshot that an agreement needs. */
export const applySnapshot = (
  state: AgreementState,
  { snapshot, history, fetchedAt }: Fetched<AgreementSnapshot>,
): AgreementState => ({
  ...state,
  actions: actionsAfterSnapshot(state, { snapshot, history, fetchedAt }),
  mandate: mandateInForce(state.mandate, snapshot.mandate),
  limit: undefined,
  requestedAt: state.requestedAt ?? (state.adopted ? snapshot.createdAt : undefined) ?? fetchedAt,
  mmsAgreementId: snapshot.mmsAgreementId ?? state.mmsAgreementId,
});

/** After a look-up, pending commands may be sent. Events too old to be folded may still answer pending actions. */
function actionsAfterSnapshot(
  state: AgreementState,
  { snapshot, history, fetchedAt }: Fetched<AgreementSnapshot>,
): Action[] {
  const old = history.filter((fact) => followed.isFromDroppedPeriod(state, fact));
  const identified = identifiedActions(state.actions, snapshot.mandate, fetchedAt);
  return answeredActions(identified, old).map((action) =>
    action.stage === 'asked' ? { ...action, isReady: true } : action,
  );
}

/**
 * Merges a snapshot into the known mandate, because the provider may omit fields that we sent. Of these fields, an amendment can remove only the end
 * of validity (docs/provider.md#amendments).
 */
function mandateInForce(mandate: Mandate | undefined, fetched: Mandate): Mandate {
  const said = Object.entries(fetched).filter(([, value]) => value !== undefined && value !== null);
  const merged: Mandate = { ...mandate, ...Object.fromEntries(said) };
  const isTakenAway = fetched.validity_end_date === null && typeof merged.validity_end_date === 'string';
  return isTakenAway ? { ...merged, validity_end_date: null } : merged;
}

/**
 * The differences from the requested agreement. Every snapshot must show the requested client, because no amendment changes it. The rest is
 * compared only in the first snapshot after an unknown outcome, and not after an amendment.
 */
export function differencesIn(
  { submission, adopted, requestedAt, requestedMandate, mandate = {} }: AgreementState,
  { snapshot, history }: Fetched<AgreementSnapshot>,
): string[] {
  if (adopted) return [];
  const isCompared = requestedAt === undefined && submission.stage !== 'sending';
  const isAmended = history.some(({ type }) => type === 'amended');
  const others = isCompared && !isAmended ? differences(mandate, snapshot.mandate) : [];
  const isOfAnotherClient = isAttributedElsewhere(requestedMandate, snapshot.mandate);
  return isOfAnotherClient ? [...new Set([CLIENT_PATH, ...others])] : others;
}

const CLIENT_PATH = '/initiator/client_id';

/** Whether only the client differs. */
export const isOnlyClient = (paths: readonly string[]): boolean =>
  paths.every((path) => path === CLIENT_PATH);

/** From version 20260901, null means the primary client. Older versions omit the field (docs/provider.md#versions). */
function isAttributedElsewhere(requested: Mandate | undefined, { initiator }: Mandate): boolean {
  const wanted = requested?.initiator?.client_id;
  const answered = initiator === null ? null : initiator?.client_id;
  return wanted != null && answered !== undefined && answered !== wanted;
}

/**
 * Stores a fact. Returns the same state if it is known, because a repeat must change nothing. An end that leaves an action open causes a look-up:
 * the action's own outcome may have been lost. A fact too old to be folded blocks payments until the look-up if it may end the payer's authority.
 */
export function applyFact(state: AgreementState, arrived: Fact): AgreementState {
  if (isUidOfAnother(state)) return applyOthersFact(state, arrived);
  const fact = followed.withoutForeignAuthority(state, arrived);
  const noted = followed.storeFact(state, fact);
  if (noted === state) return state;
  if (noted.facts === state.facts)
    return isAuthorityInDoubt([fact]) && !followed.isHint(state, fact)
      ? { ...noted, isDoubtful: true }
      : noted;
  const received = followed.flagUnrecognised(AGREEMENT_LIFECYCLE, noted, fact);
  const answeredState = judgeActionsByFacts(fact.authenticated ? openByFact(received) : received);
  // An event that changes the state makes the last snapshot outdated, so the watch must not compare with it.
  const isMoving = agreementEvent(fact.type)?.moves !== undefined;
  const measured = isMoving ? { ...answeredState, snapshotState: undefined } : answeredState;
  // Payments are blocked until a look-up, so the next one starts at once.
  const isUrgent = followed.isForeign(state, fact) && isAuthorityInDoubt([fact]);
  const timed = isUrgent ? { ...measured, doubts: 0 } : measured;
  return endsOpenActions(timed) ? requestLookUp(timed) : timed;
}

/** The provider refused to create it. This fact of our own stays the last unless the provider reports otherwise. */
export const applyRefusal = (state: AgreementState, now: Instant, reason: Refusal): AgreementState =>
  judgeActions(
    followed.storeFact(
      { ...state, payer: undefined },
      { ...localEnd(state, now), type: 'failed', causedBy: 'provider', reason },
    ),
  );

/** The agreement was cancelled before it was sent, so the provider has none of it. */
export const applyCancelledUnsent = (state: AgreementState, now: Instant): AgreementState =>
  judgeActions(
    followed.storeFact(
      { ...state, payer: undefined, limit: undefined },
      {
        ...localEnd(state, now),
        type: 'cancelled',
        causedBy: 'initiator',
        reason: { code: 'cancelled_unsent', title: 'It was cancelled before it was sent to the provider.' },
      },
    ),
  );

const localEnd = ({ uid }: AgreementState, now: Instant) => ({
  id: `command/create/${uid}`,
  publishedAt: now,
  receivedAt: now,
  source: 'command' as const,
  authenticated: true,
});

/** The provider has another agreement under the uid, so ours cannot be created. */
export function applyUidTaken(state: AgreementState, now: Instant, paths: readonly string[]): AgreementState {
  const title = `The uid is taken by another agreement, which differs in ${paths.join(', ')}.`;
  return applyRefusal(leaveToOther(state), now, {
    code: 'uid_taken',
    title,
    next: 'Create the agreement under another uid.',
  });
}

/** The provider does not have the agreement, so its pending actions cannot succeed. */
export function applyUnknownAgreement(state: AgreementState, now: Instant): AgreementState {
  const failure = {
    code: 'agreement_unknown',
    title: 'The provider does not have this agreement.',
    next: 'Ask the provider what the notification was about.',
  };
  const actions = withoutOpen(state.actions, { stage: 'refused', endedAt: now, failure });
  return markOrphan({ ...state, actions }, now, 'agreement');
}

/** Facts answer actions. If the agreement has ended, the remaining actions end too. */
export function judgeActions(state: AgreementState): AgreementState {
  const answeredState = judgeActionsByFacts(state);
  if (!endsOpenActions(answeredState)) return answeredState;
  const endedAt = followed.lastFactAt(answeredState) ?? answeredState.startedAt;
  return {
    ...answeredState,
    actions: actionsAtTheEnd(answeredState.actions, stateOf(answeredState), endedAt),
  };
}

const endsOpenActions = (state: AgreementState): boolean =>
  state.actions.some(isUnderWay) && isFinal(stateOf(state));

/** Facts answer actions. Once the payer has answered, the agreement is no longer overdue. */
function judgeActionsByFacts(state: AgreementState): AgreementState {
  // Skip the fold if it cannot matter: folding all facts for each of thousands of signals would exceed the time of a workflow task.
  if (!state.overdue && !state.actions.some(isUnderWay)) return state;
  const answeredState = { ...state, actions: answeredActions(state.actions, state.facts) };
  if (
    !answeredState.overdue ||
    !isAnswered(stateOf(answeredState)) ||
    isLate(answeredState, stateOf(answeredState))
  )
    return answeredState;
  return { ...answeredState, overdue: false, attention: lower(answeredState.attention, 'overdue') };
}

/** The state for the next run. It stays far below Temporal's payload limit, whatever callers and the provider send. */
export function stateToCarry(state: AgreementState): AgreementState {
  const short = compact(AGREEMENT_LIFECYCLE, state);
  // The watch ignores events of the dropped period, so a look-up checks them for pending outcomes.
  const isDueForActions = short.droppedUntil !== state.droppedUntil && state.actions.some(isUnderWay);
  return {
    ...(isDueForActions ? requestLookUp(short) : short),
    actions: state.actions.map((action) => (isUnderWay(action) ? action : { ...action, priorIds: [] })),
  };
}
