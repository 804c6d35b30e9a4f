// The scheme counts failed collections in a row, and suspends the agreement at the seventh (facts 7.3, MSUC).
// Each submission is a collection: a retry that fails counts again. Once suspended, the count begins anew.
import { suspendByService } from '../agreements/service-actions.js';
import type { Engine } from '../engine.js';
import type { Payment } from './payment.schema.js';

const TOLERATED = 6;

/** To be called after each move of a payment: an end that is neither settled nor failed says nothing. */
export function countCollection(engine: Engine, { state, agreement_uid: uid }: Payment): void {
  const { failuresInARow, agreements } = engine.store;
  if (state === 'settled') failuresInARow.delete(uid);
  if (state !== 'failed') return;
  const failures = (failuresInARow.get(uid) ?? 0) + 1;
  if (failures <= TOLERATED) {
    failuresInARow.set(uid, failures);
    return;
  }
  failuresInARow.delete(uid);
  const agreement = agreements.get(uid);
  if (agreement !== undefined) suspendByService(engine, agreement, 'MSUC');
}
