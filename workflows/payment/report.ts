// What a payment reports to its agreement: what became of it, each time that this changes. Plain JSON and pure.
import { attemptsOf, failuresIn, graceFailuresIn } from '../../domain/payment/attempts.js';
import { outcomeOf } from '../../domain/payment/outcome.js';
import { PAYMENT_LIFECYCLE } from '../../domain/payment/lifecycle.js';
import { refundedIn } from '../../domain/refund/lifecycle.js';
import { foldedOf } from '../entity/resource/state.js';
import type { PaymentReport, Reported } from '../../domain/payment/outcome.js';
import type { PaymentState } from './state.js';

/** What an agreement takes a payment for that has reported nothing. */
const AT_FIRST: Reported = { outcome: 'in_flight', failures: 0 };

/** A report, and the agreement that it is for. */
export interface DueReport {
  agreementUid: string;
  report: PaymentReport;
}

/** Nothing where its agreement knows, and while it is not known whose payment it is. */
export function reportDue(state: PaymentState): DueReport | undefined {
  const { uid, order, requestedAt, reported = AT_FIRST, submission, leftAgreement } = state;
  if (order === undefined || submission.stage === 'adopting' || submission.stage === 'unknown')
    return undefined;
  if (leftAgreement !== undefined)
    return {
      agreementUid: leftAgreement,
      report: { uid, outcome: 'not_sent', at: requestedAt, failures: 0 },
    };
  const { state: lifecycleState, since = requestedAt } = foldedOf(PAYMENT_LIFECYCLE, state);
  const attempts = attemptsOf(state);
  const failures = failuresIn(attempts);
  const graceFailures = graceFailuresIn(attempts);
  const outcome = outcomeOf(lifecycleState, failures);
  const refunded = refundedIn(state.refunds ?? []);
  const isReported = outcome === reported.outcome && failures === reported.failures;
  if (isReported && refunded === (reported.refunded ?? 0)) return undefined;
  const report = {
    ...{ uid, outcome, at: since, failures },
    ...(graceFailures > 0 && { graceFailures }),
    ...(refunded > 0 && { refunded }),
  };
  return { agreementUid: order.agreement_uid, report };
}

/** Its agreement has the report. */
export const markReported = (state: PaymentState, { agreementUid, report }: DueReport): PaymentState =>
  agreementUid === state.leftAgreement
    ? { ...state, leftAgreement: undefined }
    : { ...state, reported: reportedOf(report) };

const reportedOf = ({ outcome, failures, refunded }: PaymentReport): Reported => ({
  outcome,
  failures,
  ...(refunded !== undefined && { refunded }),
});
