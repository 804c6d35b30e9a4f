// The deliveries that a fault holds back: until a time, or until the next event of the same agreement overtakes them.
import type { Delivery } from './webhook.schema.js';
import type { Store } from '../store.js';

export interface HeldBack {
  add(delivery: Delivery): void;
  delete(delivery: Delivery): void;
  /** Those that wait to be overtaken by another event of the agreement. */
  waitingFor(lane: string): Delivery[];
  all(): Delivery[];
}

export function createHeldBack(store: Store): HeldBack {
  const held = new Set([...store.deliveries.values()].filter(({ state }) => state === 'held'));
  /** Without what a reset has forgotten. */
  const all = (): Delivery[] =>
    [...held].filter((delivery) => store.deliveries.get(delivery.id) === delivery);
  return {
    add: (delivery) => void held.add(delivery),
    delete: (delivery) => void held.delete(delivery),
    waitingFor: (uid) => all().filter((it) => it.held_by === 'reorder' && it.lane === uid),
    all,
  };
}
