// A refund whose last run has left no state. Plain JSON and pure.
import { lostState } from '../resource/lost.js';
import { isWhole, newRefund, type RefundState } from './state.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { RefundView } from './contract.js';

/** From the view in its row. */
export function lostRefund(
  view: RefundView,
  ids: { uid: string; connectionId: string },
  now: Instant,
): RefundState {
  const { order, requestedAt, requestedBy, failure } = view;
  const isOurs = order !== undefined && isWhole(order) && requestedBy !== undefined;
  const requested = newRefund({ ...ids, order: isOurs ? order : undefined, requestedAt, requestedBy }, now);
  return { ...lostState(requested, view, now), order, failure, reported: undefined };
}
