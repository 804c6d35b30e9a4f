// The report of a payment to its agreement, sent each time the outcome changes. Plain JSON and pure.
import { attemptsOf, failuresIn, graceFailuresIn, type Attempt } from '../../domain/payment/attempts.js';
import {
  outcomeOf,
  type PaymentOutcome,
  type PaymentReport,
  type Reported,
} from '../../domain/payment/outcome.js';
import { PAYMENT_LIFECYCLE } from '../../domain/payment/lifecycle.js';
import { refundedIn } from '../../domain/refund/lifecycle.js';
import { sydneyDayOf } from '../../domain/time/sydney.js';
import { foldedOf } from '../resource/state.js';
import { isUnproven } from '../resource/others.js';
import type { Day } from '../../domain/time/calendar.js';
import type { PaymentState } from './state.js';

export interface DueReport {
  agreementUid: string;
  report: PaymentReport;
}

/** Undefined if the agreement has it, the order is unknown, or the events may belong to another payment. */
export function reportDue(state: PaymentState): DueReport | undefined {
  const { uid, order, requestedAt, submission, leftAgreement } = state;
  if (isUnproven(state) || isInDoubt(state)) return undefined;
  if (order === undefined || submission.stage === 'adopting' || submission.stage === 'unknown')
    return undefined;
  const { amount, agreement_uid: agreementUid } = order;
  const paid = { uid, amount, requestedAt };
  if (leftAgreement !== undefined) {
    const report = { ...paid, outcome: 'not_sent', at: requestedAt, failures: 0 } as const;
    return { agreementUid: leftAgreement, report };
  }
  const { state: lifecycleState, since = requestedAt } = foldedOf(PAYMENT_LIFECYCLE, state);
  const attempts = attemptsOf(state);
  // Until the agreement has admitted a retry, the failure before it stands.
  const failed = isUnadmittedRetry(state, attempts) ? attempts.at(-2) : undefined;
  const sentAt = failed === undefined ? submission.sentAt : failed.sentAt;
  const failures = failuresIn(attempts);
  const graceFailures = graceFailuresIn(attempts);
  const outcome = outcomeOf(failed?.state ?? lifecycleState, failures);
  const refunded = refundedIn(state.refunds ?? []);
  const report: PaymentReport = {
    ...paid,
    ...(sentAt !== undefined && { sentAt }),
    ...(order.last_payment === true && { isLast: true }),
    ...{ outcome, at: failed?.endedAt ?? since, failures },
    ...(graceFailures > 0 && { graceFailures }),
    ...(refunded > 0 && { refunded }),
    ...whyUnpaid(state, outcome),
  };
  return isReported(state, report) ? undefined : { agreementUid, report };
}

/** The outcome in its row may be an old one. */
const isInDoubt = ({ isLost, isDoubtful }: PaymentState): boolean => isLost === true && isDoubtful === true;

function whyUnpaid(
  { failure: { code = 'not_sent', title, isTemporary, retryable } = {} }: PaymentState,
  outcome: PaymentOutcome,
): Pick<PaymentReport, 'unsentFor' | 'isRetryable'> {
  if (outcome === 'failed' && retryable === true) return { isRetryable: true };
  if (outcome !== 'not_sent') return {};
  const detail = title ?? 'It was not sent.';
  return { unsentFor: { code, detail, ...(isTemporary && { isTemporary }) } };
}

const isUnadmittedRetry = (
  { submission, judgements = [] }: PaymentState,
  attempts: readonly Attempt[],
): boolean =>
  submission.again !== undefined &&
  submission.stage === 'ready' &&
  judgements.at(-1)?.attempt !== attempts.at(-1)?.n;

function isReported({ reported, requestedAt }: PaymentState, report: PaymentReport): boolean {
  const dayOf = ({ sentAt = requestedAt }: Reported): Day => sydneyDayOf(sentAt);
  return (
    reported !== undefined &&
    report.amount === reported.amount &&
    report.outcome === reported.outcome &&
    report.failures === reported.failures &&
    report.refunded === reported.refunded &&
    (report.outcome === 'in_flight' || report.at === (reported.at ?? report.at)) &&
    dayOf(report) === dayOf(reported)
  );
}

/** The agreement has received the report. */
export const markReported = (state: PaymentState, { agreementUid, report }: DueReport): PaymentState =>
  agreementUid === state.leftAgreement
    ? { ...state, leftAgreement: undefined, reported: undefined }
    : { ...state, reported: reportedOf(report) };

const reportedOf = ({ amount, sentAt, outcome, at, failures, refunded }: PaymentReport): Reported => ({
  ...{ amount, outcome, at, failures },
  ...(sentAt !== undefined && { sentAt }),
  ...(refunded !== undefined && { refunded }),
});
