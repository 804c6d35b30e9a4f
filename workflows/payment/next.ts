// What a payment's state asks for. The loop makes it so; nothing else decides. Pure.
import { PAYMENT_LIFE, isPaymentFinal } from '../../domain/payment.js';
import { dueLookUp, followedStep } from '../entity/followed.js';
import { isSettled } from '../entity/state.js';
import { stateOf } from './state.js';
import type { FollowedStep } from '../entity/followed.js';
import type { State } from './state.js';

export type Step = FollowedStep | { do: 'await_settlement'; known: string };

/** Nothing of it is on its way, and it has ended. Where only consent could bring a last snapshot about, that is not waited for. */
export function isOver(state: State): boolean {
  const { stage } = state.submission;
  if (stage !== 'open') return stage === 'unknown';
  const isLookUpDue = state.isLookUpDue && state.blocked === undefined;
  return isPaymentFinal(stateOf(state)) && isSettled(PAYMENT_LIFE, state) && !isLookUpDue;
}

export function wants(state: State): Step[] {
  if (isOver(state)) return [];
  const known = state.snapshotState ?? stateOf(state);
  return [followedStep(state) ?? dueLookUp(PAYMENT_LIFE, state) ?? { do: 'await_settlement', known }];
}
