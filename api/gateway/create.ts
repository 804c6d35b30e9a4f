// The one door to Temporal: everything that the API asks of it, and nothing else. Tests put a fake in its place.
import type { Client } from '@temporalio/client';
import { createAgreementsDoor } from './agreements.js';
import type { AgreementsDoor } from './agreements.js';
import { createBatchesDoor } from './batches.js';
import type { BatchesDoor } from './batches.js';
import { createCalls } from './temporal/calls.js';
import { createClientsDoor } from './clients.js';
import type { ClientsDoor } from './clients.js';
import { createConnectionChoice } from './connection-choice.js';
import { createConnectionsDoor } from './connections.js';
import type { ConnectionsDoor } from './connections.js';
import { createCounterpartiesDoor } from './counterparties.js';
import type { CounterpartiesDoor } from './counterparties.js';
import { createDeliver } from './notifications.js';
import type { Deliver } from './notifications.js';
import { createOnboardingsDoor } from './onboardings.js';
import type { OnboardingsDoor } from './onboardings.js';
import { createPaymentsDoor } from './payments.js';
import type { PaymentsDoor } from './payments.js';
import { createRefundsDoor } from './refunds.js';
import type { RefundsDoor } from './refunds.js';
import { createStopDoor } from './stop.js';
import type { StopDoor } from './stop.js';
import type { Turns } from './temporal/update-limiter.js';

const READY_MS = 1000;

/**
 * Each call answers within 3 s (updates within 10 s, the exchange of a code within 30 s) or rejects with
 * the ApiError `temporal_unavailable` or `worker_unavailable`. Nothing here retries for longer. Where many ask one workflow for
 * something, an update waits for its turn for 5 s before that, or rejects with `too_many_requests`.
 */
export interface Temporal {
  agreements: AgreementsDoor;
  payments: PaymentsDoor;
  refunds: RefundsDoor;
  clients: ClientsDoor;
  onboardings: OnboardingsDoor;
  counterparties: CounterpartiesDoor;
  batches: BatchesDoor;
  connections: ConnectionsDoor;
  /** The connection that is meant; left out, the only one. */
  connectionFor: (id: string | undefined) => Promise<string>;
  stop: StopDoor;
  deliver: Deliver;
  /** Rejects unless Temporal answers within a second. */
  ready: () => Promise<void>;
}

/** @param turns in which updates of one workflow are sent. */
export function createTemporal(client: Client, taskQueue: string, turns?: Turns): Temporal {
  const calls = createCalls(client, taskQueue, turns);
  const choice = createConnectionChoice(calls);
  return {
    agreements: createAgreementsDoor(calls, choice.choose),
    payments: createPaymentsDoor(calls),
    refunds: createRefundsDoor(calls),
    clients: createClientsDoor(calls, choice.choose),
    onboardings: createOnboardingsDoor(calls),
    counterparties: createCounterpartiesDoor(calls, choice.choose),
    batches: createBatchesDoor(calls, choice.choose),
    connections: createConnectionsDoor(calls, choice),
    connectionFor: choice.choose,
    stop: createStopDoor(calls, choice),
    deliver: createDeliver(calls),
    ready: () => calls.probe(READY_MS),
  };
}
