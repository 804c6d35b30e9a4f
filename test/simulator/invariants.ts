// What must be true of every life, whatever happened in it.
import { MOST_ROUNDS } from '../../workflows/resource/submission/state.js';
import { noPlannedDateIsLost, noPlannedDateIsTakenEarly, noPlannedDateIsTakenTwice } from './planned.js';
import { noMoreIsTakenThanAgreed } from './takings.js';
import { AMOUNT } from './terms.js';
import type { Chronicle, Effect, Invariant, Status, Submission } from './chronicle.js';

const ABSENT_MS = 120_000;
const REQUESTS_A_DAY = 100;

function atMostOneLivePaymentForAnIntent({ livePayments, submissions }: Chronicle): string | undefined {
  for (const [intent, uids] of livePayments)
    if (uids.length > 1) return `intent ${intent} has more than one live payment: ${uids.join(', ')}`;
  for (const [index, one] of submissions.entries()) {
    const again = submissions.find(
      (other, at) => at > index && other.what === one.what && other.attempt === one.attempt,
    );
    if (again !== undefined && again.atMs < freeMs(one))
      return `${one.what} was sent again while its previous submission may be in flight`;
  }
  return undefined;
}

const freeMs = ({ endMs, effect }: Submission): number =>
  effect === 'unclear' ? endMs + ABSENT_MS : effect === 'under way' ? Infinity : -Infinity;

const OF_A_DIFFERENCE: ReadonlySet<string> = new Set(['conflict', 'parked', 'orphan', 'unrecognised']);

const isShown = ({ flags, blocked }: Status): boolean =>
  flags.some((code) => OF_A_DIFFERENCE.has(code)) || blocked !== undefined;

const whatIsOverHereIsOverThere: Invariant = ({ statuses }) =>
  found(statuses, (status) => {
    const { here, there, isFinalHere, isFinalThere, what, awaiting } = status;
    if (there === undefined || here === there || (!isFinalHere && !isFinalThere)) return undefined;
    if (isShown(status) || (awaiting === 'agreement' && statuses.some(isShown))) return undefined;
    return `${what} is ${here} in our state and ${there} at the provider, and no flag shows it`;
  });

const everyEventTakenIsInTheTimeline: Invariant = ({ statuses, taken, isEndless }) => {
  if (isEndless) return undefined;
  const lost = taken.find(({ what, id }) => !statuses.some((one) => one.what === what && one.knows(id)));
  return lost === undefined
    ? undefined
    : `${lost.what} accepted the event ${lost.id}, but its timeline does not contain it`;
};

const theRecordsHaveEverything: Invariant = ({ statuses, isEndless }) =>
  isEndless
    ? undefined
    : found(statuses, ({ what, recordsFault }) => recordsFault && `${what}: ${recordsFault}`);

const tokenCallsNeverOverlap: Invariant = ({ tokenCalls }) => {
  for (const [index, one] of tokenCalls.entries()) {
    const other = tokenCalls.find(
      ({ refresh, fromMs }, at) => at > index && refresh === one.refresh && fromMs < one.toMs,
    );
    if (other !== undefined) return `${one.refresh} was used again while its first call was in flight`;
  }
  return undefined;
};

/** A refusal is looked up once, because the provider may have checked a limit before the uid. */
const IN_NEED_OF_LOOK_UP: ReadonlySet<Effect> = new Set<Effect>(['unclear', 'refused']);

const nothingWaitsForWhatCanNoLongerCome: Invariant = (life) => {
  const { doubts, submissions, statuses, isConnectionHealthy } = life;
  const vain = doubts.find(
    ({ what, submissions: known }) =>
      !submissions.slice(0, known).some((one) => one.what === what && IN_NEED_OF_LOOK_UP.has(one.effect)),
  );
  if (vain !== undefined)
    return `${vain.what} looks for a submission, but has neither an unclear nor a refused one`;
  // A payment may wait until an operator has decided what the state of its agreement is.
  const isContested = statuses.some(({ flags }) => flags.includes('conflict'));
  return found(statuses, (status) =>
    isContested && status.awaiting === 'agreement' ? undefined : waitsInVain(status, isConnectionHealthy),
  );
};

function waitsInVain(status: Status, isConnectionHealthy: boolean): string | undefined {
  const { what, awaiting, blocked, isOver, flags, isActionUnderWay, there } = status;
  if (isOver) return undefined;
  if (blocked !== undefined && blocked.until === undefined && isConnectionHealthy)
    return `${what} waits for consent (${blocked.code}) although its connection is healthy`;
  if (blocked !== undefined && !isConnectionHealthy) return undefined;
  if (awaiting === 'operator' && flags.length === 0) return `${what} waits for an operator, but has no flag`;
  if (awaiting === 'action-outcome' && !isActionUnderWay)
    return `${what} waits for the outcome of an action, but none is in progress`;
  if (['provider-acceptance', 'submission-outcome', 'agreement'].includes(awaiting))
    return `${what} still waits for ${awaiting}`;
  if (awaiting === 'settlement' && there === undefined)
    return `${what} waits for settlement, but the provider does not have it`;
  return undefined;
}

const nothingIsSentAfterAnEndThatWasKnown: Invariant = ({ submissions, commands }) => {
  const late = submissions.find(({ isAfterEnd, effect }) => isAfterEnd && effect !== 'none');
  if (late !== undefined) return `${late.what} was sent after a known final state`;
  return commands.some(({ isAfterEnd }) => isAfterEnd)
    ? 'a command was sent after a known final state'
    : undefined;
};

const nothingOfALostStateIsSent: Invariant = ({ submissions }) => {
  const sent = submissions.find(({ isOfLost }) => isOfLost);
  return sent && `${sent.what} was sent although its last run has left no state`;
};

const nothingRequestedIsForgotten: Invariant = ({ statuses }) =>
  found(statuses, ({ what, lacks }) => lacks && `${what} was requested, but its state lacks its ${lacks}`);

const nothingIsSentAfterItsLastMoment: Invariant = ({ submissions }) => {
  const late = submissions.find(({ isTooLate, effect }) => isTooLate && effect !== 'none');
  return late && `${late.what} was sent after its deadline`;
};

const everyLoopEnds: Invariant = ({ statuses, submissions, requestsAtTheEnd, isEndless }) => {
  if (isEndless) return 'the life never ends';
  const fault = statuses.find((one) => one.fault !== undefined);
  if (fault !== undefined) return `${fault.what} failed: ${fault.fault?.message ?? ''}`;
  for (const { what } of submissions) {
    const rounds = submissions.filter((one) => one.what === what && one.effect === 'unclear').length;
    if (rounds > MOST_ROUNDS) return `${what} was sent ${rounds} times without a clear answer`;
  }
  return requestsAtTheEnd > REQUESTS_A_DAY * statuses.length
    ? `${requestsAtTheEnd} requests on a quiet day`
    : undefined;
};

const everyStateIsTheProviders: Invariant = ({ statuses }) =>
  found(statuses, (status) => {
    const { what, here, there, awaiting } = status;
    if (there === undefined || here === there || isShown(status)) return undefined;
    if (awaiting === 'agreement' && statuses.some(isShown)) return undefined;
    return `${what} is still ${here} in our state and ${there} at the provider after a quiet period`;
  });

const OUTCOMES: ReadonlyMap<string | undefined, string> = new Map([
  [undefined, 'not_sent'],
  ['settled', 'settled'],
  ['failed', 'failed'],
]);

const theLedgerHasTheProvidersOutcomes: Invariant = ({ statuses }) =>
  found(statuses, (status) => {
    const { what, there, inLedger } = status;
    if (inLedger === undefined || statuses.some(isShown)) return undefined;
    const expected = OUTCOMES.get(there) ?? 'in_flight';
    return inLedger === expected
      ? undefined
      : `the ledger shows ${what} as ${inLedger}; expected ${expected}`;
  });

const everyCommandEnds: Invariant = ({ statuses }) =>
  found(statuses, (status) => {
    if (isShown(status)) return undefined;
    const open = status.openCommands.find((one) => one.stage !== 'accepted' || !one.isUnderWayThere);
    return open && `${open.key} is still ${open.stage}, but not in progress at the provider`;
  });

type Cause = (status: Status, life: Chronicle) => boolean;

const hasMet =
  (...faults: readonly string[]): Cause =>
  (_status, { met }) =>
    faults.some((name) => met.has(`fault ${name}`));
const hasUnclear: Cause = ({ what }, { submissions }) =>
  submissions.some((one) => one.what === what && one.effect === 'unclear');
const lacksConsent: Cause = ({ isOver }, { isConnectionHealthy }) => isOver || !isConnectionHealthy;

const CAUSES: Readonly<Record<string, Cause>> = {
  unknown_outcome: () => false,
  stopped: () => false,
  needs_reauthorisation: lacksConsent,
  forbidden: lacksConsent,
  orphan: (status, life) => status.there === undefined || hasMet('uid hidden')(status, life),
  cancel_requested: hasMet('cancel request'),
  parked: (status, life) =>
    status.isAnothers || hasUnclear(status, life) || hasMet('uid hidden')(status, life),
  overdue: ({ openCommands, there }) => openCommands.length > 0 || there === 'created',
};

const everyFlagHasACause: Invariant = (life) =>
  found(life.statuses, (status) => {
    const vain = status.flags.find((code) => CAUSES[code]?.(status, life) === false);
    return vain && `${status.what} has the flag ${vain} without a cause`;
  });

const onlyWhatWasNeverSentLapses: Invariant = (life) =>
  found(life.statuses, (status) => {
    const { what, here, there, isAnothers } = status;
    const isSent = (there !== undefined && !isAnothers) || hasUnclear(status, life);
    return here === 'lapsed' && isSent ? `${what} lapsed although it may have been sent` : undefined;
  });

const neverMoreIsRefundedThanWasPaid: Invariant = ({ refunded }) => {
  for (const [uid, cents] of refunded)
    if (cents > AMOUNT) return `the refunds of ${uid} are ${cents} cents; the payment is ${AMOUNT} cents`;
  return undefined;
};

const everyRefundEndsAndIsReported: Invariant = ({ statuses }) =>
  found(statuses, (status) => {
    const { what, here, inPayment, isFinalHere } = status;
    if (inPayment === undefined || isShown(status)) return undefined;
    if (!isFinalHere) return `${what} is still ${here}, and no flag shows it`;
    return inPayment === here ? undefined : `${what} is ${here}, but its payment shows it as ${inPayment}`;
  });

const noPaymentOfAnotherIsTakenForOurs: Invariant = ({ statuses, submissions }) =>
  found(statuses, ({ what, here, isAnothers }) => {
    if (!isAnothers) return undefined;
    if (here === 'settled') return `${what} counts as settled, but the payment at the provider is not ours`;
    const isRetried = submissions.some((one) => one.what === what && one.attempt > 1);
    return isRetried ? `${what} was retried, but the payment at the provider is not ours` : undefined;
  });

const noFailureIsCountedTwice: Invariant = ({ failures: { here, there } }) =>
  here > there ? `the agreement counts ${here} failures; the provider counts ${there}` : undefined;

const theSchemeSuspendsNoAgreementForOurs: Invariant = ({ suspensions }) =>
  suspensions > 0 ? 'the scheme suspended the agreement after consecutive failures' : undefined;

const found = (
  statuses: readonly Status[],
  judge: (status: Status) => string | undefined,
): string | undefined => {
  for (const status of statuses) {
    const fault = judge(status);
    if (fault !== undefined) return fault;
  }
  return undefined;
};

export const INVARIANTS = {
  atMostOneLivePaymentForAnIntent,
  whatIsOverHereIsOverThere,
  everyEventTakenIsInTheTimeline,
  tokenCallsNeverOverlap,
  nothingWaitsForWhatCanNoLongerCome,
  nothingIsSentAfterAnEndThatWasKnown,
  nothingIsSentAfterItsLastMoment,
  nothingOfALostStateIsSent,
  nothingRequestedIsForgotten,
  everyLoopEnds,
  everyStateIsTheProviders,
  theLedgerHasTheProvidersOutcomes,
  everyCommandEnds,
  everyFlagHasACause,
  onlyWhatWasNeverSentLapses,
  neverMoreIsRefundedThanWasPaid,
  everyRefundEndsAndIsReported,
  noPaymentOfAnotherIsTakenForOurs,
  noFailureIsCountedTwice,
  theSchemeSuspendsNoAgreementForOurs,
  theRecordsHaveEverything,
  noMoreIsTakenThanAgreed,
  noPlannedDateIsTakenTwice,
  noPlannedDateIsTakenEarly,
  noPlannedDateIsLost,
} satisfies Readonly<Record<string, Invariant>>;
export type InvariantName = keyof typeof INVARIANTS;

export interface Violation {
  invariant: string;
  detail: string;
}

export function violationIn(life: Chronicle): Violation | undefined {
  for (const [invariant, judge] of Object.entries<Invariant>(INVARIANTS)) {
    const detail = judge(life);
    if (detail !== undefined) return { invariant, detail };
  }
  return undefined;
}
