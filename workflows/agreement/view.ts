// The view of an agreement for callers, and its status in Temporal's UI.
import { AGREEMENT_LIFECYCLE, isAnswered } from '../../domain/agreement/lifecycle.js';
import { isUnderWay, wordsFor, type Action } from '../../domain/agreement/action.js';
import { PAYMENT_OUTCOMES, wholeEntry } from '../../domain/payment/outcome.js';
import { MAX_CONSECUTIVE_FAILURES } from '../../domain/terms/rules.js';
import { AGREEMENT_STATE, AGREEMENT_UID, CLIENT_ID } from '../contracts/search-attributes.js';
import { requestedInWords, readable, readableReason, type Published } from '../engine/publish.js';
import { foldedOf } from '../resource/state.js';
import { agreementWorkflowId, paymentWorkflowId } from '../contracts/signals.js';
import { factNotes, publishedResource, resourceView, viewStateOf } from '../resource/view.js';
import { nextDeadline } from './desired-steps.js';
import { newAgreement, stateOf, type AgreementState } from './state.js';
import { planWarnings, upcoming } from './plan.js';
import { nextDue } from './schedule.js';
import { consecutiveFailuresOf, failureCountOf } from './consecutive-failures.js';
import type {
  ActionView,
  AgreementInput,
  PendingAction,
  PlanView,
  RecordedAgreementView,
} from './contract.js';
import type { Fact, Instant } from '../../domain/facts/fact.js';

export const viewOf = (state: AgreementState) => ({
  ...recordedView(state),
  payments: state.ledger.map(wholeEntry),
  paymentsOlder: state.paymentsOlder,
});

/** The view without its payments, which are records of their own. */
export function recordedView(state: AgreementState) {
  const { requestedMandate, mandate, adopted, paymentsOlder, mmsAgreementId, startedAt, ledger } = state;
  const { causedBy, reason } = foldedOf(AGREEMENT_LIFECYCLE, state);
  return {
    ...resourceView(AGREEMENT_LIFECYCLE, state, startedAt),
    requestedMandate,
    mandate,
    adopted,
    mmsAgreementId,
    payIdDisplayName: state.payIdNames?.debtor ?? undefined,
    createdAt: startedAt,
    requestedBy: state.requestedBy,
    stateCausedBy: causedBy,
    stateReason: reason,
    pending: pendingOf(state),
    actions: state.actions.slice(-10).map(actionView),
    paymentCount: ledger.length + paymentsOlder,
    lastPaymentAt: ledger.at(-1)?.requestedAt,
    plan: planView(state),
    payerDecides: payerDecides(state),
    consecutiveFailures: {
      count: failureCountOf(state),
      stopsPayments: consecutiveFailuresOf(state) >= MAX_CONSECUTIVE_FAILURES,
    },
    factCount: (state.droppedHashes?.length ?? 0) + state.facts.length,
  };
}

/** The decision that the payer has to make, and its next deadline. */
interface PayerDecides {
  on: 'agreement' | 'amendment';
  until?: Instant | undefined;
}

function payerDecides(state: AgreementState): PayerDecides | undefined {
  if (state.submission.stage !== 'open') return undefined;
  const until = nextDeadline(state)?.at;
  if (!isAnswered(stateOf(state))) return { on: 'agreement', until };
  const amendment = state.actions.find(
    ({ command: { kind }, stage }) => kind === 'amendment' && stage === 'accepted',
  );
  return amendment && { on: 'amendment', until };
}

function planView(state: AgreementState): PlanView | undefined {
  if (state.plan === undefined) return undefined;
  const { schedule, onMissed, onHoliday, order, handling, since, by, owed, log, ended } = state.plan;
  return {
    ...{ schedule, onMissed, onHoliday, order, handling, since, by, owed, log, ended },
    upcoming: upcoming(state),
    warnings: planWarnings(state),
  };
}

const actionView = ({
  key,
  callersKey,
  by,
  command: { kind },
  stage,
  requestedAt,
  endedAt,
  failure,
}: Action): ActionView => ({
  key,
  callersKey,
  by,
  kind,
  stage,
  requestedAt,
  endedAt,
  failure,
});

function pendingOf(state: AgreementState): PendingAction[] {
  const { stage } = state.submission;
  const isAccepted = stage === 'open';
  const isCreating = isAccepted ? stateOf(state) === 'pending' : stage !== 'adopting' && stage !== 'unknown';
  const creation = { kind: 'creation', requestedAt: state.startedAt, isAccepted } as const;
  const requested = state.actions
    .filter(isUnderWay)
    .map(({ command: { kind }, key, callersKey, requestedAt, stage: stands }) => ({
      kind,
      key,
      callersKey,
      requestedAt,
      isAccepted: stands === 'accepted',
    }));
  return isCreating ? [creation, ...requested] : requested;
}

/** The view of a new agreement. The API answers the request with it, before the workflow runs. */
export const firstView = (input: AgreementInput, now: Instant): RecordedAgreementView =>
  recordedView(newAgreement(input, now));

export function published(state: AgreementState): Published {
  const viewState = viewStateOf(AGREEMENT_LIFECYCLE, state);
  return publishedResource('agreement', state, viewState, {
    own: [
      { key: AGREEMENT_STATE, value: viewState },
      { key: AGREEMENT_UID, value: state.uid },
      ...clientIn(state),
    ],
    notes: notesOf(state),
  });
}

/** The client that initiates the agreement. Empty for the primary client, which has no id. */
function clientIn({ mandate }: AgreementState): { key: typeof CLIENT_ID; value: string }[] {
  const clientId = mandate?.initiator?.client_id;
  return typeof clientId === 'string' && clientId.length <= LONGEST_ID
    ? [{ key: CLIENT_ID, value: clientId }]
    : [];
}
/** The longest client id that we publish, because search attributes are short. */
const LONGEST_ID = 64;

/** A fact in one or two words. For our own requests: the action. */
function inShort({ state, type, detail }: Fact): string {
  const action = detail?.['action'];
  return typeof action === 'string' ? `${action.replace('_', ' ')} ${type}` : (state ?? type);
}

function notesOf(state: AgreementState): string[] {
  const { uid, connectionId, adopted, startedAt, requestedBy, facts, actions, limit } = state;
  const { state: stands, reason } = foldedOf(AGREEMENT_LIFECYCLE, state);
  const unmet = actions.findLast(({ failure }) => failure !== undefined);
  const origin = adopted
    ? `found at the provider ${readable(startedAt)}`
    : requestedInWords(startedAt, requestedBy);
  return [
    `${agreementWorkflowId(uid)} on connection/${connectionId ?? 'unknown'}, ${origin}`,
    ...factNotes(facts, inShort).slice(-5),
    ...actions
      .filter(isUnderWay)
      .map(
        ({ command: { kind }, requestedAt, by }) =>
          `${wordsFor(kind)} ${requestedInWords(requestedAt, by)}, outcome pending`,
      ),
    ...(reason === undefined ? [] : [`${stands}: ${readableReason(reason)}`]),
    ...(unmet?.failure === undefined
      ? []
      : [`${wordsFor(unmet.command.kind)} ${unmet.stage}: ${readableReason(unmet.failure)}`]),
    ...(limit === undefined ? [] : [`daily limit ${limit.code}: retried at ${readable(limit.until)}`]),
    ...paymentsInWords(state),
    ...planInWords(state),
  ];
}

function planInWords(state: AgreementState): string[] {
  const { plan } = state;
  if (plan === undefined) return [];
  const next = nextDue(state);
  const ahead =
    next === undefined
      ? 'no more payments are planned'
      : `the next payment is planned for ${next.date}, ${next.amount} cents${next.takenOn === undefined ? '' : `, and is due on ${next.takenOn}`}`;
  const newest = plan.log.slice(-1).map(({ date, reason }) => {
    if (reason === undefined) return `; the one of ${date} was requested`;
    const became = plan.owed?.date === date ? 'is owed' : 'was not taken';
    return `; the one of ${date} ${became} (${reason.code})`;
  });
  const end = plan.ended === undefined ? '' : `, ended by ${plan.ended.by}`;
  return [`plan, set by ${plan.by}${end}: ${ahead}${newest.join('')}`];
}

/** The number of payments by outcome, and the latest one. */
function paymentsInWords(state: AgreementState): string[] {
  const { ledger, paymentsOlder } = state;
  const last = ledger.at(-1);
  if (last === undefined) return [];
  const counts = PAYMENT_OUTCOMES.map((outcome) => {
    const count = ledger.filter((entry) => (entry.outcome ?? 'in_flight') === outcome).length;
    return count === 0 ? undefined : `${count} ${outcome.replace('_', ' ')}`;
  }).filter((words) => words !== undefined);
  const older = paymentsOlder === 0 ? '' : `, and ${paymentsOlder} older ones`;
  const failures = failureCountOf(state);
  const inRow = failures === 0 ? '' : `; ${failures} failed in a row`;
  return [`payments: ${counts.join(', ')}${older}; the latest is ${paymentWorkflowId(last.uid)}${inRow}`];
}
