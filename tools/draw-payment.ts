// Draws docs/payments.md's diagram and tables of rules and codes from the domain's own tables: `npm run docs:payments`.
// With `--check` it writes nothing, and ends with 1 where the page is not what the code says.
import { fileURLToPath } from 'node:url';
import { PAYMENT_LIFECYCLE, PAYMENT_STATES, isPaymentFinal } from '../domain/payment/lifecycle.js';
import { REASON_CODES } from '../domain/provider/reason-codes.js';
import { RULES } from '../domain/terms/rules.js';
import { code, redraw, table } from './drawn-page.js';
import type { DrawnPage } from './drawn-page.js';

/** The provider shows these on its way from one to the next, and publishes no event of it. */
const SILENT = ['requested --> created', 'created --> submitting'] as const;

function diagram(): string {
  const moves = PAYMENT_STATES.flatMap((from) =>
    Object.entries(PAYMENT_LIFECYCLE.moves[from])
      .filter(([, to]) => to !== from)
      .map(([type, to]) => `  ${from} --> ${to}: ${type}`),
  );
  const silent = SILENT.map((move) => `  ${move}: no event; only a look-up shows it`);
  const ends = PAYMENT_STATES.filter(isPaymentFinal).map((state) => `  ${state} --> [*]`);
  return ['```mermaid', 'stateDiagram-v2', '  [*] --> requested', ...silent, ...moves, ...ends, '```'].join(
    '\n',
  );
}

const terms = (): string =>
  table({
    headings: ['refused with', 'unless', 'field'],
    rows: RULES.map((rule) => [
      code(rule.code),
      rule.says,
      rule.pointer === undefined ? '–' : code(rule.pointer),
    ]),
  });

/** The numbers of the scheme's agreement service share one row. */
const MMS = /^MMS\.API\.\d+$/;

function reasons(): string {
  const named = [...REASON_CODES].map(([name, row]) => [name.replace(MMS, 'MMS.API.xxxx'), row] as const);
  return table({
    headings: ['code', 'title', 'means', 'to the payer', 'what to do next', 'retryable'],
    rows: [...new Map(named)].map(([name, { title, means, payer, next, retryable }]) => [
      code(name),
      title,
      means,
      payer ?? '–',
      next,
      retryable === undefined ? '–' : retryable ? 'yes' : 'no',
    ]),
  });
}

export const PAYMENT_PAGE: DrawnPage = {
  path: 'docs/payments.md',
  script: 'docs:payments',
  sections: [
    ['States', diagram],
    ['Terms', terms],
    ['Reasons and failures', reasons],
  ],
};

if (process.argv[1] === fileURLToPath(import.meta.url)) await redraw(PAYMENT_PAGE);
