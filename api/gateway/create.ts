// The API's only gateway to Temporal. Tests replace it with a fake.
import type { Client } from '@temporalio/client';
import { createAgreementsGateway } from './agreements.js';
import type { AgreementsGateway } from './agreements.js';
import { createApprovalsGateway } from './approvals.js';
import type { ApprovalsGateway } from './approvals.js';
import { createBatchesGateway } from './batches.js';
import type { BatchesGateway } from './batches.js';
import { createCalls } from './temporal/calls.js';
import { createClientsGateway } from './clients.js';
import type { ClientsGateway } from './clients.js';
import { connectionOf } from './connection-of.js';
import type { BoundResource } from './connection-of.js';
import { createConnectionChoice } from './connection-choice.js';
import { createConnectionsGateway } from './connections.js';
import type { ConnectionsGateway } from './connections.js';
import { createCounterpartiesGateway } from './counterparties.js';
import type { CounterpartiesGateway } from './counterparties.js';
import { createDeliver, createNotificationsGateway } from './notifications.js';
import type { Deliver, NotificationsGateway } from './notifications.js';
import { createOnboardingsGateway } from './onboardings.js';
import type { OnboardingsGateway } from './onboardings.js';
import type { InitiationReader } from '../../domain/client/may-initiate.js';
import { createFloatAccountsGateway } from './float-accounts.js';
import type { FloatAccountsGateway } from './float-accounts.js';
import { createInitiators } from './initiators.js';
import { createPaymentsGateway } from './payments.js';
import type { PaymentsGateway } from './payments.js';
import { createRefundsGateway } from './refunds.js';
import type { RefundsGateway } from './refunds.js';
import { createStopGateway } from './stop.js';
import type { StopGateway } from './stop.js';
import { createUnmatchedCreditsGateway } from './unmatched-credits.js';
import type { UnmatchedCreditsGateway } from './unmatched-credits.js';
import { createSettlementGateway } from './settlement.js';
import type { SettlementGateway } from './settlement.js';
import { createRecorded } from './records.js';
import type { RecordReader } from '../../records/read.js';
import { timelineOf } from './timeline.js';
import type { ReadTimeline } from './timeline.js';
import type { UpdateLimiter } from './temporal/update-limiter.js';

const READY_MS = 1000;

/**
 * Each call resolves within 3 s (updates within 10 s, the exchange of a code within 30 s), or rejects with
 * the ApiError `temporal_unavailable`, `workflow_paused` or `worker_unavailable`. No call retries for longer. If many requests update one
 * workflow, an update first waits up to 5 s for a slot, or rejects with `too_many_requests`.
 */
export interface Gateway {
  agreements: AgreementsGateway;
  payments: PaymentsGateway;
  refunds: RefundsGateway;
  clients: ClientsGateway;
  initiators: InitiationReader;
  onboardings: OnboardingsGateway;
  counterparties: CounterpartiesGateway;
  batches: BatchesGateway;
  floatAccounts: FloatAccountsGateway;
  unmatchedCredits: UnmatchedCreditsGateway;
  notifications: NotificationsGateway;
  settlement: SettlementGateway;
  connections: ConnectionsGateway;
  /** The connection with this id, or the only connection if the id is omitted. */
  connectionFor: (id: string | undefined) => Promise<string>;
  /** The connection of a resource, by its uid. Undefined if either is unknown. */
  connectionOf: (resource: BoundResource, uid: string) => Promise<string | undefined>;
  approvals: ApprovalsGateway;
  stop: StopGateway;
  deliver: Deliver;
  /** Everything recorded about a resource, oldest first. Undefined if it does not exist. */
  timeline: ReadTimeline;
  /** Rejects unless Temporal answers within a second. */
  ready: () => Promise<void>;
}

/** @param turns limits the concurrent updates of one workflow. */
export function createGateway(
  client: Client,
  taskQueue: string,
  reader: RecordReader,
  turns?: UpdateLimiter,
): Gateway {
  const calls = createCalls({ client, taskQueue, recorded: createRecorded(reader) }, turns);
  const choice = createConnectionChoice(calls);
  const clients = createClientsGateway(calls, choice.choose);
  return {
    agreements: createAgreementsGateway(calls, choice.choose),
    payments: createPaymentsGateway(calls),
    refunds: createRefundsGateway(calls),
    clients,
    initiators: createInitiators(calls.recorded, clients),
    onboardings: createOnboardingsGateway(calls),
    counterparties: createCounterpartiesGateway(calls, choice.choose),
    batches: createBatchesGateway(calls, choice.choose),
    floatAccounts: createFloatAccountsGateway(calls),
    unmatchedCredits: createUnmatchedCreditsGateway(calls),
    notifications: createNotificationsGateway(calls),
    settlement: createSettlementGateway(calls),
    connections: createConnectionsGateway(calls, choice),
    connectionFor: choice.choose,
    connectionOf: connectionOf(calls),
    approvals: createApprovalsGateway(calls),
    stop: createStopGateway(calls, choice),
    deliver: createDeliver(calls, choice),
    timeline: timelineOf(calls),
    ready: () => calls.hasNamespace(READY_MS),
  };
}
