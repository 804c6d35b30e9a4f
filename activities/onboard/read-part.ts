// Compares a part of an onboarding that exists already with what was requested, and asks it for reports. Starts it where it is missing.
import { WorkflowNotFoundError } from '@temporalio/common';
import { claimBusiness } from '../../delivery/claim-business.js';
import { begin } from '../../delivery/starts.js';
import { differences, firstDifference } from '../../domain/commands/differences.js';
import { clientDifferences, lineageOf, refusalToInitiate } from '../../domain/client/lifecycle.js';
import * as readings from '../../domain/onboarding/reading.js';
import { agreementWorkflowId, getAgreement } from '../../workflows/agreement/contract.js';
import { clientWorkflowId, getClient } from '../../workflows/client/contract.js';
import { counterpartyWorkflowId, getCounterparty } from '../../workflows/counterparty/contract.js';
import { reportTo } from '../../workflows/entity/contract.js';
import { paymentWorkflowId } from '../../workflows/payment/contract.js';
import { nothingYet } from '../failure.js';
import { createClientReader } from '../batch/runs.js';
import { ask } from '../temporal/ask.js';
import { admitPayment, readPayment } from './payment.js';
import { isStarted, startOf } from './start-part.js';
import type { Client } from '@temporalio/client';
import type { PartName } from '../../domain/onboarding/steps.js';
import type { Reading } from '../../domain/onboarding/reading.js';
import type { AgreementView } from '../../workflows/agreement/contract.js';
import type { ClientOrder } from '../../domain/client/request.schema.js';
import type { ClientView } from '../../workflows/client/contract.js';
import type { Visibility } from '../temporal/visibility.js';
import type { Dependencies } from '../dependencies.js';
import type { PartOutcome, PartRequest } from './request.js';

type Of<Name extends PartRequest['part']> = Extract<PartRequest, { part: Name }>;

const CALL_MS = 10_000;

export function readPartActivity(
  deps: Pick<Dependencies, 'temporal' | 'taskQueue' | 'now'>,
  visibility: Visibility,
) {
  const { temporal, taskQueue, now } = deps;
  /** Clients above the initiator may have been suspended since the request was accepted. */
  const refusalOf = async (requested: PartRequest): Promise<Reading | undefined> => {
    if (requested.part !== 'agreement' || !requested.checksInitiator) return undefined;
    const { client_id: clientId } = requested.input.mandate?.initiator ?? {};
    if (clientId == null) return undefined;
    const title = refusalToInitiate(await lineageOf(clientId, createClientReader(temporal, visibility)));
    return title === undefined
      ? undefined
      : { state: 'not_allowed', failure: { code: 'client_not_active', title } };
  };
  const readOrStart = async (requested: PartRequest): Promise<PartOutcome> => {
    if (requested.part === 'client' && requested.input !== undefined) {
      const owner = await claimBusiness({ client: temporal, taskQueue }, requested.input);
      if (owner !== requested.uid) return { uid: owner };
    }
    const reading = await read(temporal, requested);
    if (reading !== undefined) {
      const isOther = reading.state === 'other';
      return !isOther && (await asksForReports(temporal, requested)) ? {} : { reading };
    }
    if (requested.part === 'payment') return admitPayment(temporal, requested);
    const notAllowed = await refusalOf(requested);
    if (notAllowed !== undefined) return { reading: notAllowed };
    const start = startOf(requested, new Date(now()));
    if (start === undefined) return { reading: { state: 'missing' } };
    if (await isStarted(begin({ client: temporal, taskQueue }, start))) return {};
    throw nothingYet('onboarding', `the ${requested.part} was started meanwhile`);
  };
  return (requested: PartRequest): Promise<PartOutcome> =>
    temporal.withDeadline(Date.now() + CALL_MS, () => readOrStart(requested));
}

function read(temporal: Client, requested: PartRequest): Promise<Reading | undefined> {
  switch (requested.part) {
    case 'client':
      return readClient(temporal, requested);
    case 'counterparty':
      return readCounterparty(temporal, requested);
    case 'agreement':
      return readAgreement(temporal, requested);
    case 'payment':
      return readPayment(temporal, requested);
  }
}

const WORKFLOW_ID: Readonly<Record<PartName, (uid: string) => string>> = {
  client: clientWorkflowId,
  counterparty: counterpartyWorkflowId,
  agreement: agreementWorkflowId,
  payment: paymentWorkflowId,
};

/**
 * The part then reports how it stands, now and at each change: what it reports is newer than what was read here.
 * @returns false where its workflow is over.
 */
const asksForReports = (
  { workflow }: Client,
  { part, uid, reportTo: workflowId }: PartRequest,
): Promise<boolean> =>
  workflow
    .getHandle(WORKFLOW_ID[part](uid))
    .signal(reportTo, { workflowId, wordRead: '' })
    .then(
      () => true,
      (error: unknown) => {
        if (error instanceof WorkflowNotFoundError) return false;
        throw error;
      },
    );

async function readClient(
  temporal: Client,
  { uid, input, isShared }: Of<'client'>,
): Promise<Reading | undefined> {
  const view = await ask(temporal, clientWorkflowId(uid), getClient);
  if (view === undefined) return undefined;
  const difference =
    input &&
    (isShared === true ? sharedDifference(input.order, view) : firstDifference(input.order, view.order));
  if (difference !== undefined) return readings.anotherResource(difference);
  if (input !== undefined && view.connectionId !== input.connectionId)
    return readings.anotherResource('/connection');
  return readings.readClient(view);
}

/** One business is one client, whatever else each request says of it; who it is, and where it stands, has to be the same. */
const sharedDifference = (
  order: ClientOrder,
  { particulars, order: registered }: ClientView,
): string | undefined =>
  clientDifferences(order, particulars ?? registered, false).find(
    (path) => path === '/legal_name' || path === '/parent_client_id',
  );

async function readCounterparty(
  temporal: Client,
  { uid, input }: Of<'counterparty'>,
): Promise<Reading | undefined> {
  const view = await ask(temporal, counterpartyWorkflowId(uid), getCounterparty);
  if (view === undefined) return undefined;
  const difference = firstDifference(input.order, view.order);
  if (difference !== undefined) return readings.anotherResource(difference);
  return view.connectionId === input.connectionId
    ? readings.readCounterparty(view)
    : readings.anotherResource('/connection');
}

async function readAgreement(
  temporal: Client,
  { uid, input }: Of<'agreement'>,
): Promise<Reading | undefined> {
  const view = await ask(temporal, agreementWorkflowId(uid), getAgreement);
  if (view === undefined) return undefined;
  const difference = differenceIn(view, input.mandate ?? {});
  if (difference !== undefined) return readings.anotherResource(difference);
  // The connection of one that was found at the provider may be unknown yet.
  return view.connectionId === undefined || view.connectionId === input.connectionId
    ? readings.readAgreement(view)
    : readings.anotherResource('/connection');
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
