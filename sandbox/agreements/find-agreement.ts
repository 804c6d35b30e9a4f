// An agreement by its uid, or the 404 for there being none.
import { refuse } from '../http/refusal.js';
import type { Agreement } from './agreement.schema.js';
import type { Engine } from '../engine.js';

export function findAgreement({ store }: Engine, uid: string): Agreement {
  const agreement = store.agreements.get(uid);
  if (agreement !== undefined) return agreement;
  throw refuse(404, 'Not Found', `There is no agreement with uid ${uid}`);
}
