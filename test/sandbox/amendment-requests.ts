// What tests ask to be amended.
import { agreementPath } from './agreement-requests.js';
import type { Answer, Fields } from './caller.js';
import { dayFromNow } from './requests.js';
import { anActiveAgreement, type World } from './world.js';

/** Terms that need the payer's word, and a description that does not. */
export const NEW_TERMS = { payment_terms: { max_amount: 40_000 } };
export const NEW_TEXT = { description: 'Plan 78' };

export function amend(
  { caller }: Pick<World, 'caller'>,
  uid: string,
  changes: object,
  { headers = {}, ...rest }: { headers?: Fields; [field: string]: unknown } = {},
): Promise<Answer> {
  return caller.post(agreementPath(uid, 'amendment'), { changes, ...rest }, headers);
}

export function recall({ caller }: Pick<World, 'caller'>, uid: string, body: object = {}): Promise<Answer> {
  return caller.post(agreementPath(uid, 'amendment', 'recall'), body);
}

export async function amendmentOf({ caller }: Pick<World, 'caller'>, uid: string): Promise<Answer> {
  return caller.get(agreementPath(uid, 'amendment'));
}

/** An active agreement with an end, whose changed terms await a payer who never answers by themself. Answers its uid. */
export async function anAwaitedAmendment(world: World, changes: object = NEW_TERMS): Promise<string> {
  const uid = await anActiveAgreement(world, { validity_end_date: dayFromNow(400) });
  world.control.scriptAction(uid, { action: 'amendment', simulate: 'ignore' });
  await amend(world, uid, changes);
  await world.control.advance(1);
  return uid;
}
