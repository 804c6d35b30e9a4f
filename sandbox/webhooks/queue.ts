// The webhook queue. It sends outside API calls, in order within a lane and in parallel across lanes.
import type { Faults } from '../faults/selection.js';
import type { OpenCalls } from '../http/open-calls.js';
import type { Store } from '../store/document.js';
import type { Delivery } from '../store/webhook.schema.js';
import type { Clock } from '../time/clock.js';
import type { Ledger } from '../time/ledger.js';
import type { Scheduler } from '../time/scheduler.js';
import { admitMessage, createWithheld } from './admission.js';
import type { Message } from './delivery.js';
import { createLanes } from './lanes.js';
import { createSender, type WebhookTarget } from './sender.js';

const SENT_AT_ONCE = 16;

export type WebhookQueue = ReturnType<typeof createWebhookQueue>;

interface Surroundings {
  store: Store;
  clock: Clock;
  settings: WebhookTarget;
  ledger: Ledger;
  faults: Faults;
  scheduler: Scheduler;
  openCalls: OpenCalls;
}

export function createWebhookQueue(surroundings: Surroundings) {
  const { store } = surroundings;
  const { dispatch, sender, lanes, withheld } = createDispatch(surroundings);
  return {
    enqueue(message: Message): void {
      admitMessage(surroundings, withheld, message).forEach(dispatch);
    },
    /** Sends a delivery whose delay has ended or whose retry is due. */
    due(deliveryId: string): void {
      const delivery = store.deliveries.get(deliveryId);
      if (delivery?.state === 'withheld' || delivery?.state === 'retrying') dispatch(delivery);
    },
    /** Restarts a delivery. Does nothing if it is already queued or withheld. */
    redeliver(delivery: Delivery): void {
      if (delivery.state === 'queued' || delivery.state === 'withheld') return;
      Object.assign(delivery, AS_NEW);
      store.touch();
      dispatch(delivery);
    },
    /** Sends all withheld deliveries, and waits until the queue is empty. */
    flush(): Promise<void> {
      // Dispatching one delivery may already have dispatched another.
      for (const delivery of withheld.all()) if (delivery.state === 'withheld') dispatch(delivery);
      return lanes.idle();
    },
    /** Sends again now what got no answer, and waits until the queue is empty. */
    retryNow(): Promise<void> {
      [...store.deliveries.values()].filter(({ state }) => state === 'retrying').forEach(dispatch);
      return lanes.idle();
    },
    idle: () => lanes.idle(),
    /** Sends the queued deliveries of a saved store. */
    resume(): void {
      [...store.deliveries.values()].filter(({ state }) => state === 'queued').forEach(dispatch);
    },
    stop(): Promise<void> {
      sender.stop();
      return lanes.idle();
    },
  };
}

/** Sends each delivery after the earlier ones of its lane, and after the API answers that it must not overtake. */
function createDispatch(surroundings: Surroundings) {
  const { store, openCalls } = surroundings;
  const sender = createSender(surroundings);
  const lanes = createLanes(SENT_AT_ONCE);
  const withheld = createWithheld(store);

  function dispatch(delivery: Delivery): void {
    withheld.delete(delivery);
    delivery.state = 'queued';
    const answered = openCalls.answered();
    lanes.run(delivery.lane, async () => {
      await answered;
      await sender.send(delivery);
    });
    // Queued after the delivery that overtakes it.
    withheld.waitingFor(delivery.lane).forEach(dispatch);
  }
  return { dispatch, sender, lanes, withheld };
}

/** The initial values of a redelivery. Id, request id and payload stay; each attempt has a new signature and time. */
const AS_NEW: Partial<Delivery> = {
  fault: null,
  copies: 1,
  age_seconds: 0,
  response_status_code: null,
  first_attempt_at: null,
};
