// Draws the tables of docs/payments.md and docs/provider.md from the domain's own tables: `npm run docs:payments`.
// With `--check` it writes nothing, and exits with 1 if the page is out of date.
import { fileURLToPath } from 'node:url';
import {
  PAYMENT_LIFECYCLE,
  PAYMENT_STATES,
  isPaymentFinal,
  type PaymentLifecycleState,
} from '../domain/payment/lifecycle.js';
import { REASON_CODES } from '../domain/provider/reason-codes.js';
import { RULES } from '../domain/terms/rules.js';
import { code, codes, redraw, table, type DrawnPage } from './drawn-page.js';

const MEANINGS: Readonly<Record<PaymentLifecycleState, string>> = {
  requested: 'not sent, or sent without an answer',
  created: 'the provider has accepted it (no event)',
  submitting: 'the provider has sent it to the bank (no event)',
  pending: 'no outcome after 35 seconds; the provider keeps trying',
  under_investigation: 'the payer’s bank gives no final status; people investigate',
  settled: 'paid',
  failed: 'failed or refused; a retry may be possible',
  lapsed: 'not sent by its `submit_before`',
  withdrawn: 'withdrawn by a caller before it was sent',
  retrying: 'a retry was requested',
  unresolved: 'an operator gave it up; the provider may have it',
};

const states = (): string =>
  table({
    headings: ['state', 'meaning', 'final', 'events lead to'],
    rows: PAYMENT_STATES.map((state) => {
      const next = Object.values(PAYMENT_LIFECYCLE.moves[state]).flatMap((to) =>
        to === undefined || to === state ? [] : [to],
      );
      const isFinal = isPaymentFinal(state) ? 'yes' : 'no';
      return [code(state), MEANINGS[state], isFinal, codes([...new Set(next)]) || '–'];
    }),
  });

const terms = (): string =>
  table({
    headings: ['refused with', 'unless', 'field'],
    rows: RULES.map((rule) => [
      code(rule.code),
      rule.says,
      rule.pointer === undefined ? '–' : code(rule.pointer),
    ]),
  });

/** All codes of the scheme's agreement service share one row. */
const MMS = /^MMS\.API\.\d+$/;

function reasons(): string {
  const named = [...REASON_CODES].map(([name, row]) => [name.replace(MMS, 'MMS.API.xxxx'), row] as const);
  return table({
    headings: ['code', 'title', 'meaning', 'message for the payer', 'next action', 'retryable'],
    rows: [...new Map(named)].map(([name, { title, means, payer, next, retryable }]) => [
      code(name),
      title,
      means,
      payer === undefined ? '–' : `“${payer}”`,
      next,
      retryable === undefined ? '–' : retryable ? 'yes' : 'no',
    ]),
  });
}

export const PAYMENT_PAGE: DrawnPage = {
  path: 'docs/payments.md',
  script: 'docs:payments',
  sections: [
    ['States', states],
    ['Terms', terms],
  ],
};

export const REASON_PAGE: DrawnPage = {
  path: 'docs/provider.md',
  script: 'docs:payments',
  sections: [['Reasons and failures', reasons]],
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await redraw(PAYMENT_PAGE);
  await redraw(REASON_PAGE);
}
