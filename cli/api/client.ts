// The product's API for cli/: the typed client with a key over HTTP, like any other backend.
import { answerOf, createClient, paymentIn, type PaytoClient } from '../../client/create.js';
import type * as Schemas from '../../client/create.js';

interface Linked {
  links: { temporal_ui: string | null };
}
export type Agreement = Pick<Schemas.Agreement, 'uid' | 'state' | 'attention'> & Linked;
export type Payment = Pick<Schemas.Payment, 'uid' | 'state' | 'submissions'> & Linked;
export type TimelineFact = Pick<NonNullable<Schemas.TimelineEntry['fact']>, 'type' | 'state' | 'source'>;
export type AgreementBody = Schemas.CreateAgreement;
export type PaymentBody = Schemas.CreatePayment & { uid: string };

const TIMEOUT_MS = 40_000;

export type Api = ReturnType<typeof createApi>;

/** @param signal aborts all pending calls. */
export function createApi(url: string, apiKey: string, signal: AbortSignal) {
  const client = boundedClient(url, apiKey, signal);
  return {
    url,
    beginConnection: (id: string): Promise<Schemas.Connection> =>
      dataOf(client.POST('/v1/connections', { body: { id } })),
    getConnection: (id: string): Promise<Schemas.Connection> =>
      dataOf(client.GET('/v1/connections/{id}', { params: { path: { id } } })),
    createAgreement: (body: AgreementBody, wait: number): Promise<Agreement> =>
      dataOf(client.POST('/v1/agreements', { body, params: { query: { wait } } })),
    getAgreement: (uid: string, wait = 0): Promise<Agreement> =>
      dataOf(client.GET('/v1/agreements/{uid}', { params: { path: { uid }, query: { wait } } })),
    getTimeline: async (uid: string): Promise<TimelineFact[]> => {
      const params = { path: { uid }, query: { per_page: 200 } };
      const entries = await dataOf(client.GET('/v1/agreements/{uid}/timeline', { params }));
      return entries.flatMap(({ fact }) => fact ?? []);
    },
    requestPayment: async (uid: string, body: PaymentBody, wait: number): Promise<Payment> => {
      const params = { path: { uid }, query: { wait }, header: { 'Idempotency-Key': body.uid } };
      return paymentIn(
        await dataOf<Schemas.Payment | Schemas.DryRun>(
          client.POST('/v1/agreements/{uid}/payments', { body, params }),
        ),
      );
    },
    getPayment: (uid: string, wait = 0): Promise<Payment> =>
      dataOf(client.GET('/v1/payments/{uid}', { params: { path: { uid }, query: { wait } } })),
    listPayments: async (uid: string): Promise<string[]> => {
      const params = { path: { uid }, query: { per_page: 100 } };
      const payments = await dataOf(client.GET('/v1/agreements/{uid}/payments', { params }));
      return payments.map((payment) => payment.uid);
    },
  };
}

/** The typed client with a time limit on each call. @param signal aborts all pending calls. */
export const boundedClient = (url: string, apiKey: string, signal: AbortSignal): PaytoClient =>
  createClient({
    url,
    apiKey,
    fetch: (request) =>
      fetch(request, { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) }),
  });

/** The data of an answer. @throws ApiProblem */
export const dataOf = async <Data>(call: Parameters<typeof answerOf<{ data: Data }>>[0]): Promise<Data> =>
  (await answerOf(call)).data;
