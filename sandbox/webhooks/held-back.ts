// The deliveries that a fault holds back: until a time, until the next event of the same agreement overtakes them, or
// until enough events have joined them.
import type { Delivery } from './webhook.schema.js';
import type { Store } from '../store.js';

export interface HeldBack {
  add(delivery: Delivery): void;
  delete(delivery: Delivery): void;
  /** Those that wait to be overtaken by another event of the agreement. */
  waitingFor(lane: string): Delivery[];
  /** The one that the next event of the agreement joins. */
  joinable(lane: string): Delivery | undefined;
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
    waitingFor: (lane) => all().filter((it) => it.fault === 'reorder' && it.lane === lane),
    joinable: (lane) => all().find((it) => it.room > 0 && it.lane === lane),
    all,
  };
}
