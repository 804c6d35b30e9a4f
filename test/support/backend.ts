import { randomUUID } from 'node:crypto';
import { answerOf, createClient, paymentIn } from '../../client/create.js';
import { fetchPatiently } from './http.js';
import { eventually } from './temporal.js';
import type * as Schemas from '../../client/create.js';

export type Agreement = Schemas.Agreement;
export type Connection = Schemas.Connection;
export type Payment = Schemas.Payment;
export type Fact = NonNullable<Schemas.TimelineEntry['fact']>;
export type AgreementBody = Schemas.CreateAgreement;
export type PaymentBody = Schemas.CreatePayment;

export interface ApiAnswer<Data> {
  status: number;
  data: Data | undefined;
  problem: Schemas.Problem | undefined;
}

export interface Asking {
  wait?: number;
  key?: string;
}

interface TimelineQuery {
  from?: 'beginning';
  cursor?: string;
  per_page?: number;
}

export type Backend = ReturnType<typeof createBackend>;

export function createBackend(
  url: string,
  apiKey: string,
  fetch: (request: Request) => Promise<Response> = fetchPatiently,
) {
  const client = createClient({ url, apiKey, fetch });
  const named = (uid: string, { wait = 20, key = randomUUID() }: Asking) => ({
    path: { uid },
    query: { wait },
    header: { 'Idempotency-Key': key },
  });
  const connection = (id: string) =>
    answerTo(client.GET('/v1/connections/{id}', { params: { path: { id } } }));
  const agreement = (uid: string) =>
    answerTo(client.GET('/v1/agreements/{uid}', { params: { path: { uid } } }));
  const payment = (uid: string) => answerTo(client.GET('/v1/payments/{uid}', { params: { path: { uid } } }));
  const registered = (uid: string) =>
    answerTo(client.GET('/v1/clients/{uid}', { params: { path: { uid } } }));
  const counterparty = (uid: string) =>
    answerTo(client.GET('/v1/counterparties/{uid}', { params: { path: { uid } } }));
  return {
    connection,
    agreement,
    payment,
    untilConnection: (id: string, isIt: (seen: Connection) => boolean) => until(() => connection(id), isIt),
    untilAgreement: (uid: string, isIt: (seen: Agreement) => boolean) => until(() => agreement(uid), isIt),
    untilPayment: (uid: string, isIt: (seen: Payment) => boolean) => until(() => payment(uid), isIt),
    connect: (id: string) => answerTo(client.POST('/v1/connections', { body: { id } })),
    reauthorise: (id: string, body?: { accept_other_account: true; reason: string }) =>
      answerTo(
        client.POST('/v1/connections/{id}/reauthorisation', {
          params: { path: { id } },
          ...(body && { body }),
        }),
      ),
    revoke: (id: string, reason: string) =>
      answerTo(
        client.POST('/v1/connections/{id}/revocation', { params: { path: { id } }, body: { reason } }),
      ),
    create: (body: AgreementBody, wait = 20) =>
      answerTo(client.POST('/v1/agreements', { body, params: { query: { wait } } })),
    pay: async (uid: string, body: PaymentBody, { wait = 0, ...asking }: Asking = {}) => {
      const { data, ...rest } = await answerTo<Payment | Schemas.DryRun>(
        client.POST('/v1/agreements/{uid}/payments', { body, params: named(uid, { wait, ...asking }) }),
      );
      return { ...rest, data: data && paymentIn(data) };
    },
    refund: (paymentUid: string, body: Schemas.CreateRefund, asking: Asking = {}) =>
      answerTo(
        client.POST('/v1/payments/{uid}/refunds', {
          body,
          params: named(paymentUid, { wait: 0, ...asking }),
        }),
      ),
    refunds: (paymentUid: string) =>
      answerTo(client.GET('/v1/payments/{uid}/refunds', { params: { path: { uid: paymentUid } } })),
    untilRefund: (uid: string, isIt: (seen: Schemas.Refund) => boolean) =>
      until(() => answerTo(client.GET('/v1/refunds/{uid}', { params: { path: { uid } } })), isIt),
    register: (body: Schemas.CreateClient, wait = 0) =>
      answerTo(client.POST('/v1/clients', { body, params: { query: { wait } } })),
    changeClient: (uid: string, body: Schemas.UpdateClient, key: string) =>
      answerTo(
        client.PATCH('/v1/clients/{uid}', {
          body,
          params: { path: { uid }, header: { 'Idempotency-Key': key } },
        }),
      ),
    lookUpClient: (uid: string) =>
      answerTo(client.POST('/v1/clients/{uid}/look-up', { params: { path: { uid } } })),
    client: registered,
    untilClient: (uid: string, isIt: (seen: Schemas.InitiatingClient) => boolean) =>
      until(() => registered(uid), isIt),
    onboard: (body: Schemas.StartOnboarding, wait = 0) =>
      answerTo(client.POST('/v1/onboardings', { body, params: { query: { wait } } })),
    untilOnboarding: (id: string, isIt: (seen: Schemas.Onboarding) => boolean) =>
      until(() => answerTo(client.GET('/v1/onboardings/{id}', { params: { path: { id } } })), isIt),
    correctOnboarding: (id: string, body: Schemas.CorrectOnboarding, key: string) =>
      answerTo(
        client.POST('/v1/onboardings/{id}/correction', {
          body,
          params: { path: { id }, header: { 'Idempotency-Key': key } },
        }),
      ),
    resumeOnboarding: (id: string, reason: string, key: string) =>
      answerTo(
        client.POST('/v1/onboardings/{id}/resumption', {
          body: { reason },
          params: { path: { id }, header: { 'Idempotency-Key': key } },
        }),
      ),
    retry: (uid: string, body: Schemas.RetryPayment) =>
      answerTo(client.POST('/v1/payments/{uid}/retry', { body, params: named(uid, { wait: 0 }) })),
    abandonOnboarding: (id: string, reason: string, key: string) =>
      answerTo(
        client.POST('/v1/onboardings/{id}/abandonment', {
          body: { reason },
          params: { path: { id }, header: { 'Idempotency-Key': key } },
        }),
      ),
    counterparty,
    party: (body: Schemas.CreateCounterparty, wait = 0) =>
      answerTo(client.POST('/v1/counterparties', { body, params: { query: { wait } } })),
    untilCounterparty: (uid: string, isIt: (seen: Schemas.Counterparty) => boolean) =>
      until(() => counterparty(uid), isIt),
    correctAccount: (uid: string, body: Schemas.CorrectCounterparty, key: string) =>
      answerTo(
        client.POST('/v1/counterparties/{uid}/correction', {
          body,
          params: { path: { uid }, header: { 'Idempotency-Key': key } },
        }),
      ),
    acceptCloseMatch: (uid: string, body: Schemas.AcceptCloseMatch, key: string) =>
      answerTo(
        client.POST('/v1/counterparties/{uid}/acceptance', {
          body,
          params: { path: { uid }, header: { 'Idempotency-Key': key } },
        }),
      ),
    resolveParked: (uid: string, body: Schemas.ResolveAttention, key: string) =>
      answerTo(
        client.POST('/v1/counterparties/{uid}/attention/{code}/resolution', {
          body,
          params: { path: { uid, code: 'parked' }, header: { 'Idempotency-Key': key } },
        }),
      ),
    suspend: (uid: string, body: Schemas.SuspendAgreement, asking: Asking = {}) =>
      answerTo(client.POST('/v1/agreements/{uid}/suspension', { body, params: named(uid, asking) })),
    reactivate: (uid: string, asking: Asking = {}) =>
      answerTo(client.POST('/v1/agreements/{uid}/reactivation', { params: named(uid, asking) })),
    cancel: (uid: string, body: Schemas.CancelAgreement, asking: Asking = {}) =>
      answerTo(client.POST('/v1/agreements/{uid}/cancellation', { body, params: named(uid, asking) })),
    identify: (uid: string, body: Schemas.IdentifyAgreement, asking: Asking = {}) =>
      answerTo(client.POST('/v1/agreements/{uid}/identification', { body, params: named(uid, asking) })),
    amend: (uid: string, changes: Schemas.AgreementChanges, asking: Asking = {}) =>
      answerTo(
        client.POST('/v1/agreements/{uid}/amendment', { body: { changes }, params: named(uid, asking) }),
      ),
    recall: (uid: string, asking: Asking = {}) =>
      answerTo(client.POST('/v1/agreements/{uid}/amendment/recall', { params: named(uid, asking) })),
    lookUp: (uid: string) =>
      answerTo(client.POST('/v1/agreements/{uid}/look-up', { params: { path: { uid } } })),
    wholeTimeline: async (uid: string, query: TimelineQuery = {}): Promise<Fact[]> => {
      const facts: Fact[] = [];
      const perPage = query.per_page === undefined ? {} : { per_page: query.per_page };
      for (let asked: TimelineQuery | undefined = query; asked !== undefined;) {
        const params: { path: { uid: string }; query: TimelineQuery } = { path: { uid }, query: asked };
        const { data, links } = await answerOf(client.GET('/v1/agreements/{uid}/timeline', { params }));
        facts.push(...data.flatMap(({ fact }) => fact ?? []));
        const cursor = links.next === undefined ? null : new URL(links.next, url).searchParams.get('cursor');
        asked = cursor === null ? undefined : { ...perPage, cursor };
      }
      return facts;
    },
  };
}

interface Answered<Data> {
  data?: { data: Data };
  error?: Schemas.Problem;
  response: Response;
}

async function answerTo<Data>(call: Promise<Answered<Data>>): Promise<ApiAnswer<Data>> {
  const { data, error, response } = await call;
  return { status: response.status, data: data?.data, problem: error };
}

async function until<Data>(
  ask: () => Promise<ApiAnswer<Data>>,
  isIt: (data: Data) => boolean,
): Promise<Data> {
  const { data } = await eventually(ask, (answer) => answer.data !== undefined && isIt(answer.data));
  if (data === undefined) throw new Error('expected a response with data');
  return data;
}
