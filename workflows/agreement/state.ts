// What an agreement workflow keeps, and what facts and snapshots change in it. Plain JSON and pure; next.ts says what it asks for.
import { isUnderWay } from '../../domain/agreement/action.js';
import { agreementEvent } from '../../domain/agreement/events.js';
import {
  AGREEMENT_LIFECYCLE,
  isAnswered,
  isAuthorityInDoubt,
  isFinal,
} from '../../domain/agreement/lifecycle.js';
import { differences } from '../../domain/commands/differences.js';
import { lower } from '../../domain/attention/flags.js';
import {
  actionsAtTheEnd,
  answeredActions,
  identifiedActions,
  withoutOpen,
} from '../../domain/agreement/action-outcome.js';
import * as followed from '../entity/resource/state.js';
import {
  isUidOfAnother,
  isUnproven,
  leaveToOther,
  recordOthersFact,
  requestLookUp,
} from '../entity/resource/others.js';
import { newSubmission, openByFact, markOrphan } from '../entity/resource/submission.js';
import { dropUnneededPayer } from './creation.js';
import { isLate } from './deadlines.js';
import { isInFlight } from './ledger.js';
import { consecutiveFailuresOf } from './consecutive-failures.js';
import { reportingTo } from '../entity/engine/reports.js';
import type { Reporting } from '../entity/engine/reports.js';
import type { Action } from '../../domain/agreement/action.js';
import type { AgreementLifecycleState } from '../../domain/agreement/lifecycle.js';
import type { Fact, Instant } from '../../domain/facts/fact.js';
import type { Mandate } from '../../domain/agreement/mandate.js';
import type { Plan } from '../../domain/agreement/plan.js';
import type { AgreementSnapshot, Fetched, Refusal } from '../../domain/facts/snapshot.js';
import type { TermsStatus } from '../../domain/terms/status.js';
import type { Creation } from './creation.js';
import type { Ledger } from './ledger.js';
import type { ConsecutiveFailures } from './consecutive-failures.js';

export interface AgreementState
  extends followed.ResourceState<AgreementLifecycleState>, Ledger, Reporting, Creation {
  /** What was asked for at the start, to know a repeat of the request from another one. */
  requestedMandate?: Mandate | undefined;
  /** What holds now, as the provider last showed it, amendments included. */
  mandate?: Mandate | undefined;
  /** It was found at the provider, and not started here. */
  adopted: boolean;
  startedAt: Instant;
  /** The principal that asked for it; absent where it was found at the provider. */
  requestedBy?: string | undefined;
  /** When the payer was asked, as well as we know. */
  requestedAt?: Instant | undefined;
  overdue: boolean;
  /** How often it was noted that the payer has not answered. */
  reminded?: number | undefined;
  /** What was asked of the provider, oldest first: what is under way, and the newest of what has ended. */
  actions: Action[];
  /** Deadlines at which the provider has been asked, by `deadlineId`. */
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
  const submission = newSubmission(adopted ? 'adopting' : 'ready');
  const awaiting = { what: adopted ? 'look-up' : 'provider-acceptance', since: now } as const;
  return dropUnneededPayer({
    ...followed.newResourceState<AgreementLifecycleState>(
      { uid, connectionId, submission, start: 'pending' },
      awaiting,
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

/** The state by its facts; `pending` while there are none. */
export const stateOf = (state: AgreementState): AgreementLifecycleState =>
  followed.foldedOf(AGREEMENT_LIFECYCLE, state).state;

/** What the workflow itself keeps of a snapshot. */
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

/** Whatever is to be sent may go now; and what is too old to be folded may still be news to what is under way. */
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
 * What the provider shows, over what was known: it may leave out what it was sent. The end of validity is the one of these
 * terms that an amendment can take away (docs/provider.md#amendments).
 */
function mandateInForce(mandate: Mandate | undefined, fetched: Mandate): Mandate {
  const said = Object.entries(fetched).filter(([, value]) => value !== undefined && value !== null);
  const merged: Mandate = { ...mandate, ...Object.fromEntries(said) };
  const isTakenAway = fetched.validity_end_date === null && typeof merged.validity_end_date === 'string';
  return isTakenAway ? { ...merged, validity_end_date: null } : merged;
}

/**
 * Whether it is the agreement that was asked for. Its client is compared in every snapshot, as no amendment changes it. The rest is
 * compared in the first snapshot after a submission of unknown outcome, unless an amendment may have changed it since.
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

/** Whether nothing else differs than whose agreement it is. */
export const isOnlyClient = (paths: readonly string[]): boolean =>
  paths.every((path) => path === CLIENT_PATH);

/** From version 20260901 null means the primary client; older versions leave the field out (docs/provider.md#versions). */
function isAttributedElsewhere(requested: Mandate | undefined, { initiator }: Mandate): boolean {
  const wanted = requested?.initiator?.client_id;
  const answered = initiator === null ? null : initiator?.client_id;
  return wanted != null && answered !== undefined && answered !== wanted;
}

/**
 * The very same state where the fact was known: a repeat must change nothing. An end that leaves an action open is looked up:
 * the action's own outcome may have come before it and have been lost. What is too old to be folded holds payments until the look-up
 * where it may end the payer's authority.
 */
export function recordFact(state: AgreementState, arrived: Fact): AgreementState {
  if (isUidOfAnother(state)) return recordOthersFact(state, arrived);
  const fact = followed.withoutForeignAuthority(state, arrived);
  const noted = followed.storeFact(state, fact);
  if (noted === state) return state;
  if (noted.facts === state.facts) return isAuthorityInDoubt([fact]) ? { ...noted, isDoubtful: true } : noted;
  const received = followed.flagUnrecognised(AGREEMENT_LIFECYCLE, noted, fact);
  const answeredState = settleActionsByFacts(fact.authenticated ? openByFact(received) : received);
  // What moves an agreement makes the last snapshot of it old: it is no measure any more of what is new.
  const isMoving = agreementEvent(fact.type)?.moves !== undefined;
  const measured = isMoving ? { ...answeredState, snapshotState: undefined } : answeredState;
  // Payments are held until a look-up, so the next one starts at once.
  const isUrgent = followed.isForeign(state, fact) && isAuthorityInDoubt([fact]);
  const timed = isUrgent ? { ...measured, doubts: 0 } : measured;
  return endsOpenActions(timed) ? requestLookUp(timed) : timed;
}

/** The provider refused to create it: a fact of our own, and the last one unless the provider says otherwise. */
export const recordRefusal = (state: AgreementState, now: Instant, reason: Refusal): AgreementState =>
  settleActions(
    followed.storeFact(
      { ...state, payer: undefined },
      { ...localEnd(state, now), type: 'failed', causedBy: 'provider', reason },
    ),
  );

/** The payer's agreement was cancelled before anything of it was sent: nothing is at the provider. */
export const recordCancelledUnsent = (state: AgreementState, now: Instant): AgreementState =>
  settleActions(
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

/** Another agreement has the uid, so ours cannot come to be. */
export function recordUidTaken(
  state: AgreementState,
  now: Instant,
  paths: readonly string[],
): AgreementState {
  const title = `uid taken; differs in ${paths.join(', ')}`;
  return recordRefusal(leaveToOther(state), now, {
    code: 'uid_taken',
    title,
    next: 'Start it under another uid; the provider has another agreement under this one.',
  });
}

/** The provider does not know it, so nothing comes of what was asked of it meanwhile. */
export function recordUnknownAgreement(state: AgreementState, now: Instant): AgreementState {
  const failure = {
    code: 'agreement_unknown',
    title: 'The provider does not know this agreement.',
    next: 'Ask the provider what the notification was about.',
  };
  const actions = withoutOpen(state.actions, { stage: 'refused', endedAt: now, failure });
  return markOrphan({ ...state, actions }, now, 'agreement');
}

/** What is known now answers actions, and an end takes with it what is left of them. */
export function settleActions(state: AgreementState): AgreementState {
  const answeredState = settleActionsByFacts(state);
  if (!endsOpenActions(answeredState)) return answeredState;
  const endedAt = followed.lastFactAt(answeredState) ?? answeredState.startedAt;
  return {
    ...answeredState,
    actions: actionsAtTheEnd(answeredState.actions, stateOf(answeredState), endedAt),
  };
}

const endsOpenActions = (state: AgreementState): boolean =>
  state.actions.some(isUnderWay) && isFinal(stateOf(state));

/** Facts answer actions, and nothing is late any more once the payer has answered. */
function settleActionsByFacts(state: AgreementState): AgreementState {
  // To fold all facts anew for each of thousands that come at once would take longer than a task may.
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

/**
 * @param asking a payment that was admitted before: then it stands as it did for that one, which is none of those before it. A retry is sent after
 * all others that are in flight.
 */
export function termsStatusOf(
  state: AgreementState,
  asking: { uid?: string; isRetry?: boolean } = {},
): TermsStatus {
  const isInDoubt = state.isDoubtful === true || isAuthorityInDoubt(doubtfulFacts(state));
  // What is not known to be at the provider, or may be another's there, has no terms that are known.
  const { stage } = state.submission;
  const isRead = !['adopting', 'sent', 'parked'].includes(stage) && !(stage === 'open' && isUnproven(state));
  const index = state.ledger.findIndex(({ uid }) => uid === asking.uid);
  const earlier = index === -1 ? state.ledger : state.ledger.slice(0, index);
  const others = asking.isRetry === true ? state.ledger.filter(({ uid }) => uid !== asking.uid) : earlier;
  return {
    state: stateOf(state),
    isInDoubt,
    isContested: state.isContested === true,
    mandate: isRead ? state.mandate : undefined,
    since: state.startedAt,
    earlier,
    hasUnknownPayments: state.adopted || state.paymentsOlder > 0,
    consecutiveFailures: consecutiveFailuresOf(state),
    inFlight: others.filter(isInFlight).length,
  };
}

/** A fact in the name of another connection stays an open question, but a look-up that does not explain it ends the doubt. */
function doubtfulFacts(state: AgreementState): Fact[] {
  const open = followed.openQuestions(AGREEMENT_LIFECYCLE, state);
  const { unexplained = [] } = state;
  return state.facts.filter(
    (fact) => open.includes(fact.id) && !(followed.isForeign(state, fact) && unexplained.includes(fact.id)),
  );
}

/** What one run leaves to the next: always far less than Temporal takes as one payload, whatever callers and the provider have sent. */
export function stateToCarry(state: AgreementState): AgreementState {
  const short = followed.compact(AGREEMENT_LIFECYCLE, state);
  // The watch for an outcome takes nothing of the dropped period for news, so a look-up reads whether the outcome is among it.
  const isDueForActions = short.droppedUntil !== state.droppedUntil && state.actions.some(isUnderWay);
  return {
    ...(isDueForActions ? requestLookUp(short) : short),
    actions: state.actions.map((action) => (isUnderWay(action) ? action : { ...action, priorIds: [] })),
  };
}
