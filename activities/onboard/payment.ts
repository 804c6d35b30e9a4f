// Requests the first payment of an onboarding from its agreement, which judges it by the terms and recognises a repeated request.
import { ApplicationFailure, WorkflowNotFoundError } from '@temporalio/common';
import { RECORDS_NEEDED } from '../../domain/commands/records-needed.js';
import { isUnanswered, withMinute } from '../../delivery/unanswered.js';
import { differences, firstDifference } from '../../domain/commands/differences.js';
import { agreementWorkflowId, requestPayment } from '../../workflows/agreement/contract.js';
import { getPayment } from '../../workflows/payment/contract.js';
import { recordedIn } from '../payment/recorded.js';
import { before, viewOf } from '../temporal/ask.js';
import * as readings from '../../domain/onboarding/reading.js';
import { nothingYet } from '../failure.js';
import type { Dependencies } from '../dependencies.js';
import type { PaymentOrder } from '../../domain/agreement/mandate.js';
import type { Reading } from '../../domain/onboarding/reading.js';
import type { PartOutcome, PartRequest } from './request.js';

type Payment = Extract<PartRequest, { part: 'payment' }>;

export async function readPayment(
  deps: Pick<Dependencies, 'temporal' | 'records'>,
  { uid, request }: Payment,
): Promise<Reading | undefined> {
  const view = await viewOf(deps, 'payment', uid, getPayment);
  // If only events have named it, the agreement claims it.
  if (view?.order === undefined) return undefined;
  const { order } = view;
  const difference = differenceIn(request.order, order);
  if (difference === undefined) return readings.readPayment(view);
  // A different payment under the same agreement may be the same intent, requested in another way.
  const isOfAgreement = order.agreement_uid === request.order.agreement_uid;
  return { ...readings.anotherResource(difference), isSent: isOfAgreement && view.submissions > 0 };
}

/** A retry may have changed the creditor, so it is not compared. An adopted payment is compared only in fields that the provider returns. */
function differenceIn(
  { creditor: _, ...wanted }: Payment['request']['order'],
  { creditor: __, ...found }: Partial<PaymentOrder>,
): string | undefined {
  return firstDifference(wanted, found) === undefined ? undefined : differences(wanted, found)[0];
}

/** Checked by name, because activities do not import Temporal's client. */
const isRefusal = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'WorkflowUpdateFailedError';

/** Refusals that may be temporary: the payment is requested again. */
const PASSING: ReadonlySet<string> = new Set(['agreement_held', RECORDS_NEEDED.code]);

/** Requests the payment under a fixed update id, so it is admitted once. @returns the refusal, if any. */
export async function admitPayment(
  { temporal, records }: Pick<Dependencies, 'temporal' | 'records'>,
  { uid, request }: Payment,
): Promise<PartOutcome> {
  const recorded = recordedIn(await before({ records }, 'payment', uid));
  const agreement = temporal.workflow.getHandle(agreementWorkflowId(request.order.agreement_uid));
  try {
    const { repeatOf } = await agreement.executeUpdate(requestPayment, {
      args: [{ ...request, recorded }],
      updateId: withMinute(`onboarding/${uid}`),
    });
    if (repeatOf === undefined) return {};
  } catch (error) {
    const isOver = error instanceof WorkflowNotFoundError;
    if (isOver && recorded === undefined)
      throw nothingYet('onboarding', 'the records do not tell whether it was requested before');
    if (isOver) return refused('agreement_not_active', 'The agreement has ended.');
    const cause = isRefusal(error) ? error.cause : undefined;
    if (!(cause instanceof ApplicationFailure) || isUnanswered(cause)) throw error;
    const { type, message } = cause;
    if (type === 'payment_uid_conflict') return { reading: readings.anotherResource('/uid') };
    if (!PASSING.has(type ?? '')) return refused(type ?? 'refused', message);
  }
  throw nothingYet('onboarding', 'the payment has not started yet');
}

const refused = (code: string, title: string): PartOutcome => ({
  reading: { state: 'refused', failure: { code, title } },
});
