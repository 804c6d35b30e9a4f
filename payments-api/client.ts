// The provider's operations, one method each. Building requests (operations/), sending them (http/send.ts) and judging
// answers (http/judge.ts) are separate. To add an operation, add one entry to the file of its resource.
import { agreementOperations } from './operations/agreements.js';
import { clientOperations } from './operations/clients.js';
import { createDownload } from './http/download.js';
import { createSend, type Call, type HttpOptions, type Question } from './http/send.js';
import { floatAccountOperations } from './operations/float-accounts.js';
import { investigationOperations } from './operations/investigations.js';
import { judge, type Success } from './http/judge.js';
import { lookupOperations } from './operations/lookups.js';
import { onePage, pages, type Page } from './http/paging.js';
import { paymentOperations } from './operations/payments.js';
import { refundOperations } from './operations/refunds.js';
import { reportOperations } from './operations/reports.js';
import { webhookOperations } from './operations/webhooks.js';
import type { Asking } from './operations/kinds.js';

export type { Call } from './http/send.js';

/** Every method throws only PaymentsApiError. A write that fails as `unavailable` or `malformed` may have happened. */
export type PaymentsApi = ReturnType<typeof createPaymentsApi>;

/** @param options `version`: 8 digits (docs/provider.md#versions). Calls go only to `baseUrl`, except for links to reports. */
export function createPaymentsApi(options: HttpOptions) {
  const { now = () => new Date() } = options;
  const send = createSend(options);
  const baseUrl = options.baseUrl.replace(/(?<!\/)\/+$/, '');

  const askRaw = async (question: Question & Success, call: Call): Promise<Page> => {
    const reply = await send(question, call);
    return { json: judge(question, reply, now().getTime()), headers: reply.headers };
  };

  const asking: Asking = {
    version: options.version,
    now,
    ask: async (operation, call) => operation.read((await askRaw(operation, call)).json),
    list: (operation, call) => pages(operation, baseUrl, (question) => askRaw(question, call)),
    page: (operation, call) => onePage(operation, baseUrl, (question) => askRaw(question, call)),
  };
  return {
    ...agreementOperations(asking),
    ...paymentOperations(asking),
    ...refundOperations(asking),
    ...clientOperations(asking),
    ...lookupOperations(asking),
    ...floatAccountOperations(asking),
    ...reportOperations(asking, createDownload('downloadSettlementReport', options)),
    ...investigationOperations(asking),
    ...webhookOperations(asking),
  };
}
