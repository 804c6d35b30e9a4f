// Compares an existing part of an onboarding with the request and subscribes to its reports. If the part does not exist, starts it.
import { claimAgreementUid } from '../../delivery/claim.js';
import { claimBusiness } from '../../delivery/claim-business.js';
import { deliver, messageOf } from '../../delivery/deliver.js';
import { isFound, isStarted } from '../../delivery/open.js';
import { recipientOf } from '../../delivery/recipients.js';
import { begin } from '../../delivery/starts.js';
import { workflowIdOf } from '../../domain/resources.js';
import { isVacant } from '../../domain/agreement/repeat.js';
import { differences, firstDifference } from '../../domain/commands/differences.js';
import { clientDifferences, lineageOf, refusalToInitiate } from '../../domain/client/lifecycle.js';
import { hasOutcome } from '../../domain/onboarding/steps.js';
import * as readings from '../../domain/onboarding/reading.js';
import { getAgreement, type RecordedAgreementView } from '../../workflows/agreement/contract.js';
import { getClient, type ClientView } from '../../workflows/client/contract.js';
import { getCounterparty } from '../../workflows/counterparty/contract.js';
import { reportTo } from '../../workflows/contracts/every-workflow.js';
import { nothingYet } from '../failure.js';
import { createClientReader } from '../batch/runs.js';
import { before, viewOf } from '../temporal/ask.js';
import { admitPayment, readPayment } from './payment.js';
import { startOf } from './start-part.js';
import type { Destination } from '../../delivery/reopen.js';
import type { Reading } from '../../domain/onboarding/reading.js';
import type { ClientOrder } from '../../domain/client/request.schema.js';
import type { Visibility } from '../temporal/visibility.js';
import type { Dependencies } from '../dependencies.js';
import type { PartOutcome, PartRequest } from './request.js';

type Of<Name extends PartRequest['part']> = Extract<PartRequest, { part: Name }>;

const CALL_MS = 10_000;

type Deps = Pick<Dependencies, 'temporal' | 'records'>;

export function readPartActivity(
  deps: Deps & Pick<Dependencies, 'taskQueue' | 'now'>,
  visibility: Visibility,
) {
  const { temporal, taskQueue, now } = deps;
  /** A client above the initiator may have been suspended since the request was accepted. */
  const refusalOf = async (requested: PartRequest): Promise<Reading | undefined> => {
    if (requested.part !== 'agreement' || !requested.checksInitiator) return undefined;
    const { client_id: clientId } = requested.input.mandate?.initiator ?? {};
    if (clientId == null) return undefined;
    const title = refusalToInitiate(await lineageOf(clientId, createClientReader(deps, visibility)));
    return title === undefined
      ? undefined
      : { state: 'not_allowed', failure: { code: 'client_not_active', title } };
  };
  const to = { client: temporal, taskQueue };
  const readOrStart = async (requested: PartRequest): Promise<PartOutcome> => {
    const { found, isUnchecked } = await before(deps, requested.part, requested.uid);
    if (found?.is === 'gone') return { reading: readings.anotherResource('/uid') };
    if (requested.part === 'client' && requested.input !== undefined) {
      const owner = await claimBusiness(to, requested.input, deps.records);
      if (owner !== requested.uid) return { uid: owner };
    }
    const reading = await read(deps, requested);
    if (reading !== undefined)
      return reading.state !== 'other' && (await sendsReports(to, requested, reading)) ? {} : { reading };
    if (requested.part === 'payment') return admitPayment(deps, requested);
    const notAllowed = await refusalOf(requested);
    if (notAllowed !== undefined) return { reading: notAllowed };
    const start = startOf(requested, new Date(now()), isUnchecked);
    if (start === undefined && isUnchecked === true)
      throw nothingYet('onboarding', `the records do not tell whether the ${requested.part} exists`);
    if (start === undefined) return { reading: { state: 'missing' } };
    if (found === undefined && (await isStarted(begin(to, start)))) return {};
    if (requested.part === 'agreement') await claimAgreementUid(to, requested.input);
    throw nothingYet('onboarding', `another request has just started the ${requested.part}`);
  };
  return (requested: PartRequest): Promise<PartOutcome> =>
    temporal.withDeadline(Date.now() + CALL_MS, () => readOrStart(requested));
}

function read(deps: Deps, requested: PartRequest): Promise<Reading | undefined> {
  switch (requested.part) {
    case 'client':
      return readClient(deps, requested);
    case 'counterparty':
      return readCounterparty(deps, requested);
    case 'agreement':
      return readAgreement(deps, requested);
    case 'payment':
      return readPayment(deps, requested);
  }
}

/**
 * Subscribes to the part's reports: one now and one for each change. They are newer than the view that we have read. A part that was terminated
 * before it had an outcome gets a new run, which continues from its record.
 * @returns false if the part has ended with this reading.
 */
async function sendsReports(
  to: Destination,
  { part, uid, reportTo: workflowId }: PartRequest,
  reading: Reading,
): Promise<boolean> {
  const subscription = { workflowId, wordRead: '' };
  const run = to.client.workflow.getHandle(workflowIdOf(part, uid));
  if (await isFound(run.signal(reportTo, subscription))) return true;
  if (hasOutcome(part, reading)) return false;
  const message = messageOf('an onboarding', reportTo, subscription);
  if (await deliver(to, recipientOf(part, uid, undefined), message)) return true;
  throw nothingYet('onboarding', `the ${part} has not accepted the subscription yet`);
}

async function readClient(deps: Deps, { uid, input, isShared }: Of<'client'>): Promise<Reading | undefined> {
  const view = await viewOf(deps, 'client', uid, getClient);
  if (view === undefined) return undefined;
  const difference =
    input &&
    (isShared === true ? sharedDifference(input.order, view) : firstDifference(input.order, view.order));
  if (difference !== undefined) return readings.anotherResource(difference);
  if (input !== undefined && view.connectionId !== input.connectionId)
    return readings.anotherResource('/connection');
  return readings.readClient(view);
}

/** One business is one client. Requests may differ in its details, but not in its legal name or its parent. */
const sharedDifference = (
  order: ClientOrder,
  { particulars, order: registered }: ClientView,
): string | undefined =>
  clientDifferences(order, particulars ?? registered, false).find(
    (path) => path === '/legal_name' || path === '/parent_client_id',
  );

async function readCounterparty(
  deps: Deps,
  { uid, input }: Of<'counterparty'>,
): Promise<Reading | undefined> {
  const view = await viewOf(deps, 'counterparty', uid, getCounterparty);
  if (view === undefined) return undefined;
  const difference = firstDifference(input.order, view.order);
  if (difference !== undefined) return readings.anotherResource(difference);
  return view.connectionId === input.connectionId
    ? readings.readCounterparty(view)
    : readings.anotherResource('/connection');
}

async function readAgreement(deps: Deps, { uid, input }: Of<'agreement'>): Promise<Reading | undefined> {
  const view = await viewOf<RecordedAgreementView>(deps, 'agreement', uid, getAgreement);
  if (view === undefined || isVacant(view)) return undefined;
  const difference = differenceIn(view, input.mandate ?? {});
  if (difference !== undefined) return readings.anotherResource(difference);
  // The connection of an adopted agreement may still be unknown.
  return view.connectionId === undefined || view.connectionId === input.connectionId
    ? readings.readAgreement(view)
    : readings.anotherResource('/connection');
}

/** An adopted agreement is compared after its first look-up, and only in fields that the provider returns. */
function differenceIn(
  { requestedMandate, mandate, adopted }: RecordedAgreementView,
  wanted: object,
): string | undefined {
  const original = requestedMandate ?? mandate;
  if (original === undefined) return undefined;
  return adopted ? differences(wanted, original)[0] : firstDifference(wanted, original);
}
