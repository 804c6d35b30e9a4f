// The deliveries the provider still tells of: those of the last 7 days on the sandbox's clock (facts 11).
import type { Engine } from '../engine.js';
import { refuseInASentence } from '../http/refusal.js';
import { isListed, KEPT_MS } from './delivery-states.js';
import type { Delivery } from './webhook.schema.js';

/** Newest first. */
export function keptDeliveries({ store, clock }: Engine): Delivery[] {
  const oldest = clock.now() - KEPT_MS;
  const isKept = (delivery: Delivery): boolean => Date.parse(delivery.created_at) >= oldest;
  return [...store.deliveries.values()].filter((it) => isListed(it) && isKept(it)).toReversed();
}

/** @throws Refusal 404, in a sentence as core resources do, also for what is not kept any more. */
export function findDelivery(engine: Engine, id: string): Delivery {
  const delivery = keptDeliveries(engine).find((it) => it.id === id);
  if (delivery !== undefined) return delivery;
  throw refuseInASentence(404, `There is no webhook delivery ${id}`);
}
