// The queue webhooks are sent from, never inside an API call: in order within an agreement, agreements side by side.
import type { Clock } from '../time/clock.js';
import { newDelivery, recordAttempt, spoil } from './delivery.js';
import type { PublishedEvent } from './webhook.schema.js';
import type { Faults } from '../faults/faults.js';
import { createHeldBack, type HeldBack } from './held-back.js';
import { createLanes } from './lanes.js';
import type { Ledger } from '../ledger.js';
import { ON_WEBHOOK } from '../faults/fault.schema.js';
import type { Delivery } from './webhook.schema.js';
import type { OpenCalls } from '../http/open-calls.js';
import type { Scheduler } from '../time/scheduler.js';
import { sendWebhook } from './send-webhook.js';
import type { Settings } from '../settings.js';
import type { Store } from '../store.js';

const SENT_AT_ONCE = 16;

export interface WebhookQueue {
  enqueue(event: PublishedEvent, payload: string): void;
  /** A delivery's time has come: its delay is over, or it is to be tried again. */
  due(deliveryId: string): void;
  /** Sends all that a delay or a reordering holds back, and waits until the queue is empty. */
  flush(): Promise<void>;
  idle(): Promise<void>;
  /** Takes up what a saved store still had to send. */
  resume(): void;
  stop(): Promise<void>;
}

interface Surroundings {
  store: Store;
  clock: Clock;
  settings: Settings;
  ledger: Ledger;
  faults: Faults;
  scheduler: Scheduler;
  openCalls: OpenCalls;
}

export function createWebhookQueue(surroundings: Surroundings): WebhookQueue {
  const { store, openCalls } = surroundings;
  const sender = createSender(surroundings);
  const lanes = createLanes(SENT_AT_ONCE);
  const heldBack = createHeldBack(store);

  function line(delivery: Delivery): void {
    heldBack.delete(delivery);
    delivery.state = 'queued';
    delivery.held_by = null;
    const answered = openCalls.answered();
    lanes.run(delivery.lane, async () => {
      await answered;
      await sender.send(delivery);
    });
    // Lined up behind what overtakes it, so it is sent right after that.
    heldBack.waitingFor(delivery.lane).forEach(line);
  }
  return {
    enqueue(event, payload) {
      const delivery = admit(surroundings, heldBack, event, payload);
      if (delivery.state === 'queued') line(delivery);
    },
    due(deliveryId) {
      const delivery = store.deliveries.get(deliveryId);
      if (delivery?.state === 'held' || delivery?.state === 'retrying') line(delivery);
    },
    flush() {
      // One may have taken another along by the time its own turn comes.
      for (const delivery of heldBack.all()) if (delivery.state === 'held') line(delivery);
      return lanes.idle();
    },
    idle: () => lanes.idle(),
    resume() {
      [...store.deliveries.values()].filter(({ state }) => state === 'queued').forEach(line);
    },
    stop() {
      sender.stop();
      return lanes.idle();
    },
  };
}

/** Takes the event in, and decides at once whether a fault loses, holds or repeats it. */
function admit(
  surroundings: Surroundings,
  heldBack: HeldBack,
  event: PublishedEvent,
  payload: string,
): Delivery {
  const { store, clock, faults } = surroundings;
  const delivery = newDelivery(event, payload, clock.iso());
  store.deliveries.set(delivery.id, delivery);
  // One that already waits to be overtaken is overtaken by this one: it must not be held as well.
  const isOvertaking = heldBack.waitingFor(event.lane).length > 0;
  const actions = ON_WEBHOOK.filter((action) => action !== 'reorder' || !isOvertaking);
  const fault = faults.take('webhook', [event.resource_uid, event.lane], actions);
  if (fault !== undefined) spoil(surroundings, delivery, fault);
  if (delivery.state === 'held') heldBack.add(delivery);
  return delivery;
}

function createSender(surroundings: Surroundings): { send(delivery: Delivery): Promise<void>; stop(): void } {
  const { store, clock, settings } = surroundings;
  const stopping = new AbortController();
  // Neither what a reset has forgotten nor what a shutdown has cut short counts as attempted.
  const isWanted = (delivery: Delivery): boolean =>
    !stopping.signal.aborted && store.deliveries.get(delivery.id) === delivery;

  async function attempt(delivery: Delivery): Promise<void> {
    delivery.first_attempt_at ??= clock.now();
    const status = await sendWebhook(
      {
        url: settings.webhookUrl,
        secret: settings.webhookSecret,
        requestId: delivery.request_id,
        payload: delivery.payload,
      },
      stopping.signal,
    );
    if (isWanted(delivery)) recordAttempt(surroundings, delivery, status);
  }
  return {
    async send(delivery) {
      // A retry sets `copies` anew, but for later: this round is what was asked for when it began.
      for (let left = delivery.copies; left > 0 && isWanted(delivery); left -= 1) await attempt(delivery);
    },
    stop() {
      stopping.abort();
    },
  };
}
