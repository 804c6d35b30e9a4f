import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anOnboarding } from '../support/an-onboarding.js';
import { openGate, type Gate, type GatedCall } from '../support/gate.js';
import { openRoad, type Road } from '../support/road.js';
import { eventually, useTemporal } from '../support/temporal.js';
import { anAbn } from '../support/workflows/provider.js';
import { startWorkerProcess, type WorkerProcess } from '../support/processes.js';
import type { OnboardingStep } from '../../domain/onboarding/steps.js';

const LIMIT_MS = 360_000;

const temporal = useTemporal();
const taskQueue = `killed-${randomUUID()}`;
const closing: (() => Promise<void>)[] = [];
let road: Road;
let gate: Gate;
let worker: WorkerProcess;
let connection = '';

type Case = ReturnType<typeof aCase>;

function aCase(step: OnboardingStep, index: number) {
  const { client, counterparty, agreement, payment, ...rest } = anOnboarding('');
  const account_identifier = { type: 'bban' as const, value: `200001-1230000${index}` };
  const whole = {
    ...rest,
    client: {
      ...client,
      legal_name: `Client of ${rest.id}`,
      australian_business_number: anAbn(rest.id),
    },
    counterparty: {
      uid: `cp-${rest.id}`,
      payment_accounts: counterparty.payment_accounts.map((one) => ({ ...one, account_identifier })),
    },
    agreement: { ...agreement, uid: `agr-${rest.id}`, debtor: { ...agreement.debtor, account_identifier } },
    payment: { ...payment, uid: `pay-${rest.id}` },
  };
  return { step, ...whole };
}

const CASES = (['counterparty', 'client', 'agreement', 'payer_decision', 'first_payment'] as const).map(
  aCase,
);

const CUT_SHORT: Readonly<Partial<Record<OnboardingStep, (of: Case) => Omit<GatedCall, 'how'>>>> = {
  client: ({ client }) => ({ method: 'POST', ending: '/clients', uid: client.legal_name }),
  counterparty: ({ agreement: { debtor } }) => ({
    method: 'POST',
    ending: '/counterparties',
    uid: debtor.account_identifier.value,
  }),
  agreement: ({ agreement: { uid } }) => ({ method: 'POST', ending: '/payto/agreements', uid }),
  first_payment: ({ payment: { uid } }) => ({ method: 'POST', ending: '/payto/payments', uid }),
};

async function enter(of: Case): Promise<void> {
  const { step, ...asked } = of;
  const call = CUT_SHORT[step]?.(of);
  const hasArrived = call === undefined ? undefined : gate.hold({ ...call, how: 'after' });
  if (step === 'payer_decision')
    road.sandbox.control.scriptPayer(asked.agreement.uid, { simulate: 'ignore' });
  await road.backend.onboard({ ...asked, connection });
  if (step !== 'counterparty' && step !== 'client') await approve(of);
  if (hasArrived !== undefined) return void (await eventually(hasArrived, (isThere) => isThere));
  await road.backend.untilOnboarding(asked.id, ({ steps }) =>
    steps.some(({ step: one, state }) => one === step && state === 'under_way'),
  );
}

async function goOn(of: Case): Promise<void> {
  const { step, agreement } = of;
  if (step === 'payer_decision') road.sandbox.control.actAsPayer(agreement.uid, 'accept');
  if (step === 'counterparty') await adopt(of);
  if (step === 'counterparty' || step === 'client') await approve(of);
}

async function approve({ client: { uid } }: Case): Promise<void> {
  const { client_id } = await road.backend.untilClient(uid, (seen) => seen.client_id !== null);
  try {
    road.sandbox.control.setClientService(client_id ?? '', 'payto', 'active');
  } catch (error) {
    if (!String(error).endsWith('it is active')) throw error;
  }
}

async function adopt({ counterparty: { uid } }: Case): Promise<void> {
  await road.backend.untilCounterparty(uid, ({ attention }) =>
    attention.some(({ code }) => code === 'parked'),
  );
  const said = { reason: 'The provider has it', decision: 'adopt' } as const;
  expect((await road.backend.resolveParked(uid, said, `adopt-${uid}`)).status).toBe(200);
}

beforeAll(async () => {
  road = await openRoad(temporal, taskQueue);
  closing.push(() => road.close());
  gate = await openGate(road.sandbox.url);
  closing.push(() => gate.close());
  connection = `con-${randomUUID()}`;
  road.sandbox.control.setWebhookUrl(`${road.url}/webhooks/${connection}`);
  worker = await startWorkerProcess(road, taskQueue, gate.url);
  closing.push(() => worker.kill());
  expect((await road.consent(connection)).data).toMatchObject({ status: 'healthy' });
  await Promise.all(CASES.map(enter));
  await worker.kill();
  gate.release();
  worker = await startWorkerProcess(road, taskQueue, gate.url);
  await Promise.all(CASES.map(goOn));
}, LIMIT_MS);

afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

test.each(CASES)(
  'an onboarding whose worker is killed at $step finishes and creates each part once',
  async ({ id, client, agreement, payment }) => {
    await road.backend.untilOnboarding(id, ({ state }) => state === 'done');
    const { clients, agreements, payments } = road.sandbox.control.state();
    expect(clients.filter(({ legal_name }) => legal_name === client.legal_name)).toHaveLength(1);
    expect(agreements.filter(({ uid }) => uid === agreement.uid)).toHaveLength(1);
    expect(payments.filter(({ agreement_uid: of }) => of === agreement.uid)).toMatchObject([
      { uid: payment.uid, state: 'settled' },
    ]);
  },
  LIMIT_MS,
);

test('each onboarding creates exactly one counterparty', () => {
  expect(road.sandbox.control.state().counterparties).toHaveLength(CASES.length);
});
