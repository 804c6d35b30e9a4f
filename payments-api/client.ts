// The provider's PayTo operations, one method each. Asking (operations.ts), sending (http.ts) and judging (judge.ts)
// are apart; a new operation is one function in operations.ts and one line here.
// In:  activities/*.ts.
// Out: payments-api/http.ts.
import * as operations from './operations.js';
import { createSend } from './http.js';
import { judge } from './judge.js';
import { pages } from './paging.js';
import type { AgreementSnapshot, PaymentSnapshot } from '../domain/snapshot.js';
import type { Call, HttpOptions, Question } from './http.js';
import type { Fact } from '../domain/fact.js';
import type { Mandate, PaymentOrder } from '../domain/mandate.js';
import type { Operation } from './operations.js';
import type { PagedOperation } from './paging.js';

export type { Call } from './http.js';

/** An agreement with so much history has long outlived what 50 pages of 100 hold; the newest come first. */
const MAX_HISTORY_PAGES = 50;

/** Every method throws PaymentsApiError and nothing else; a write that ends `unavailable` or `malformed` may have happened. */
export interface PaymentsApi {
  /** POST /payto/agreements. A taken uid is `rejected` with ZPAGR00 (facts 13): look it up, never mint another. */
  createAgreement(request: { uid: string } & Mandate, call: Call): Promise<AgreementSnapshot>;
  /** GET /payto/agreements/{uid} (interface 4.3). */
  getAgreement(uid: string, call: Call): Promise<AgreementSnapshot>;
  /** GET /payto/agreements, page after page as they are consumed. `perPage` 1 to 100 (facts 6). */
  listAgreements(
    filter: { state?: string[]; perPage?: number },
    call: Call,
  ): AsyncIterable<AgreementSnapshot>;
  /** GET /payto/agreements/{uid}/history: all of it, up to 5000 events (interface 2.2). */
  getAgreementHistory(uid: string, call: Call): Promise<Fact[]>;
  /** POST /payto/payments. Amounts in cents. A taken uid is `rejected` with ZPPAY00 (facts 13). */
  createPayment(request: { uid: string } & PaymentOrder, call: Call): Promise<PaymentSnapshot>;
  /** GET /payto/payments/{uid} (interface 4.3). */
  getPayment(uid: string, call: Call): Promise<PaymentSnapshot>;
}

export interface PaymentsApiOptions extends HttpOptions {
  /** Our clock, for what is received and for Retry-After dates. */
  now?: () => Date;
}

/** @param options `version` as 8 digits (interface 9); `baseUrl` is the only place that is ever called. */
export function createPaymentsApi({ now = () => new Date(), ...options }: PaymentsApiOptions): PaymentsApi {
  const send = createSend(options);

  const askRaw = async (question: Question, call: Call): Promise<unknown> =>
    judge(question.name, await send(question, call), now().getTime());

  const ask = async <Result>(operation: Operation<Result>, call: Call): Promise<Result> =>
    operation.read(await askRaw(operation, call));

  const list = <Item>(operation: PagedOperation<Item>, call: Call): AsyncIterable<Item[]> =>
    pages(operation, options.baseUrl.replace(/\/+$/, ''), (question) => askRaw(question, call));

  // Async functions throughout: a request refused before it is sent must reject like any other.
  return {
    createAgreement: async (request, call) => ask(operations.createAgreement(request, options.version), call),
    getAgreement: async (uid, call) => ask(operations.getAgreement(uid), call),
    listAgreements: (filter, call) => items(list(operations.listAgreements(filter), call)),
    getAgreementHistory: async (uid, call) =>
      upTo(MAX_HISTORY_PAGES, list(operations.getAgreementHistory(uid, now().toISOString()), call)),
    createPayment: async (request, call) => ask(operations.createPayment(request), call),
    getPayment: async (uid, call) => ask(operations.getPayment(uid), call),
  };
}

async function* items<Item>(listed: AsyncIterable<Item[]>): AsyncGenerator<Item, void, undefined> {
  for await (const page of listed) yield* page;
}

async function upTo<Item>(maxPages: number, listed: AsyncIterable<Item[]>): Promise<Item[]> {
  const gathered: Item[] = [];
  let pagesSeen = 0;
  for await (const page of listed) {
    gathered.push(...page);
    if (++pagesSeen === maxPages) break;
  }
  return gathered;
}
