// Accepts a webhook message, and decides whether a fault drops, withholds, repeats, batches or falsifies it.
import { ON_WEBHOOK, type WebhookAction } from '../faults/actions.schema.js';
import type { Fault } from '../faults/rule.schema.js';
import type { Faults } from '../faults/selection.js';
import type { Store } from '../store/document.js';
import type { Delivery } from '../store/webhook.schema.js';
import { newDelivery, type DeliveryOffice, type Message, isUnderWay, KEPT_MS } from './delivery.js';
import { envelopeOf, together } from './envelope.js';
import { besides, spoil } from './spoiling.js';

/**
 * The deliveries that a fault withholds: until a time, until the next event of the same lane overtakes them, or until enough events
 * have joined them.
 */
export function createWithheld(store: Store) {
  const deliveries = new Set([...store.deliveries.values()].filter(({ state }) => state === 'withheld'));
  /** Ignores deliveries that a reset has deleted. */
  const all = (): Delivery[] =>
    [...deliveries].filter((delivery) => store.deliveries.get(delivery.id) === delivery);
  return {
    add: (delivery: Delivery): void => void deliveries.add(delivery),
    delete: (delivery: Delivery): void => void deliveries.delete(delivery),
    /** The deliveries that the next event of the lane will overtake. */
    waitingFor: (lane: string) => all().filter((it) => it.fault === 'reorder' && it.lane === lane),
    /** The delivery that the next event of the lane will join. */
    joinable: (lane: string) => all().find((it) => it.room > 0 && it.lane === lane),
    all,
  };
}
type Withheld = ReturnType<typeof createWithheld>;

interface Entrance extends DeliveryOffice {
  store: Store;
  faults: Faults;
}

/** @returns the deliveries to queue now, in order. */
export function admitMessage(entrance: Entrance, withheld: Withheld, message: Message): Delivery[] {
  const { store, faults, clock } = entrance;
  forgetOld(entrance);
  const joined = join(withheld, message);
  if (joined !== undefined) return joined.room === 0 ? [joined] : [];
  const fault = faults.take('webhook', [message.resource_uid, message.lane], possible(withheld, message));
  const real = newDelivery(message, clock.iso());
  const deliveries = [real, ...falseDeliveries(entrance, message, fault)];
  for (const delivery of deliveries) store.deliveries.set(delivery.id, delivery);
  if (fault !== undefined) spoil(entrance, real, fault);
  if (real.state === 'withheld') withheld.add(real);
  return deliveries.filter(({ state }) => state === 'queued');
}

function falseDeliveries(entrance: Entrance, message: Message, fault: Fault | undefined): Delivery[] {
  const beside = fault && besides(entrance, message, fault);
  if (beside === undefined) return [];
  return [{ ...newDelivery(beside, entrance.clock.iso()), fault: fault?.do ?? null }];
}

function join(withheld: Withheld, { payload, lane, ...message }: Message): Delivery | undefined {
  const open = withheld.joinable(lane);
  const envelope = envelopeOf(payload);
  if (open === undefined || envelope === undefined) return undefined;
  open.payload = together(open.payload, envelope);
  open.joined.push(message);
  open.room -= 1;
  return open;
}

function possible(withheld: Withheld, { lane, payload }: Message): WebhookAction[] {
  // A message that overtakes a withheld one must not be withheld for the same reason.
  const isOvertaking = withheld.waitingFor(lane).length > 0;
  const isAlone = envelopeOf(payload) === undefined;
  return ON_WEBHOOK.filter(
    (action) => !(action === 'reorder' && isOvertaking) && !(action === 'batch' && isAlone),
  );
}

/** Documented: deliveries are stored for 7 days. Unsent ones stay longer. */
function forgetOld({ store, clock }: Entrance): void {
  const oldest = clock.now() - KEPT_MS;
  for (const [id, delivery] of store.deliveries) {
    if (Date.parse(delivery.created_at) >= oldest) return;
    if (!isUnderWay(delivery)) store.deliveries.delete(id);
  }
}
