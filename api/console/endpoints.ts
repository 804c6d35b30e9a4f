// All pages of the console.
import { contract, rawEndpoint, type Endpoint } from '../http/contract.js';
import type { ApiDependencies } from '../http/dependencies.js';
import { servedFile } from '../http/served-file.js';
import { createOwnApi } from './own-api.js';
import { showAgreement } from './pages/agreement.js';
import { commandEndpoints } from './pages/command.js';
import { showDay } from './pages/settlement-day.js';
import { downloads } from './pages/download.js';
import { floatAccountLists, unmatchedCreditLists } from './pages/finance-lists.js';
import { showFloatAccount } from './pages/float-account.js';
import { showHome } from './pages/home.js';
import { agreementLists, paymentLists } from './pages/lists.js';
import { sendPaymentForm, showPaymentForm } from './pages/pay.js';
import { showPayment } from './pages/payment.js';
import { searchPages } from './pages/search.js';
import { beginConsoleSession, endConsoleSession, showConsoleSignIn } from './pages/sign-in.js';
import { showUnmatchedCredit } from './pages/unmatched-credit.js';
import { STYLE } from './style.js';
import type { ApiOf } from './visit.js';

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b57b0"/>' +
  '<path d="M11 25V8h6a5 5 0 0 1 0 10h-6" fill="none" stroke="#fff" stroke-width="3"/></svg>';

const fileOf = (path: string, operationId: string, type: string, content: string): Endpoint =>
  rawEndpoint(
    contract({
      ...{ method: 'get', path, operationId, tags: ['operations'], access: 'public', connection: 'none' },
      summary: 'Get a file of the console',
      description: 'The pages of the console load it.',
      answers: { 200: { description: 'The file.', content: { [type]: { schema: { type: 'string' } } } } },
    }),
    () => servedFile({ type: `${type}; charset=utf-8`, content: () => content }),
  );

const FILES = [
  fileOf('/console/style.css', 'readConsoleStyle', 'text/css', STYLE),
  fileOf('/console/icon.svg', 'readConsoleIcon', 'image/svg+xml', ICON),
];

const PAGES = [
  ...[showHome, ...searchPages, ...agreementLists, ...paymentLists],
  ...[showAgreement, showPaymentForm, sendPaymentForm, showPayment, ...commandEndpoints],
  ...[showDay, ...downloads, ...unmatchedCreditLists, showUnmatchedCredit],
  ...[...floatAccountLists, showFloatAccount],
];

/** @param endpoints those of the API, which the pages call. */
export function consoleEndpoints(endpoints: () => readonly Endpoint[]): Endpoint[] {
  const made = new WeakMap<ApiDependencies, ReturnType<typeof createOwnApi>>();
  // Made at the first request, because most processes of tests serve no page.
  const apiOf: ApiOf = (dependencies) => (c, key) => {
    const found = made.get(dependencies) ?? createOwnApi(endpoints(), dependencies);
    made.set(dependencies, found);
    return found(c, key);
  };
  return [
    ...[...FILES, showConsoleSignIn(), beginConsoleSession(), endConsoleSession()],
    ...PAGES.map((page) => page(apiOf)),
  ];
}
