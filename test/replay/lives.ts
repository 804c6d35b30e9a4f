import { ApplicationFailure } from '@temporalio/common';
import {
  agreementFact,
  getAgreement,
  requestAction,
  type AgreementView,
} from '../../workflows/agreement/contract.js';
import { handOver } from '../../workflows/contracts/every-workflow.js';
import { aFact } from '../support/facts.js';
import { eventually, type Temporal } from '../support/temporal.js';
import { fetchedAgreement, nothingNew } from '../support/workflows/provider.js';
import { startAgreement, type Started } from '../support/workflows/runs.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { Activities } from '../../activities/index.js';
import type { ActionCommand } from '../../domain/agreement/action.js';
import type { Fact } from '../../domain/facts/fact.js';
import type { AttentionResolution, Decision } from '../../domain/attention/resolution.js';
import type { Mandate } from '../../domain/agreement/mandate.js';
import type { Script } from './script.js';

export const A_DAY = 86_400;
export const AMEND: ActionCommand = {
  kind: 'amendment',
  body: { changes: { payment_terms: { max_amount: 40_000 } } },
};

export const TAKES_ALL: Pick<Activities, 'createAgreement' | 'sendCommand'> = {
  createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')),
  sendCommand: () => Promise.resolve({ outcome: 'accepted' }),
};

export function onceFailing<Args extends unknown[], T>(
  error: Error,
  work: (...args: Args) => Promise<T>,
): (...args: Args) => Promise<T> {
  let calls = 0;
  return (...args) => {
    calls += 1;
    return calls === 1 ? Promise.reject(error) : work(...args);
  };
}

export const showing =
  (state: string, published: () => Fact[] = () => []) =>
  ({ uid }: { uid: string }) =>
    Promise.resolve(fetchedAgreement(uid, state, published()));

export function happening(): {
  signal: (handle: WorkflowHandle, type: string, over?: Partial<Fact>) => Promise<void>;
  published: () => Fact[];
} {
  const facts: Fact[] = [];
  return {
    published: () => facts.map((fact) => ({ ...fact, source: 'history', authenticated: true })),
    signal: async (handle, type, over = {}) => {
      const fact = aFact(type, over);
      facts.push(fact);
      await handle.signal(agreementFact, fact);
    },
  };
}

export const until = (
  handle: WorkflowHandle,
  isIt: (view: AgreementView) => boolean,
): Promise<AgreementView> => eventually(() => handle.query(getAgreement), isIt);
export const awaits =
  (what: AgreementView['awaiting']['what']) =>
  ({ awaiting }: AgreementView): boolean =>
    awaiting.what === what;
export const atRest = (view: AgreementView): boolean => awaits('nothing')(view) && view.state === 'active';

export async function requested(
  handle: WorkflowHandle,
  ask: ActionCommand,
  ...answers: string[]
): Promise<void> {
  await requestedWith(handle, `key-${ask.kind}`, ask, ...answers);
}

export async function requestedWith(
  handle: WorkflowHandle,
  key: string,
  command: ActionCommand,
  ...answers: string[]
): Promise<void> {
  await handle.executeUpdate(requestAction, { args: [{ key, command }] });
  await until(handle, ({ pending }) => pending.every(({ isAccepted }) => isAccepted));
  for (const type of answers) await handle.signal(agreementFact, aFact(type, { causedBy: 'initiator' }));
  if (answers.length > 0) await until(handle, ({ actions }) => actions.at(-1)?.endedAt !== undefined);
}

export async function handedOver(
  { client }: Pick<Temporal, 'client'>,
  { workflowId }: WorkflowHandle,
): Promise<[first: WorkflowHandle, newest: WorkflowHandle]> {
  const newest = client.workflow.getHandle(workflowId);
  const { runId } = await newest.describe();
  const isFirst = async (): Promise<boolean> => (await newest.describe()).runId === runId;
  while (await isFirst()) for (let count = 0; count < 20; count += 1) await newest.signal(handOver);
  return [client.workflow.getHandle(workflowId, runId), newest];
}

export async function ended(handle: WorkflowHandle): Promise<void> {
  await handle.signal(agreementFact, aFact('cancelled', { causedBy: 'debtor' }));
  await handle.result();
}

export const living = (
  activities: Partial<Activities>,
  live: (handle: Started<WorkflowHandle>, temporal: Temporal) => Promise<unknown>,
  mandate?: () => Mandate,
): Script => {
  let lookUp = activities.lookUpAgreement ?? showing('active');
  return {
    activities: { ...TAKES_ALL, ...activities, lookUpAgreement: (of) => lookUp(of) },
    live: async (temporal) => {
      const handle = await startAgreement(temporal, mandate === undefined ? {} : { mandate: mandate() });
      await handle.signal(agreementFact, aFact('activated'));
      await until(handle, atRest);
      await live(handle, temporal);
      lookUp = showing('cancelled');
      await ended(handle);
      return [handle];
    },
  };
};

export const decide = (decision: Decision): AttentionResolution => ({
  ...{ key: `key-${decision}`, code: 'parked', reason: 'asked the provider', by: 'ops' },
  decision,
});

export function onceStopped(
  sending: (
    onceResumed: <Of, T>(work: (of: Of) => Promise<T>) => (of: Of) => Promise<T>,
  ) => Partial<Activities>,
): Partial<Activities> {
  let readings = 0;
  const stopped = ApplicationFailure.create({ type: 'stopped', nonRetryable: true });
  return {
    ...sending((work) => (of) => (readings < 2 ? Promise.reject(stopped) : work(of))),
    awaitResumption: () => {
      readings += 1;
      return readings < 2 ? Promise.reject(nothingNew(1)) : Promise.resolve();
    },
  };
}

export const later = (type: string): Fact =>
  aFact(type, { publishedAt: new Date(Date.now() + AN_HOUR_MS).toISOString() });
const AN_HOUR_MS = 3_600_000;

export const runOf = async (
  { client }: Pick<Temporal, 'client'>,
  handle: WorkflowHandle,
): Promise<WorkflowHandle> => client.workflow.getHandle(handle.workflowId, (await handle.describe()).runId);
