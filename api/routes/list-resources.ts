// Agreements, payments, refunds, clients, counterparties and onboardings over all of them, by what they wait for and what needs an operator.
// In:  GET /v1/agreements, GET /v1/payments, GET /v1/refunds, GET /v1/clients, GET /v1/counterparties, GET /v1/onboardings.
// Out: api/gateway/create.ts lists them by their search attributes.
import { AgreementsAnswer, summaryAnswer } from './agreement/answer.schema.js';
import { ClientsAnswer, clientSummary } from './client/answer.schema.js';
import { CounterpartiesAnswer, counterpartySummary } from './counterparty/answer.schema.js';
import {
  ListedPaymentsAnswer,
  ListedRefundsAnswer,
  listedPaymentAnswer,
  listedRefundAnswer,
} from './payment/list-answer.schema.js';
import { OnboardingsAnswer, onboardingSummary } from './onboarding/answer.schema.js';
import { contract, endpoint, json } from '../http/contract.js';
import type { ApiDependencies } from '../http/dependencies.js';
import { nextPage } from './links.js';
import { openCursor, sealCursor } from '../http/paging.js';
import {
  AgreementsQuery,
  ClientsQuery,
  OnboardingsQuery,
  CounterpartiesQuery,
  PaymentsQuery,
  RefundsQuery,
} from '../http/parameters.schema.js';
import type { ListPage } from '../gateway/temporal/lists.js';

/** What they have in common. */
const LIST = { method: 'get', access: 'read', connection: 'query', problems: [503] } as const;
const ONE_PAGE = 'One page, the newest first.';

type Asked = { cursor?: string | undefined } & Readonly<Record<string, string | number | undefined>>;

async function answerOf<Query extends Asked, Item, Answer>(
  { keyring, temporalUi }: ApiDependencies,
  list: 'agreements' | 'payments' | 'refunds' | 'clients' | 'counterparties' | 'onboardings',
  { cursor, ...query }: Query,
  {
    read,
    answer,
  }: {
    read: (cursor: string | undefined) => Promise<ListPage<Item>>;
    answer: (ui: ApiDependencies['temporalUi'], item: Item) => Answer;
  },
) {
  const page = await read(openCursor(keyring, list, cursor));
  return {
    data: page.items.map((item) => answer(temporalUi, item)),
    links: nextPage(`/v1/${list}`, query, sealCursor(keyring, list, page.next)),
  };
}

const ofAgreements = contract({
  ...LIST,
  path: '/v1/agreements',
  operationId: 'listAgreements',
  tags: ['agreements'],
  summary: 'Agreements by state, by what they wait for, by what needs an operator',
  request: { query: AgreementsQuery },
  answers: { 200: json(ONE_PAGE, AgreementsAnswer) },
});

export const listAgreements = endpoint(ofAgreements, (dependencies) => async (c) => {
  const query = c.req.valid('query');
  const { agreements } = dependencies.temporal;
  const read = (cursor: string | undefined) => agreements.list({ ...query, cursor });
  return c.json(await answerOf(dependencies, 'agreements', query, { read, answer: summaryAnswer }), 200);
});

const ofPayments = contract({
  ...LIST,
  path: '/v1/payments',
  operationId: 'listAllPayments',
  tags: ['payments'],
  summary: 'Payments of all agreements by state, by what needs an operator, by when they were asked for',
  request: { query: PaymentsQuery },
  answers: { 200: json(ONE_PAGE, ListedPaymentsAnswer) },
});

export const listAllPayments = endpoint(ofPayments, (dependencies) => async (c) => {
  const query = c.req.valid('query');
  const { payments } = dependencies.temporal;
  const read = (cursor: string | undefined) => payments.list({ ...query, cursor });
  return c.json(await answerOf(dependencies, 'payments', query, { read, answer: listedPaymentAnswer }), 200);
});

const ofRefunds = contract({
  ...LIST,
  path: '/v1/refunds',
  operationId: 'listAllRefunds',
  tags: ['payments'],
  summary: 'Refunds of all payments by state, by what needs an operator, by when they were asked for',
  request: { query: RefundsQuery },
  answers: { 200: json(ONE_PAGE, ListedRefundsAnswer) },
});

export const listAllRefunds = endpoint(ofRefunds, (dependencies) => async (c) => {
  const query = c.req.valid('query');
  const { refunds } = dependencies.temporal;
  const read = (cursor: string | undefined) => refunds.list({ ...query, cursor });
  return c.json(await answerOf(dependencies, 'refunds', query, { read, answer: listedRefundAnswer }), 200);
});

const ofClients = contract({
  ...LIST,
  path: '/v1/clients',
  operationId: 'listClients',
  tags: ['clients'],
  summary: 'Clients by state and by what needs an operator',
  request: { query: ClientsQuery },
  answers: { 200: json(ONE_PAGE, ClientsAnswer) },
});

export const listClients = endpoint(ofClients, (dependencies) => async (c) => {
  const query = c.req.valid('query');
  const { clients } = dependencies.temporal;
  const read = (cursor: string | undefined) => clients.list({ ...query, cursor });
  return c.json(await answerOf(dependencies, 'clients', query, { read, answer: clientSummary }), 200);
});

const ofOnboardings = contract({
  ...LIST,
  path: '/v1/onboardings',
  operationId: 'listOnboardings',
  tags: ['onboardings'],
  summary: 'Onboardings by the step that they are at, and by what needs a person',
  request: { query: OnboardingsQuery },
  answers: { 200: json(ONE_PAGE, OnboardingsAnswer) },
});

export const listOnboardings = endpoint(ofOnboardings, (dependencies) => async (c) => {
  const query = c.req.valid('query');
  const { onboardings } = dependencies.temporal;
  const read = (cursor: string | undefined) => onboardings.list({ ...query, cursor });
  return c.json(await answerOf(dependencies, 'onboardings', query, { read, answer: onboardingSummary }), 200);
});

const ofCounterparties = contract({
  ...LIST,
  path: '/v1/counterparties',
  operationId: 'listCounterparties',
  tags: ['counterparties'],
  summary: 'Counterparties by what they wait for and by what needs an operator',
  request: { query: CounterpartiesQuery },
  answers: { 200: json(ONE_PAGE, CounterpartiesAnswer) },
});

export const listCounterparties = endpoint(ofCounterparties, (dependencies) => async (c) => {
  const query = c.req.valid('query');
  const { counterparties } = dependencies.temporal;
  const read = (cursor: string | undefined) => counterparties.list({ ...query, cursor });
  const page = await answerOf(dependencies, 'counterparties', query, { read, answer: counterpartySummary });
  return c.json(page, 200);
});
