// The first answer to a request that creates a resource is the view of its new workflow.
import { Client, Connection } from '@temporalio/client';
import { beforeEach, expect, test, vi } from 'vitest';
import { createAgreementsGateway } from '../../../api/gateway/agreements.js';
import { createBatchesGateway } from '../../../api/gateway/batches.js';
import { createClientsGateway } from '../../../api/gateway/clients.js';
import { createCounterpartiesGateway } from '../../../api/gateway/counterparties.js';
import { createPaymentsGateway } from '../../../api/gateway/payments.js';
import { createRecorded } from '../../../api/gateway/records.js';
import { createRefundsGateway } from '../../../api/gateway/refunds.js';
import { createCalls } from '../../../api/gateway/temporal/calls.js';
import { COUNTERPARTY as COUNTERPARTIES } from '../../../api/routes/counterparty/answer.schema.js';
import { paymentAnswer } from '../../../api/routes/payment/answer.schema.js';
import { AGREEMENT } from '../../../workflows/agreement/definition.js';
import { newBatch } from '../../../workflows/batch/state.js';
import { viewOf as batchView } from '../../../workflows/batch/view.js';
import { CLIENT } from '../../../workflows/client/definition.js';
import { COUNTERPARTY } from '../../../workflows/counterparty/definition.js';
import { setAwaiting } from '../../../workflows/engine/awaiting.js';
import { PAYMENT } from '../../../workflows/payment/definition.js';
import { REFUND } from '../../../workflows/refund/definition.js';
import { aMandate } from '../../support/api/builders.js';
import { RECORDS_AWAY } from '../../support/records-away.js';
import { aClientOrder, aCounterpartyOrder, anAccountOrder } from '../../support/workflows/provider.js';
import type { Awaiting, AwaitingWhat } from '../../../domain/attention/awaiting.js';

const NOW = '2026-07-01T02:00:00.000Z';
const UI = { url: 'http://ui', namespace: 'default' };
const JUDGED = { at: NOW, state: 'active', terms: {} } as const;
const connectionId = 'acme';
const ADMITTED = { uid: 'new-1', connectionId, requestedAt: NOW, judged: JUDGED };
const CALLER = { principal: 'shop', connections: undefined };
const REQUESTED = { connection: 'acme', caller: CALLER, payer: undefined };
const PAYMENT_ORDER = { agreement_uid: 'agr-1', amount: 4200, priority: '' } as const;
const REFUND_ORDER = {
  original_payment_uid: 'pay-1',
  refund_payment: { type: 'pay_to_payment', agreement_uid: 'agr-1', amount: 100 },
} as const;
const EVIDENCE = {
  method: 'third_party_provider',
  provider_name: 'x',
  reference: 'y',
  verified_at: '2026-01-01',
} as const;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(NOW), toFake: ['Date'] });
  return () => vi.useRealTimers();
});

/** Temporal starts each workflow, and a running agreement or payment admits each request. */
function admitting() {
  const client = new Client({ connection: Connection.lazy() });
  const start = vi.spyOn(client.workflow, 'start').mockResolvedValue({ firstExecutionRunId: 'r-1' } as never);
  vi.spyOn(client.workflow, 'getHandle').mockReturnValue({ signal: () => Promise.resolve() } as never);
  const calls = {
    ...createCalls({ client, taskQueue: 'payto', recorded: createRecorded(RECORDS_AWAY) }),
    describe: vi.fn().mockResolvedValue({ isOpen: true, runId: 'r-1' }),
    update: vi
      .fn()
      .mockResolvedValue({ connectionId, judged: JUDGED, answer: { connectionId, requestedAt: NOW } }),
    read: vi.fn().mockResolvedValue(undefined),
  };
  const inputOf = (workflow: string): unknown =>
    start.mock.calls.find(([name]) => name === workflow)?.[1].args?.[0];
  return { calls, inputOf };
}

const choose = () => Promise.resolve('acme');
const counterparty = ({ calls }: ReturnType<typeof admitting>, order = aCounterpartyOrder()) =>
  createCounterpartiesGateway(calls, choose).start({ ...REQUESTED, on: () => ({ uid: 'new-1', order }) });
const payment = ({ calls }: ReturnType<typeof admitting>) =>
  createPaymentsGateway(calls).request('new-1', PAYMENT_ORDER, undefined, undefined, CALLER);

interface Begun<State, Step> {
  begin: (input: never, now: string) => State;
  desiredSteps: (state: State) => readonly Step[];
  rules: Readonly<Record<string, { awaiting: AwaitingWhat }>>;
  viewOf: (state: State) => object;
}

/** The view of a new workflow that has chosen its first step. */
function viewAtStart<State extends { awaiting: Awaiting }, Step extends { do: string }>(
  { begin, desiredSteps, rules, viewOf }: Begun<State, Step>,
  input: unknown,
): object {
  const state = begin(input as never, NOW);
  const [first] = desiredSteps(state);
  return viewOf(setAwaiting(state, rules[first?.do ?? '']?.awaiting ?? 'nothing', NOW));
}

const admitted = (order: object) => ({ ...ADMITTED, order, requestedBy: 'shop' });

test.each([
  {
    resource: 'agreement',
    request: ({ calls }: ReturnType<typeof admitting>) =>
      createAgreementsGateway(calls, choose).start({ ...REQUESTED, uid: 'new-1', mandate: aMandate() }),
    atStart: (input: unknown) => viewAtStart(AGREEMENT, input),
  },
  {
    resource: 'client',
    request: ({ calls }: ReturnType<typeof admitting>) =>
      createClientsGateway(calls, choose).start({
        ...REQUESTED,
        uidOn: () => 'new-1',
        order: aClientOrder(),
        depth: 1,
      }),
    atStart: (input: unknown) => viewAtStart(CLIENT, input),
  },
  {
    resource: 'counterparty',
    request: counterparty,
    atStart: (input: unknown) => viewAtStart(COUNTERPARTY, input),
  },
  { resource: 'payment', request: payment, atStart: () => viewAtStart(PAYMENT, admitted(PAYMENT_ORDER)) },
  {
    resource: 'refund',
    request: ({ calls }: ReturnType<typeof admitting>) =>
      createRefundsGateway(calls).request({ uid: 'new-1', order: REFUND_ORDER, by: 'shop' }, CALLER),
    atStart: () => viewAtStart(REFUND, admitted(REFUND_ORDER)),
  },
  {
    resource: 'batch',
    request: ({ calls }: ReturnType<typeof admitting>) =>
      createBatchesGateway(calls, choose).start({
        ...REQUESTED,
        id: 'new-1',
        kind: 'payments',
        isDryRun: true,
        rows: [],
      }),
    // The rows are handed over before the answer.
    atStart: (input: unknown) => ({ ...batchView(newBatch(input as never, NOW)), state: 'running' }),
  },
])(
  'the first answer of a new $resource is the view of its workflow',
  async ({ resource, request, atStart }) => {
    const admission = admitting();
    expect(await request(admission)).toEqual(atStart(admission.inputOf(resource)));
  },
);

test('the first answer of a payment has the judgement that admitted it', async () => {
  const { judgements } = paymentAnswer(UI, await payment(admitting()));
  expect(judgements).toMatchObject([{ at: NOW, attempt: 1 }]);
});

test('the first answer of a counterparty shows which of its accounts are cleared', async () => {
  const order = aCounterpartyOrder(
    anAccountOrder('a', { verification: undefined }),
    anAccountOrder('b', { verification: EVIDENCE }),
    anAccountOrder('c'),
  );
  const { payment_accounts: accounts } = await COUNTERPARTIES.answer(
    UI,
    await counterparty(admitting(), order),
    { isOperator: true, neededScopes: '' },
  );
  expect(accounts.map(({ is_cleared }) => is_cleared)).toEqual([true, true, false]);
  expect(accounts[1]).toMatchObject({ outcome: { outcome: 'evidence' } });
});
