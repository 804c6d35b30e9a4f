// How a payment looks from outside: the view that callers read, and what operators see in Temporal's UI.
import { inOrder } from '../../domain/fact.js';
import { PAYMENT_LIFE } from '../../domain/payment.js';
import { AGREEMENT_UID, PAYMENT_STATE } from '../entity/contract.js';
import { published as publishedBy, readable } from '../entity/publish.js';
import { attentionOf, foldedOf, lastFactAt } from '../entity/state.js';
import { stateOf } from './state.js';
import type { Published } from '../entity/publish.js';
import type { PaymentView, PaymentViewState } from './contract.js';
import type { State } from './state.js';

export function viewOf(state: State): PaymentView {
  const { uid, connectionId, order, failure, awaiting, requestedAt, submission } = state;
  const viewState = viewStateOf(state);
  return {
    uid,
    connectionId,
    order,
    awaiting,
    requestedAt,
    submissions: submission.count,
    state: viewState,
    failure: viewState === 'failed' ? failure : undefined,
    stateSince: foldedOf(PAYMENT_LIFE, state).since ?? requestedAt,
    attention: attentionOf(state),
    lastFactAt: lastFactAt(state),
  };
}

const viewStateOf = (state: State): PaymentViewState =>
  state.submission.stage === 'unknown' ? 'unknown' : stateOf(state);

export function published(state: State): Published {
  const { uid, connectionId, order, awaiting } = state;
  const viewState = viewStateOf(state);
  return publishedBy({
    title: `Payment ${uid} is ${viewState}`,
    awaiting,
    attention: attentionOf(state),
    connectionId,
    lastFactAt: lastFactAt(state),
    own: [
      { key: PAYMENT_STATE, value: viewState },
      ...(order === undefined ? [] : [{ key: AGREEMENT_UID, value: order.agreement_uid }]),
    ],
    known: knownOf(state),
  });
}

function knownOf({ order, submission: { count }, requestedAt, facts }: State): string[] {
  const amount =
    order === undefined
      ? 'an amount not known yet'
      : `${order.amount} cents under agreement/${order.agreement_uid}`;
  return [
    `${amount}, asked for ${readable(requestedAt)}`,
    `sent to the provider ${count === 1 ? 'once' : `${count} times`}, always under this uid`,
    ...inOrder(facts).map(
      (fact) => `${fact.state ?? fact.type}, ${readable(fact.publishedAt)}, known from ${fact.source}`,
    ),
  ];
}
