// Starts the workflow of a payment that the agreement has admitted, or finds out what already has its uid.
import { noneIfFailed, type Child, type Scope } from '../engine/runtime.js';
import {
  AGREEMENT_UID,
  AWAITING,
  AWAITING_SINCE,
  CONNECTION_ID,
  PAYMENT_STATE,
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
  if (await startChild(childOf(input))) return { outcome: 'started' };
  const found = await wait(call.claimPayment(input)).catch(noneIfFailed);
  if (found === undefined) return { outcome: 'unclear' };
  if (found?.of !== order.agreement_uid) return { outcome: 'taken' };
  // The run has just been claimed, also if an earlier attempt of the call did it.
  if (found.requestedAt === requestedAt) return { outcome: 'started' };
  return { outcome: 'ours', amount: found.amount, requestedAt: found.requestedAt };
}

const childOf = ({ order, requestedAt, judged, ...rest }: AdmittedPayment): Child => ({
  workflow: PAYMENT_WORKFLOW,
  workflowId: paymentWorkflowId(rest.uid),
  input: { ...rest, order, judged, ...(judged?.at !== requestedAt && { requestedAt }) },
  summary: `Payment under agreement ${order.agreement_uid}`,
  attributes: [
    { key: PAYMENT_STATE, value: 'requested' },
    { key: AGREEMENT_UID, value: order.agreement_uid },
    { key: AWAITING, value: 'provider-acceptance' },
    { key: AWAITING_SINCE, value: new Date(requestedAt) },
    ...(rest.connectionId === undefined ? [] : [{ key: CONNECTION_ID, value: rest.connectionId }]),
  ],
});
