// A payment is asked for, by a caller or by a refund: checked by every rule, then made and begun.
import type { Agreement } from '../agreements/agreement.schema.js';
import { beginPayment } from './payment-life.js';
import { caseOf, type PaymentRequest, type RequestedCreditor } from './payment-case.js';
import { checkPayment } from './payment-rules.js';
import type { Engine } from '../engine.js';
import type { Party } from '../entities.schema.js';
import type { Payment } from './payment.schema.js';
import { refuseByCode } from '../http/refusal.js';
import { scriptFor } from './payment-scripts.js';

/**
 * @param sourceRefundUid the refund that is paid by it, if it is one.
 * @throws Refusal 422 with the code of the first rule that is broken; then nothing has been made.
 */
export function acceptPayment(
  engine: Engine,
  request: PaymentRequest,
  sourceRefundUid: string | null = null,
): Payment {
  const { uid, agreement_uid } = request;
  const { payments, agreements } = engine.store;
  if (payments.has(uid)) throw refuseByCode('ZPPAY00', `A payment with uid ${uid} already exists`, uid);
  const agreement = agreements.get(agreement_uid);
  if (agreement === undefined) throw refuseByCode('ZPPAY22', `There is no agreement ${agreement_uid}`, uid);
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
  if (party === null) throw refuseByCode('ZPPAY11', `agreement ${agreement.uid} names no creditor`, uid);
  return party;
}

/** A creditor that the request itself names is no counterparty's account. */
export function creditorParty(creditor: RequestedCreditor): Party {
  const ultimate_party_name = creditor.ultimate_party_name ?? null;
  return { ...creditor, ultimate_party_name, payment_account_uid: null };
}
