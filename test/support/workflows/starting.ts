import { ServiceError, isGrpcDeadlineError, type WorkflowHandle } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import {
  AGREEMENT_WORKFLOW,
  agreementWorkflowId,
  getAgreement,
  type AgreementInput,
  type AgreementView,
} from '../../../workflows/agreement/contract.js';
import {
  PAYMENT_WORKFLOW,
  getPayment,
  paymentWorkflowId,
  type PaymentInput,
  type PaymentView,
} from '../../../workflows/payment/contract.js';
import { eventually, type Temporal } from '../temporal.js';
import { A_MANDATE, anOrder } from './provider.js';
import type { agreement, payment } from '../../../workflows/index.js';

export type Started<T> = T & { uid: string };

export async function startAgreement(
  { client, taskQueue }: Temporal,
  input: Partial<AgreementInput> = {},
): Promise<Started<WorkflowHandle<typeof agreement>>> {
  const uid = input.uid ?? `agr-${randomUUID()}`;
  const handle = await client.workflow.start<typeof agreement>(AGREEMENT_WORKFLOW, {
    taskQueue,
    workflowId: agreementWorkflowId(uid),
    args: [{ uid, connectionId: 'acme', mandate: A_MANDATE, ...input }],
  });
  return Object.assign(handle, { uid });
}

export async function startPaymentUnderAgreement(
  temporal: Temporal,
  input: Partial<PaymentInput> = {},
): Promise<Started<WorkflowHandle<typeof payment>>> {
  const agreement = await startAgreement(temporal);
  await untilAgreement(agreement, ({ state }) => state === 'active');
  return startPayment(temporal, { order: anOrder(agreement.uid), ...input });
}

export async function startPayment(
  { client, taskQueue }: Temporal,
  input: Partial<PaymentInput> = {},
): Promise<Started<WorkflowHandle<typeof payment>>> {
  const uid = input.uid ?? `pay-${randomUUID()}`;
  const handle = await client.workflow.start<typeof payment>(PAYMENT_WORKFLOW, {
    taskQueue,
    workflowId: paymentWorkflowId(uid),
    args: [{ uid, connectionId: 'acme', order: anOrder('agr-1'), ...input }],
  });
  return Object.assign(handle, { uid });
}

export async function untilAgreement(
  handle: Pick<WorkflowHandle, 'query'>,
  isIt: (view: AgreementView) => boolean,
): Promise<AgreementView> {
  const view = await eventually(
    () => handle.query(getAgreement).catch(noneIfLate),
    (seen) => seen !== undefined && isIt(seen),
  );
  if (view === undefined) throw new Error('expected an agreement');
  return view;
}

function noneIfLate(error: unknown): undefined {
  const isLate = error instanceof ServiceError && isGrpcDeadlineError(error.cause);
  if (!isLate) throw error;
}

export const untilPayment = (
  handle: Pick<WorkflowHandle, 'query'>,
  isIt: (view: PaymentView) => boolean,
): Promise<PaymentView> => eventually(() => handle.query(getPayment), isIt);
