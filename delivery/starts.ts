// How the API and the workers start the first run of each workflow: id, input, and search attributes until the run sets its own.
import { workflowIdOf, type ResourceName } from '../domain/resources.js';
import { fairnessOf } from '../workflows/contracts/every-workflow.js';
import {
  AGREEMENT_STATE,
  AGREEMENT_UID,
  CLIENTS_ABOVE,
  CLIENT_ID,
  CLIENT_STATE,
  CONNECTION_ID,
  ONBOARDING_STEP,
  PAYMENT_ACCOUNT_UIDS,
} from '../workflows/contracts/search-attributes.js';
import { awaits } from './open.js';
import type { WorkflowStartOptions } from '@temporalio/client';
import type { SearchAttributePair } from '@temporalio/common';
import type { AwaitingWhat } from '../domain/attention/awaiting.js';
import type { AgreementInput } from '../workflows/agreement/contract.js';
import type { ClientInput } from '../workflows/client/contract.js';
import type { CounterpartyInput } from '../workflows/counterparty/contract.js';
import type { OnboardingInput } from '../workflows/onboarding/contract.js';
import type { Destination } from './reopen.js';

/** The arguments for Temporal's client, without the task queue. */
export interface Start {
  workflow: string;
  options: Omit<WorkflowStartOptions, 'taskQueue'>;
}

interface Started {
  input: { connectionId: string };
  awaiting: AwaitingWhat;
  own: SearchAttributePair[];
  now: Date;
}

const startOf = (resource: ResourceName, uid: string, { input, awaiting, own, now }: Started): Start => ({
  workflow: resource,
  options: {
    workflowId: workflowIdOf(resource, uid),
    args: [input],
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    workflowIdConflictPolicy: 'FAIL',
    staticSummary: `${resource} on connection ${input.connectionId}`,
    priority: fairnessOf(input),
    typedSearchAttributes: [
      ...own,
      ...awaits(awaiting, now),
      { key: CONNECTION_ID, value: input.connectionId },
    ],
  },
});

/** @throws WorkflowExecutionAlreadyStartedError if the id is in use, or was used before. */
export async function begin({ client, taskQueue }: Destination, { workflow, options }: Start): Promise<void> {
  await client.workflow.start(workflow, { ...options, taskQueue });
}

/** An input with a known connection. Without one, use delivery/recipients.ts. */
type On<Input> = Input & { connectionId: string };

/** Without a `mandate`, the workflow adopts the provider's agreement with this uid. */
export const agreementStart = (input: On<AgreementInput>, now: Date): Start =>
  startOf('agreement', input.uid, {
    input,
    awaiting: 'provider-acceptance',
    own: [
      { key: AGREEMENT_STATE, value: 'pending' },
      { key: AGREEMENT_UID, value: input.uid },
      ...clientIdIn(input),
    ],
    now,
  });

const clientIdIn = ({ mandate }: AgreementInput): SearchAttributePair[] => {
  const { client_id: clientId } = mandate?.initiator ?? {};
  return clientId == null ? [] : [{ key: CLIENT_ID, value: clientId }];
};

export const clientStart = (input: ClientInput, now: Date): Start =>
  startOf('client', input.uid, {
    input,
    awaiting: 'look-up',
    own: [
      { key: CLIENT_STATE, value: 'requested' },
      ...(input.above === undefined || input.above.length === 0
        ? []
        : [{ key: CLIENTS_ABOVE, value: input.above }]),
    ],
    now,
  });

export const counterpartyStart = (input: CounterpartyInput, now: Date): Start =>
  startOf('counterparty', input.uid, {
    input,
    awaiting: 'verification',
    own: [{ key: PAYMENT_ACCOUNT_UIDS, value: input.order.payment_accounts.map(({ uid }) => uid) }],
    now,
  });

/** @param step the first step of the onboarding, for lists. */
export const onboardingStart = (input: OnboardingInput, step: string, now: Date): Start =>
  startOf('onboarding', input.id, {
    input,
    awaiting: 'provider-acceptance',
    own: [{ key: ONBOARDING_STEP, value: step }],
    now,
  });
