// Takes a message in, and decides at once whether a fault loses, holds, repeats, joins or falsifies it.
import { ON_WEBHOOK, type WebhookAction } from '../faults/actions.schema.js';
import type { Fault } from '../faults/fault.schema.js';
import type { Faults } from '../faults/faults.js';
import { newDelivery, type DeliveryOffice, type Message } from './delivery.js';
import { isUnderWay, KEPT_MS } from './delivery-states.js';
import { envelopeOf, together } from './envelope.js';
import type { HeldBack } from './held-back.js';
import { besides, spoil } from './spoil-delivery.js';
import type { Store } from '../store.js';
import type { Delivery } from './webhook.schema.js';

export interface Entrance extends DeliveryOffice {
  store: Store;
  faults: Faults;
}

/** @returns the deliveries to be lined up now, in order. */
export function admitMessage(entrance: Entrance, heldBack: HeldBack, message: Message): Delivery[] {
  const { store, faults, clock } = entrance;
  forgetOld(entrance);
  const joined = join(heldBack, message);
  if (joined !== undefined) return joined.room === 0 ? [joined] : [];
  const fault = faults.take('webhook', [message.resource_uid, message.lane], possible(heldBack, message));
  const real = newDelivery(message, clock.iso());
  const deliveries = [real, ...falseDeliveries(entrance, message, fault)];
  for (const delivery of deliveries) store.deliveries.set(delivery.id, delivery);
  if (fault !== undefined) spoil(entrance, real, fault);
  if (real.state === 'held') heldBack.add(real);
  return deliveries.filter(({ state }) => state === 'queued');
}

function falseDeliveries(entrance: Entrance, message: Message, fault: Fault | undefined): Delivery[] {
  const beside = fault && besides(entrance, message, fault);
  if (beside === undefined) return [];
  return [{ ...newDelivery(beside, entrance.clock.iso()), fault: fault?.do ?? null }];
}

function join(heldBack: HeldBack, { payload, lane, ...message }: Message): Delivery | undefined {
  const open = heldBack.joinable(lane);
  const envelope = envelopeOf(payload);
  if (open === undefined || envelope === undefined) return undefined;
  open.payload = together(open.payload, envelope);
  open.joined.push(message);
  open.room -= 1;
  return open;
}

function possible(heldBack: HeldBack, { lane, payload }: Message): WebhookAction[] {
  // One that already waits to be overtaken is overtaken by this one: it must not be held as well.
  const isOvertaking = heldBack.waitingFor(lane).length > 0;
  const isAlone = envelopeOf(payload) === undefined;
  return ON_WEBHOOK.filter(
    (action) => !(action === 'reorder' && isOvertaking) && !(action === 'batch' && isAlone),
  );
}

/** Documented: deliveries are kept for 7 days. What is still to be sent stays. */
function forgetOld({ store, clock }: Entrance): void {
  const oldest = clock.now() - KEPT_MS;
  for (const [id, delivery] of store.deliveries) {
    if (Date.parse(delivery.created_at) >= oldest) return;
    if (!isUnderWay(delivery)) store.deliveries.delete(id);
  }
}
