// What a delivery is to those who ask for it: the documented states stand for more that the sandbox tells apart.
import { z } from 'zod';
import type { Delivery } from './webhook.schema.js';

export const ShownState = z.enum(['pending', 'completed', 'retrying', 'failed']);
export type ShownState = z.output<typeof ShownState>;

/** Facts 11. One that got lost had no answer and is not tried again. */
const SHOWN_STATE: Record<Delivery['state'], ShownState> = {
  queued: 'pending',
  held: 'pending',
  retrying: 'retrying',
  completed: 'completed',
  failed: 'failed',
  lost: 'failed',
};

export const shownState = ({ state }: Delivery): ShownState => SHOWN_STATE[state];

/** Whether it is still to be sent. */
export const isUnderWay = (delivery: Delivery): boolean =>
  ['pending', 'retrying'].includes(shownState(delivery));

/** Of a forged one the provider knows nothing. */
export const isListed = ({ fault }: Delivery): boolean => fault !== 'forge';

/** How long the provider tells of it (facts 11). */
export const KEPT_MS = 7 * 24 * 60 * 60_000;
