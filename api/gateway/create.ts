// The API's only gateway to Temporal. Tests replace it with a fake.
import type { Client } from '@temporalio/client';
import { createAgreementsGateway } from './agreements.js';
import { createApprovalsGateway } from './approvals.js';
import { createBatchesGateway } from './batches.js';
import { createCalls } from './temporal/calls.js';
import { createClientsGateway } from './clients.js';
import { connectionOf } from './connection-of.js';
import { createConnectionChoice } from './connection-choice.js';
import { createConnectionsGateway } from './connections.js';
import { createCounterpartiesGateway } from './counterparties.js';
import { createDeliver, createNotificationsGateway } from './notifications.js';
import { createOnboardingsGateway } from './onboardings.js';
import { createEventsGateway } from './events.js';
import { createFloatAccountsGateway } from './float-accounts.js';
import { createInitiators } from './initiators.js';
import { createJournalGateway } from './journal.js';
import { createPaymentsGateway } from './payments.js';
import { createRefundsGateway } from './refunds.js';
import { createStopGateway } from './stop.js';
import { createWebhookEndpointsGateway } from './webhook-endpoints.js';
import { createWorkersGateway } from './workers.js';
import { createUnmatchedCreditsGateway } from './unmatched-credits.js';
import { createSettlementGateway } from './settlement.js';
import { NO_PROGRESS, type Progress } from '../../records/progress.js';
import { createRecorded } from './records.js';
import type { RecordReader } from '../../records/read.js';
import { timelineOf } from './timeline.js';
import type { UpdateLimiter } from './temporal/update-limiter.js';

const READY_MS = 1000;

/**
 * Each call resolves within 3 s (updates within 10 s, the exchange of a code within 30 s), or rejects with
 * the ApiError `temporal_unavailable`, `workflow_paused` or `worker_unavailable`. No call retries for longer. If many requests update one
 * workflow, an update first waits up to 5 s for a slot, or rejects with `too_many_requests`.
 */
export type Gateway = ReturnType<typeof createGateway>;

/** @param turns limits the concurrent updates of one workflow. */
export function createGateway(
  client: Client,
  taskQueue: string,
  reader: RecordReader,
  { turns, progress = NO_PROGRESS }: { turns?: UpdateLimiter; progress?: Progress } = {},
) {
  const calls = createCalls({ client, taskQueue, recorded: createRecorded(reader, { progress }) }, turns);
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
    journal: createJournalGateway(calls),
    events: createEventsGateway(calls),
    webhookEndpoints: createWebhookEndpointsGateway(calls),
    connections: createConnectionsGateway(calls, choice),
    /** The connection with this id, or the only connection if the id is omitted. */
    connectionFor: choice.choose,
    /** The connection of a resource, by its uid. Undefined if either is unknown. */
    connectionOf: connectionOf(calls),
    approvals: createApprovalsGateway(calls),
    stop: createStopGateway(calls, choice),
    workers: createWorkersGateway(calls),
    deliver: createDeliver(calls, choice),
    /** The rows of a resource by their last change, oldest first. */
    changed: calls.recorded.changed,
    /** Everything recorded about a resource, oldest first. Undefined if it does not exist. */
    timeline: timelineOf(calls),
    /** Rejects unless Temporal answers within a second. */
    ready: () => calls.hasNamespace(READY_MS),
  };
}
