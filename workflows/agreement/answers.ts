// What an agreement signals to its payments: an answer to each that has waited and asked, and that no more may be taken to those
// that may not have been sent yet. Plain JSON and pure.
import { AGREEMENT_LIFECYCLE } from '../../domain/agreement/lifecycle.js';
import { endOfPayments, refusalOf } from '../../domain/terms/judge.js';
import { judgementOf } from '../../domain/terms/judgement.js';
import { foldedOf } from '../entity/resource/state.js';
import { termsStatusOf, stateOf } from './state.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { AgreementAnswer, PaymentAsk } from '../entity/signals.js';
import type { Ask } from './ledger.js';
import type { AgreementState } from './state.js';

/** Older ones that asked and were allowed have been sent long since. */
const ASKS_KEPT = 200;
/** A payment that was asked for so long before has been sent, or has asked. */
const SENT_WITHIN_MS = 60_000;
/** So many are signalled at a time. */
const AT_A_TIME = 20;

export interface Answer extends AgreementAnswer {
  uid: string;
}

export const withAsk = (state: AgreementState, ask: PaymentAsk, requestedAt: Instant): AgreementState => ({
  ...state,
  asks: [...(state.asks ?? []).filter(({ uid }) => uid !== ask.uid), { ...ask, requestedAt }].slice(
    -ASKS_KEPT,
  ),
});

/** What to signal now. While it is not certain how the agreement stands, those that ask receive just that, once. */
export function answersDue(state: AgreementState): Answer[] {
  const { asks = [], ledger } = state;
  if (asks.length === 0 && ledger.length === 0) return [];
  // Most agreements are so at each of their steps; to see whether they are in doubt takes all their facts once more.
  if (!asks.some(({ order }) => order !== undefined) && stateOf(state) === 'active') return [];
  const standing = termsStatusOf(state);
  const end = endOfPayments(standing);
  if (end !== undefined)
    return unsent(state)
      .slice(0, AT_A_TIME)
      .map((uid) => ({ uid, refusal: end }));
  return asks.flatMap(({ uid, order, requestedAt: requestedAt, isUncertain }): Answer[] => {
    if (order === undefined) return [];
    const asked = termsStatusOf(state, uid);
    const refusal = refusalOf(asked, order, requestedAt);
    if (refusal === undefined) return [{ uid, judged: judgementOf(asked, requestedAt) }];
    if (refusal.code !== 'agreement_held') return [{ uid, refusal }];
    return isUncertain === true ? [] : [{ uid, isUncertain: true }];
  });
}

/** Those that may not have been sent yet, as far as is known here. */
function unsent(state: AgreementState): string[] {
  const { since } = foldedOf(AGREEMENT_LIFECYCLE, state);
  const asked = (state.asks ?? []).map(({ uid }) => uid);
  const admitted = state.ledger.filter(
    ({ requestedAt, isBlocked: isBarred, outcome }) =>
      isBarred !== true &&
      outcome === undefined &&
      since !== undefined &&
      Date.parse(since) - Date.parse(requestedAt) < SENT_WITHIN_MS,
  );
  return [...new Set([...asked, ...admitted.map(({ uid }) => uid)])];
}

/** They have been signalled. One that was refused never asks again; one that may go is signalled when that ends. */
export function withAnswered(state: AgreementState, answers: readonly Answer[]): AgreementState {
  const given = new Map(answers.map((answer) => [answer.uid, answer]));
  const isRefused = ({ uid }: { uid: string }): boolean => given.get(uid)?.refusal !== undefined;
  const after = (ask: Ask): Ask => {
    const answer = given.get(ask.uid);
    if (answer === undefined) return ask;
    return answer.isUncertain === true ? { ...ask, isUncertain: true } : { ...ask, order: undefined };
  };
  return {
    ...state,
    asks: state.asks?.filter((ask) => !isRefused(ask)).map(after),
    ledger: state.ledger.map((entry) => (isRefused(entry) ? { ...entry, isBlocked: true } : entry)),
  };
}
