// Starts the workflow of a payment that the agreement has admitted, or finds out what already has its uid.
import { noneIfFailed, type Child, type Scope } from '../engine/runtime.js';
import {
  AGREEMENT_UID,
  AWAITING,
  AWAITING_SINCE,
  CONNECTION_ID,
  PAYMENT_STATE,
  REQUESTED_AT,
} from '../contracts/search-attributes.js';
import { PAYMENT_WORKFLOW, paymentWorkflowId } from '../contracts/signals.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { PaymentOrder } from '../../domain/agreement/mandate.js';
import type { PaymentHolder, PaymentInput } from '../payment/contract.js';

/** A payment that an agreement has admitted. */
export type AdmittedPayment = PaymentInput & { order: PaymentOrder; requestedAt: Instant };

/**
 * `ours`: this agreement admitted it before its run was reset. The amount and the time of the existing payment apply.
 * `taken`: the payment does not belong to this agreement. `unclear`: a run has the uid and did not answer within the time limit.
 */
export type Opened =
  | { outcome: 'started' }
  | { outcome: 'taken' }
  | { outcome: 'unclear' }
  | { outcome: 'ours'; amount: number; requestedAt: Instant };

type Wait = (answer: Promise<PaymentHolder | null>) => Promise<PaymentHolder | null | undefined>;

/** @param wait gives up the answer of another run by returning undefined. A handler must, once its run is leaving. */
export async function openPayment(
  { startChild, call }: Pick<Scope, 'startChild' | 'call'>,
  input: AdmittedPayment,
  wait: Wait = (answer) => answer,
): Promise<Opened> {
  const { order, requestedAt } = input;
  if (await startChild(childOf(input, order.agreement_uid, requestedAt))) return { outcome: 'started' };
  const found = await wait(call.claimPayment(input)).catch(noneIfFailed);
  if (found === undefined) return { outcome: 'unclear' };
  if (found?.of !== order.agreement_uid) return { outcome: 'taken' };
  // The run has just been claimed, also if an earlier attempt of the call did it.
  if (found.requestedAt === requestedAt) return { outcome: 'started' };
  return { outcome: 'ours', amount: found.amount, requestedAt: found.requestedAt };
}

const childOf = (input: PaymentInput, agreementUid: string, now: string): Child => ({
  workflow: PAYMENT_WORKFLOW,
  workflowId: paymentWorkflowId(input.uid),
  input: { ...input, requestedAt: now },
  summary: `Payment under agreement ${agreementUid}`,
  attributes: [
    { key: PAYMENT_STATE, value: 'requested' },
    { key: AGREEMENT_UID, value: agreementUid },
    { key: AWAITING, value: 'provider-acceptance' },
    { key: AWAITING_SINCE, value: new Date(now) },
    { key: REQUESTED_AT, value: new Date(now) },
    ...(input.connectionId === undefined ? [] : [{ key: CONNECTION_ID, value: input.connectionId }]),
  ],
});
