// The sandbox at a glance: its agreements and payments, and buttons to play the payer and let time pass.
import { html, raw } from 'hono/html';
import type { Agreement } from '../agreements/agreement.schema.js';
import type { Payment } from '../payments/payment.schema.js';
import { possibleActions } from '../agreements/payer.js';
import { page } from './layout.js';

export interface FrontPage {
  now: string;
  agreements: readonly Agreement[];
  payments: readonly Payment[];
}

/** Every button posts the JSON it carries to a control route and shows the page anew. */
const SCRIPT = `
  document.addEventListener('click', async (event) => {
    const button = event.target.closest('button[data-path]');
    if (!button) return;
    button.disabled = true;
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(button.dataset.path, { method: 'POST', headers, body: button.dataset.body });
    if (answer.ok) return location.reload();
    document.getElementById('problem').textContent = (await answer.json()).errors[0].detail;
    button.disabled = false;
  });
`;

export function frontPage({ now, agreements, payments }: FrontPage) {
  return page(
    'Payments sandbox',
    html`<main>
        <h1>Payments sandbox</h1>
        <p>The provider, pretended. Its clock says <time datetime="${now}">${now}</time>.</p>
        <p>
          ${button('Let an hour pass', '/_control/clock', { advance_seconds: 3600 })}
          ${button('Let five days pass', '/_control/clock', { advance_seconds: 432_000 })}
        </p>
        <p id="problem" role="alert"></p>
        <h2>Agreements (${agreements.length})</h2>
        ${table(['uid', 'payer', 'what for', 'state', 'play the payer'], agreements.map(agreementRow))}
        <h2>Payments (${payments.length})</h2>
        ${table(['uid', 'agreement', 'cents', 'state', 'failure'], payments.map(paymentRow))}
      </main>
      <script>
        ${raw(SCRIPT)};
      </script>`,
  );
}

function table(headings: readonly string[], rows: readonly unknown[]) {
  return html`<div class="scroll">
    <table>
      <thead>
        <tr>
          ${headings.map((heading) => html`<th scope="col">${heading}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

function agreementRow(agreement: Agreement) {
  const path = `/_control/agreements/${agreement.uid}/payer`;
  return html`<tr>
    <td><code>${agreement.uid}</code></td>
    <td>${agreement.debtor.party_name}</td>
    <td>${agreement.description}</td>
    <td>${agreement.state}</td>
    <td>${possibleActions(agreement).map((action) => button(action, path, { action }))}</td>
  </tr>`;
}

function paymentRow(payment: Payment) {
  return html`<tr>
    <td><code>${payment.uid}</code></td>
    <td><code>${payment.agreement_uid}</code></td>
    <td class="number">${payment.amount}</td>
    <td>${payment.state}</td>
    <td>${payment.failure?.title ?? ''}</td>
  </tr>`;
}

function button(label: string, path: string, body: object) {
  return html`<button type="button" data-path="${path}" data-body="${JSON.stringify(body)}">
    ${label}
  </button>`;
}
