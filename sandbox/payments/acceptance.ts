// Accepts a payment from a caller or a refund: checks all rules, then creates and starts it.
import type { Engine } from '../engine/parts.js';
import { refuse, refuseByCode } from '../http/refusal.js';
import type { Agreement } from '../store/agreement.schema.js';
import type { Party } from '../store/entities.schema.js';
import type { PaymentScript, PaymentSimulation, Payment } from '../store/payment.schema.js';
import { beginPayment } from './life.js';
import { caseOf, type PaymentRequest, type RequestedCreditor } from './request.js';
import { checkPayment } from './rules.js';

// The script for the next submissions of a payment: from the control API, else from the request.

/**
 * Scripts all future submissions: the first if the payment does not exist yet, and all retries.
 * @throws Refusal 409 while a submission is in progress or once the payment has settled.
 */
export function scriptPayment({ store }: Engine, uid: string, script: PaymentScript): void {
  const state = store.payments.get(uid)?.state ?? 'failed';
  if (state !== 'failed') throw refuse(409, 'Conflict', `Payment ${uid} already exists and is ${state}`);
  store.paymentScripts.set(uid, script);
  store.touch();
}

/** A script from the control API overrides the `sandbox` field of the request. */
export function scriptFor(
  { store }: Engine,
  uid: string,
  asked: { simulate?: PaymentSimulation | undefined; delay?: number | undefined } = {},
): PaymentScript {
  const { simulate = 'auto_settle', delay = 0 } = asked;
  return store.paymentScripts.get(uid) ?? { simulate, delay };
}

/**
 * @param sourceRefundUid the refund that this payment pays, if any.
 * @throws Refusal 422 with the code of the first broken rule. Nothing is created then.
 */
export function acceptPayment(
  engine: Engine,
  request: PaymentRequest,
  sourceRefundUid: string | null = null,
): Payment {
  const { uid, agreement_uid } = request;
  const { payments, agreements } = engine.store;
  if (payments.has(uid)) throw refuseByCode('ZPPAY00', uid);
  const agreement = agreements.get(agreement_uid);
  if (agreement === undefined) throw refuseByCode('ZPPAY22', uid);
  checkPayment(caseOf(engine, request, agreement));
  const payment = newPayment(engine, request, agreement, sourceRefundUid);
  beginPayment(engine, payment);
  return payment;
}

function newPayment(
  engine: Engine,
  request: PaymentRequest,
  agreement: Agreement,
  sourceRefundUid: string | null,
): Payment {
  const { clock } = engine;
  return {
    uid: request.uid,
    agreement_uid: request.agreement_uid,
    source_refund_uid: sourceRefundUid,
    state: 'created',
    amount: request.amount,
    last_payment: request.last_payment ?? null,
    priority: request.priority,
    reference: request.reference ?? null,
    description: request.description ?? null,
    creditor: creditorOf(request, agreement),
    creditor_reference: request.creditor_reference ?? null,
    debtor: {
      ...agreement.debtor,
      ultimate_party_name: request.debtor?.ultimate_party_name ?? agreement.debtor.ultimate_party_name,
    },
    failure: null,
    created_at: clock.iso(),
    metadata: request.metadata ?? null,
    script: scriptFor(engine, request.uid, request.sandbox),
    submissions: [clock.now()],
    next_step_at: null,
  };
}

function creditorOf({ uid, creditor }: PaymentRequest, agreement: Agreement): Party {
  const party = creditor == null ? agreement.creditor : creditorParty(creditor);
  if (party === null) throw refuseByCode('ZPPAY11', uid);
  return party;
}

/** A creditor in a request has no payment account of a counterparty. */
export function creditorParty(creditor: RequestedCreditor): Party {
  const ultimate_party_name = creditor.ultimate_party_name ?? null;
  return { ...creditor, ultimate_party_name, payment_account_uid: null };
}
