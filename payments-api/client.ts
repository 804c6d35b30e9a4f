// The provider's operations, one method each, gathered from operations/*.ts. Asking (operations/), sending (http.ts)
// and judging (judge.ts) are apart; a new operation is one entry in the file of its resource.
// In:  activities/*.ts.
// Out: payments-api/http.ts.
import { agreementOperations } from './operations/agreements.js';
import { createSend } from './http.js';
import { judge } from './judge.js';
import { pages } from './paging.js';
import { paymentOperations } from './operations/payments.js';
import type { AgreementOperations } from './operations/agreements.js';
import type { Asking } from './operation.js';
import type { Call, HttpOptions, Question } from './http.js';
import type { PaymentOperations } from './operations/payments.js';

export type { Call } from './http.js';

/** Every method throws PaymentsApiError and nothing else; a write that ends `unavailable` or `malformed` may have happened. */
export type PaymentsApi = AgreementOperations & PaymentOperations;

export interface PaymentsApiOptions extends HttpOptions {
  /** Our clock, for what is received and for Retry-After dates. */
  now?: () => Date;
}

/** @param options `version` as 8 digits (interface 9); `baseUrl` is the only place that is ever called. */
export function createPaymentsApi({ now = () => new Date(), ...options }: PaymentsApiOptions): PaymentsApi {
  const send = createSend(options);
  const baseUrl = options.baseUrl.replace(/\/+$/, '');

  const askRaw = async (question: Question, call: Call): Promise<unknown> =>
    judge(question.name, await send(question, call), now().getTime());

  const asking: Asking = {
    version: options.version,
    now,
    ask: async (operation, call) => operation.read(await askRaw(operation, call)),
    list: (operation, call) => pages(operation, baseUrl, (question) => askRaw(question, call)),
  };
  return { ...agreementOperations(asking), ...paymentOperations(asking) };
}
