// How a payment looks from outside: the view that callers read, and what operators see in Temporal's UI.
import { inOrder } from '../../domain/fact.js';
import { PAYMENT_LIFE } from '../../domain/payment.js';
import { paymentStateOf } from './state.js';
import { publishAttributes, publishWords, readable } from '../entity/publish.js';
import { attentionOf, foldedOf, lastFactAt } from '../entity/state.js';
import { AGREEMENT_UID, PAYMENT_STATE } from '../entity/contract.js';
import type { PaymentStateShown, PaymentView } from './contract.js';
import type { PaymentRecord } from './state.js';

export function paymentView(record: PaymentRecord): PaymentView {
  const { uid, connectionId, order, failure, awaiting, requestedAt, submissions } = record;
  const state = shownState(record);
  return {
    uid, connectionId, order, awaiting, requestedAt, submissions, state,
    failure: state === 'failed' ? failure : undefined,
    stateSince: foldedOf(PAYMENT_LIFE, record).since ?? requestedAt,
    attention: attentionOf(record),
    lastFactAt: lastFactAt(record),
  }; // prettier-ignore
}

const shownState = (record: PaymentRecord): PaymentStateShown =>
  record.stage === 'unknown' ? 'unknown' : paymentStateOf(record);

export function publishPayment(record: PaymentRecord): void {
  const { uid, connectionId, order, awaiting } = record;
  const attention = attentionOf(record);
  const state = shownState(record);
  publishAttributes({
    awaiting,
    attention,
    connectionId,
    lastFactAt: lastFactAt(record),
    own: [
      { key: PAYMENT_STATE, value: state },
      ...(order === undefined ? [] : [{ key: AGREEMENT_UID, value: order.agreement_uid }]),
    ],
  });
  publishWords({ title: `Payment ${uid} is ${state}`, awaiting, attention, known: knownOf(record) });
}

function knownOf(record: PaymentRecord): string[] {
  const { order, submissions, requestedAt } = record;
  return [
    `${order === undefined ? 'an amount not known yet' : `${order.amount} cents under agreement/${order.agreement_uid}`}, asked for ${readable(requestedAt)}`,
    `sent to the provider ${submissions === 1 ? 'once' : `${submissions} times`}, always under this uid`,
    ...inOrder(record.facts).map(
      (fact) => `${fact.state ?? fact.type}, ${readable(fact.publishedAt)}, known from ${fact.source}`,
    ),
  ];
}
