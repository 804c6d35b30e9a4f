// An amendment by the key that tasks know it by: its agreement's uid and its place among that agreement's amendments.
import type { Engine } from '../../engine.js';
import type { Agreement } from '../agreement.schema.js';
import type { OfAgreement } from './amendment-states.js';
import type { Amendment } from './amendment.schema.js';

/** No uid holds a slash. */
export function amendmentKey({ uid, amendments }: Agreement, amendment: Amendment): string {
  return `${uid}/${amendments.indexOf(amendment)}`;
}

export function amendmentByKey({ store }: Engine, key: string): OfAgreement | undefined {
  const [uid = '', place] = key.split('/');
  const agreement = store.agreements.get(uid);
  const amendment = agreement?.amendments[Number(place)];
  return agreement && amendment && { agreement, amendment };
}
