// The business rules for a new payment, in the order in which the provider checks them.
import type { CreatePayment } from './create-payment.schema.js';
import type { Agreement } from '../agreements/agreement.schema.js';
import { refuseByCode, type ErrorCode } from '../http/refusal.js';
import { sydneyDay } from '../time/sydney.js';

interface Case {
  request: CreatePayment;
  agreement: Agreement;
  /** The day it is in Sydney. */
  today: string;
}

interface Rule {
  code: ErrorCode;
  /** What is wrong, or undefined when nothing is. */
  broken: (it: Case) => string | undefined;
}

const when = (isBroken: boolean, detail: string): string | undefined => (isBroken ? detail : undefined);

const RULES: readonly Rule[] = [
  {
    code: 'ZPPAY03',
    broken: ({ agreement: { uid, state } }) =>
      when(state !== 'active', `agreement ${uid} is ${state}, not active`),
  },
  {
    code: 'ZPPAY07',
    broken: ({ agreement: { validity_end_date: end }, today }) =>
      when(end !== null && today > end, `the agreement was valid until ${end}, today is ${today}`),
  },
  {
    code: 'ZPPAY08',
    broken: ({ agreement: { validity_start_date: start }, today }) =>
      when(start !== null && today < start, `the agreement is valid from ${start}, today is ${today}`),
  },
  {
    code: 'ZPPAY25',
    broken: ({ request }) => when(request.debtor != null, 'this account may not name the debtor itself'),
  },
  {
    code: 'ZPPAY04',
    broken: ({ request: { creditor }, agreement }) =>
      when(
        creditor != null &&
          agreement.creditor !== null &&
          creditor.party_name !== agreement.creditor.party_name,
        'creditor.party_name differs from the agreement',
      ),
  },
  {
    code: 'ZPPAY05',
    broken: ({ request: { creditor }, agreement }) =>
      when(
        creditor?.ultimate_party_name != null &&
          agreement.creditor !== null &&
          creditor.ultimate_party_name !== agreement.creditor.ultimate_party_name,
        'creditor.ultimate_party_name differs from the agreement',
      ),
  },
  {
    code: 'ZPPAY06',
    broken: ({ request: { creditor }, agreement }) =>
      when(
        creditor != null &&
          agreement.creditor !== null &&
          (creditor.account_identifier.type !== agreement.creditor.account_identifier.type ||
            creditor.account_identifier.value !== agreement.creditor.account_identifier.value),
        'creditor.account_identifier differs from the agreement',
      ),
  },
  {
    code: 'ZPPAY09',
    broken: ({ request, agreement: { payment_terms: terms } }) =>
      when(
        terms.type === 'balloon' && request.last_payment == null,
        'a balloon payment must say last_payment',
      ),
  },
  {
    code: 'ZPPAY10',
    broken: ({ request, agreement: { payment_terms: terms } }) =>
      when(
        terms.type !== 'balloon' && request.last_payment != null,
        'last_payment is for balloon terms alone',
      ),
  },
  {
    code: 'ZPPAY12',
    broken: ({ request: { amount }, agreement: { payment_terms: terms } }) =>
      when(
        terms.max_amount !== null && amount > terms.max_amount,
        `amount ${amount} is over max_amount ${terms.max_amount}`,
      ),
  },
  {
    code: 'ZPPAY13',
    broken: ({ agreement: { payment_terms: terms }, today }) =>
      when(
        terms.last_payment_date !== null && today > terms.last_payment_date,
        `last_payment_date was ${terms.last_payment_date}, today is ${today}`,
      ),
  },
  {
    code: 'ZPPAY15',
    broken: ({ request: { amount }, agreement: { payment_terms: terms } }) => {
      const allowed = [terms.amount, terms.first_payment_amount, terms.last_payment_amount];
      const isWrong = terms.amount !== null && !allowed.includes(amount);
      return when(isWrong, `amount ${amount} is not the fixed amount ${terms.amount}`);
    },
  },
];

export function checkPayment(request: CreatePayment, agreement: Agreement, nowMs: number): void {
  const it: Case = { request, agreement, today: sydneyDay(nowMs) };
  for (const { code, broken } of RULES) {
    const detail = broken(it);
    if (detail !== undefined) throw refuseByCode(code, detail, request.uid);
  }
}
