// How the client, the counterparty and the agreement of an onboarding are begun, compared with what was asked for, and read.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { agreementStart, begin, clientStart, counterpartyStart } from '../../delivery/starts.js';
import { differences, firstDifference } from '../../domain/commands/differences.js';
import { adviceOn } from '../../domain/provider/reason-codes.js';
import { agreementWorkflowId, getAgreement } from '../../workflows/agreement/contract.js';
import { clientWorkflowId, getClient } from '../../workflows/client/contract.js';
import { counterpartyWorkflowId, getCounterparty } from '../../workflows/counterparty/contract.js';
import type { Client } from '@temporalio/client';
import type { Start } from '../../delivery/starts.js';
import type { Reason } from '../../domain/facts/fact.js';
import type { Reading, StepFailure } from '../../domain/onboarding/steps.js';
import type { AgreementView } from '../../workflows/agreement/contract.js';
import { ask } from '../temporal/ask.js';
import type { Dependencies } from '../dependencies.js';
import type { PartRequest } from './request.js';

type Begins = Pick<Dependencies, 'temporal' | 'taskQueue'>;
type Of<Name extends PartRequest['part']> = Extract<PartRequest, { part: Name }>;

/** One that was begun meanwhile is read by the next attempt. */
async function started({ temporal: client, taskQueue }: Begins, start: Start): Promise<undefined> {
  try {
    await begin({ client, taskQueue }, start);
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

/** Under its uid there is another one. */
export const another = (pointer: string): Reading => ({
  state: 'other',
  failure: { code: 'idempotency_conflict', title: `It differs at ${pointer === '' ? '/uid' : pointer}.` },
});

/** Kept without the details, which may name a person. */
export const failureOf = (reason: Reason | undefined): StepFailure | undefined =>
  reason && { code: reason.code, title: reason.title, next: adviceOn(reason).next };

export async function readClient(
  temporal: Client,
  { uid, input }: Of<'client'>,
): Promise<Reading | undefined> {
  const view = await ask(temporal, clientWorkflowId(uid), getClient);
  if (view === undefined) return undefined;
  const { state, awaiting, failure, clientId, order } = view;
  const difference = input && firstDifference(input.order, order);
  if (difference !== undefined) return another(difference);
  if (input !== undefined && view.connectionId !== input.connectionId) return another('/connection');
  return { state, waits: awaiting.what, failure: failureOf(failure), clientId };
}

/** One that is only named has to be there. */
export const beginClient = async (deps: Begins, { input }: Of<'client'>): Promise<Reading | undefined> =>
  input === undefined ? { state: 'missing' } : started(deps, clientStart(input, new Date()));

export async function readCounterparty(
  temporal: Client,
  { uid, input }: Of<'counterparty'>,
): Promise<Reading | undefined> {
  const view = await ask(temporal, counterpartyWorkflowId(uid), getCounterparty);
  if (view === undefined) return undefined;
  const { state, awaiting, failure, order, connectionId } = view;
  const difference = firstDifference(input.order, order);
  if (difference !== undefined) return another(difference);
  if (connectionId !== input.connectionId) return another('/connection');
  const accounts = view.accounts.map(({ uid: own, account_identifier }) => ({
    uid: own,
    account_identifier,
  }));
  return { state, waits: awaiting.what, failure: failureOf(failure), accounts };
}

export const beginCounterparty = (deps: Begins, { input }: Of<'counterparty'>): Promise<undefined> =>
  started(deps, counterpartyStart(input, new Date()));

export async function readAgreement(
  temporal: Client,
  { uid, input }: Of<'agreement'>,
): Promise<Reading | undefined> {
  const view = await ask(temporal, agreementWorkflowId(uid), getAgreement);
  if (view === undefined) return undefined;
  const difference = differenceIn(view, input.mandate ?? {});
  if (difference !== undefined) return another(difference);
  // Of one that is being found it is not known yet whose it is.
  if (view.connectionId !== undefined && view.connectionId !== input.connectionId)
    return another('/connection');
  const { state, awaiting, stateReason } = view;
  return { state, waits: awaiting.what, failure: failureOf(stateReason) };
}

/** One that was found at the provider is compared as far as the provider answers it, and once it has. */
function differenceIn(
  { requestedMandate, mandate, adopted }: AgreementView,
  wanted: object,
): string | undefined {
  const original = requestedMandate ?? mandate;
  if (original === undefined) return undefined;
  return adopted ? differences(wanted, original)[0] : firstDifference(wanted, original);
}

export const beginAgreement = (deps: Begins, { input }: Of<'agreement'>): Promise<undefined> =>
  started(deps, agreementStart(input, new Date()));
