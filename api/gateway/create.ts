// The one gateway to Temporal: everything that the API asks of it, and nothing else. Tests put a fake in its place.
import type { Client } from '@temporalio/client';
import { createAgreementsGateway } from './agreements.js';
import type { AgreementsGateway } from './agreements.js';
import { createBatchesGateway } from './batches.js';
import type { BatchesGateway } from './batches.js';
import { createCalls } from './temporal/calls.js';
import { createClientsGateway } from './clients.js';
import type { ClientsGateway } from './clients.js';
import { createConnectionChoice } from './connection-choice.js';
import { createConnectionsGateway } from './connections.js';
import type { ConnectionsGateway } from './connections.js';
import { createCounterpartiesGateway } from './counterparties.js';
import type { CounterpartiesGateway } from './counterparties.js';
import { createDeliver } from './notifications.js';
import type { Deliver } from './notifications.js';
import { createOnboardingsGateway } from './onboardings.js';
import type { OnboardingsGateway } from './onboardings.js';
import type { InitiationReader } from '../../domain/client/may-initiate.js';
import { createInitiators } from './initiators.js';
import { createPaymentsGateway } from './payments.js';
import type { PaymentsGateway } from './payments.js';
import { createRefundsGateway } from './refunds.js';
import type { RefundsGateway } from './refunds.js';
import { createStopGateway } from './stop.js';
import type { StopGateway } from './stop.js';
import type { UpdateLimiter } from './temporal/update-limiter.js';

const READY_MS = 1000;

/**
 * Each call answers within 3 s (updates within 10 s, the exchange of a code within 30 s) or rejects with
 * the ApiError `temporal_unavailable` or `worker_unavailable`. Nothing here retries for longer. Where many ask one workflow for
 * something, an update waits for its turn for 5 s before that, or rejects with `too_many_requests`.
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
  connections: ConnectionsGateway;
  /** The connection that is meant; left out, the only one. */
  connectionFor: (id: string | undefined) => Promise<string>;
  stop: StopGateway;
  deliver: Deliver;
  /** Rejects unless Temporal answers within a second. */
  ready: () => Promise<void>;
}

/** @param turns in which updates of one workflow are sent. */
export function createGateway(client: Client, taskQueue: string, turns?: UpdateLimiter): Gateway {
  const calls = createCalls(client, taskQueue, turns);
  const choice = createConnectionChoice(calls);
  const clients = createClientsGateway(calls, choice.choose);
  const counterparties = createCounterpartiesGateway(calls, choice.choose);
  return {
    agreements: createAgreementsGateway(calls, choice.choose),
    payments: createPaymentsGateway(calls),
    refunds: createRefundsGateway(calls),
    clients,
    initiators: createInitiators(calls, clients, counterparties),
    onboardings: createOnboardingsGateway(calls),
    counterparties,
    batches: createBatchesGateway(calls, choice.choose),
    connections: createConnectionsGateway(calls, choice),
    connectionFor: choice.choose,
    stop: createStopGateway(calls, choice),
    deliver: createDeliver(calls),
    ready: () => calls.probe(READY_MS),
  };
}
