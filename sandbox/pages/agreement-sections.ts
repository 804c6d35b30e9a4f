// The sections for agreements, payments and refunds, with the actions that a person can take.
import { html } from 'hono/html';
import { possibleServiceActions } from '../agreements/life.js';
import type { Content } from '../http/page.js';
import { possibleActions } from '../payer/actions.js';
import { isResolvable } from '../payments/life.js';
import type { Agreement } from '../store/agreement.schema.js';
import type { Payment, PaymentOutcome } from '../store/payment.schema.js';
import type { Refund } from '../store/refund.schema.js';
import { actButton, dollars, labelOf, section, stateOf, type Cell } from './parts.js';

export function agreementSection(agreements: readonly Agreement[]): Content {
  return section({
    id: 'agreements',
    title: 'Agreements',
    headings: ['Agreement', 'Payer', 'Terms', 'State', 'Amendment', 'Act as the payer'],
    items: agreements,
    row: agreementRow,
    empty: 'No agreements yet. An agreement appears when an application creates it.',
  });
}

function agreementRow(agreement: Agreement): Cell[] {
  const { uid, debtor, description, state, state_caused_by, state_reason } = agreement;
  const because = [state_caused_by, state_reason?.code].filter((part) => part !== undefined).join(', ');
  return [
    html`<code>${uid}</code><span class="quiet">${description}</span>`,
    debtor.party_name,
    describeTerms(agreement),
    stateOf(state, `by ${because}`),
    describeAmendment(agreement),
    [...payerButtons(agreement), ...serviceButtons(agreement)],
  ];
}

function describeTerms({ payment_terms: terms }: Agreement): string {
  const amount = terms.amount ?? terms.max_amount;
  const upTo = terms.amount === null ? 'up to ' : '';
  const money = amount === null ? '' : `, ${upTo}${dollars(amount)}`;
  return `${terms.type} ${terms.frequency}${money}`.replaceAll('_', ' ');
}

function describeAmendment({ amendments }: Agreement): Cell {
  const last = amendments.at(-1);
  return last === undefined ? '' : stateOf(last.state, Object.keys(last.changes).join(', '));
}

function payerButtons(agreement: Agreement): Content[] {
  const path = `/agreements/${agreement.uid}/payer`;
  return possibleActions(agreement).map((action) =>
    actButton({ label: labelOf(action), about: agreement.uid, path, body: { action } }),
  );
}

function serviceButtons(agreement: Agreement): Content[] {
  const actions = possibleServiceActions(agreement);
  if (actions.length === 0) return [];
  const path = `/agreements/${agreement.uid}/service`;
  const buttons = actions.map((action) =>
    actButton({ label: labelOf(action), about: agreement.uid, path, body: { action } }),
  );
  return [
    html`<details>
      <summary>Act as the provider</summary>
      ${buttons}
    </details>`,
  ];
}

export function paymentSection(payments: readonly Payment[]): Content {
  return section({
    id: 'payments',
    title: 'Payments',
    headings: ['Payment', 'Agreement', 'Amount', 'State', 'Resolve'],
    items: payments,
    row: paymentRow,
    empty: 'No payments yet.',
  });
}

function paymentRow(payment: Payment): Cell[] {
  const { uid, agreement_uid, amount, state, failure, reference } = payment;
  const act = (outcome: PaymentOutcome, label: string): Content =>
    actButton({ label, about: uid, path: `/payments/${uid}/outcome`, body: { outcome } });
  return [
    html`<code>${uid}</code><span class="quiet">${reference ?? ''}</span>`,
    html`<code>${agreement_uid}</code>`,
    dollars(amount),
    stateOf(state, failure === null ? '' : `${failure.code} ${failure.title}`),
    isResolvable(payment) ? [act('settled', 'Settle'), act('failed', 'Fail')] : '',
  ];
}

export function refundSection(refunds: readonly Refund[]): Content {
  return section({
    id: 'refunds',
    title: 'Refunds',
    headings: ['Refund', 'Original payment', 'Amount', 'Paid by', 'State'],
    items: refunds,
    row: ({ uid, original_payment_uid, refund_payment: paid, state, failure }) => [
      html`<code>${uid}</code><span class="quiet">${paid.description}</span>`,
      html`<code>${original_payment_uid}</code>`,
      dollars(paid.amount),
      paid.type.replaceAll('_', ' '),
      stateOf(state, failure === null ? '' : `${failure.code} ${failure.title}`),
    ],
    empty: 'No refunds yet.',
  });
}
