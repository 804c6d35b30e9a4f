// A restart with a data file preserves everything, and an invalid file is refused unchanged.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox, type RunningSandbox } from '../../../sandbox/start.js';
import {
  aDebtor,
  agreementOf,
  amend,
  amendmentOf,
  sendAction,
  historyOf,
  NEW_TERMS,
  recall,
  verdict,
} from '../../support/sandbox/agreements.js';
import { callerWith, consent, refresh, type Caller } from '../../support/sandbox/caller.js';
import {
  aCounterparty,
  aPaymentAccount,
  aRegisteredClient,
  THIRD_PARTY,
} from '../../support/sandbox/clients.js';
import {
  ADHOC,
  anEndedPayment,
  aRefund,
  codesOf,
  FLOAT_ID,
  pay,
  paymentOf,
} from '../../support/sandbox/payments.js';
import { startReceiver, type Receiver } from '../../support/sandbox/receiver.js';
import { anAgreement, anAliasLookup, aValidation } from '../../support/sandbox/requests.js';
import { anActiveAgreement, aWorld } from '../../support/sandbox/world.js';

interface Restartable {
  dataFile: string;
  receiver: Receiver;
  restart: () => Promise<RunningSandbox>;
}

async function aRestartable(): Promise<Restartable> {
  const directory = await mkdtemp(join(tmpdir(), 'sandbox-'));
  const dataFile = join(directory, 'kept', 'sandbox.json');
  const receiver = await startReceiver();
  const running: RunningSandbox[] = [];
  onTestFinished(async () => {
    for (const sandbox of running) await sandbox.close();
    await receiver.close();
    await rm(directory, { recursive: true });
  });
  const restart = async () => {
    await running.at(-1)?.close();
    const sandbox = await startSandbox({ dataFile, webhookUrl: receiver.url });
    running.push(sandbox);
    return sandbox;
  };
  return { dataFile, receiver, restart };
}

const worldOf = ({ url, control }: RunningSandbox, token: string) => ({
  caller: callerWith(url, token),
  control,
});

test('a restart preserves grants, time and pending events', async () => {
  const { dataFile, receiver, restart } = await aRestartable();
  const first = await restart();
  const tokens = await consent(first.url);
  const request = anAgreement({ sandbox: { simulate: 'debtor_accept', delay: 3600 } });
  await callerWith(first.url, tokens.access).post('/payto/agreements', request);
  await first.control.advance(600);
  const ledger = first.control.ledger();

  const second = await restart();
  expect(await readFile(dataFile, 'utf8')).not.toContain(tokens.refresh);
  expect(Date.parse(second.control.state().now)).toBeGreaterThanOrEqual(Date.now() + 599_000);
  expect(second.control.ledger()).toEqual(ledger);
  const { data } = await callerWith(second.url, tokens.access).get(`/payto/agreements/${request.uid}`);
  expect(data.state).toBe('created');
  await second.control.advance(3001);
  expect(receiver.types()).toEqual(['payto_agreement.activated']);
  expect((await refresh(second.url, tokens.refresh)).status).toBe(200);
});

test('a restart preserves settings, faults and batched webhooks', async () => {
  const { receiver, restart } = await aRestartable();
  const first = await restart();
  const { access } = await consent(first.url);
  const request = anAgreement();
  first.control.setLimits({ payment_cents: 77 });
  first.control.setOrganisation({ minimum_version: '20260101', deep_hierarchy: true });
  first.control.setApplication({ scopes: ['public', 'pay_to_agreements', 'webhooks'] });
  first.control.setOAuth({ grace_seconds: 5 });
  first.control.addFault({ on: 'webhook', do: 'batch', size: 2, delay_seconds: 600, times: 1 });
  first.control.addFault({ on: 'ping', do: 'slow', delay_ms: 7, share: 0.5, resource_uid: 'x' });
  await callerWith(first.url, access).post('/payto/agreements', request);
  await first.control.advance(1);
  const before = JSON.stringify({ ...first.control.state(), now: '' });

  const second = await restart();
  expect(receiver.received).toEqual([]);
  const after = { ...second.control.state(), now: '' };
  expect(after).toEqual(JSON.parse(before.replaceAll(first.url, second.url)));
  second.control.actAsPayer(request.uid, 'cancel');
  await second.control.flushWebhooks();
  expect(receiver.types()).toEqual(['payto_agreement.activated', 'payto_agreement.cancelled']);
  expect(receiver.received).toHaveLength(1);
});

test('a restart preserves the seed and how far it has selected', async () => {
  const { restart } = await aRestartable();
  const half = { on: 'ping', do: 'error_500_before', share: 0.5 } as const;
  const statusesOf = async (caller: Caller, calls: number): Promise<number[]> => {
    const statuses: number[] = [];
    while (statuses.length < calls) statuses.push((await caller.get('/ping')).status);
    return statuses;
  };
  const first = await restart();
  const { access } = await consent(first.url);
  const { seed } = first.control.state();
  first.control.addFault(half);
  const before = await statusesOf(callerWith(first.url, access), 20);
  const second = await restart();
  const after = await statusesOf(callerWith(second.url, access), 20);
  const { caller, control } = await aWorld({ seed });
  control.addFault(half);
  expect([...before, ...after]).toEqual(await statusesOf(caller, 40));
});

test('an invalid data file is refused and left unchanged', async () => {
  const { dataFile, restart } = await aRestartable();
  await (await restart()).close();
  await writeFile(dataFile, '{"mine":true}');
  await expect(startSandbox({ dataFile })).rejects.toThrow(/^SANDBOX_DATA_FILE must be/);
  expect(await readFile(dataFile, 'utf8')).toBe('{"mine":true}');
});

test('a restart preserves pending commands, amendments, recalls, scripts and limits', async () => {
  const { restart } = await aRestartable();
  const first = await restart();
  const { access } = await consent(first.url);
  const before = worldOf(first, access);
  first.control.setLimits({ agreements_per_debtor_per_day: 1 });
  const debtor = aDebtor();
  const one = await anActiveAgreement(before, { debtor });
  const two = await anActiveAgreement(before, { debtor: aDebtor() });
  const taking = (simulate: string, delay: number) => ({ sandbox: { simulate, delay } });
  await sendAction(before, one, 'suspension', taking('successful_suspension', 3600));
  await amend(before, one, NEW_TERMS, taking('debtor_decline', 3600));
  await amend(before, two, NEW_TERMS, taking('debtor_accept', 7000));
  await first.control.advance(1);
  first.control.scriptAction(two, { action: 'recall', simulate: 'successful_recall', delay: 3600 });
  await recall(before, two);
  first.control.scriptAction(two, { action: 'cancellation', simulate: 'cancellation_failed' });

  const second = await restart();
  const after = worldOf(second, access);
  expect(verdict(await sendAction(after, one, 'suspension'))).toBe('ZPSUS01');
  expect(verdict(await recall(after, two))).toBe('ZPARE01');
  expect((await amendmentOf(after, one)).data['changes']).toEqual(NEW_TERMS);
  const limited = await after.caller.post('/payto/agreements', anAgreement({ debtor }));
  expect(verdict(limited)).toBe('ZPAGR15');
  await sendAction(after, two, 'cancellation');
  await second.control.advance(3700);
  const typesOf = async (uid: string) => (await historyOf(after, uid)).map(({ type }) => type);
  expect((await typesOf(one)).toSorted()).toEqual(['activated', 'amendment_declined', 'suspended']);
  expect(await typesOf(two)).toEqual(['activated', 'cancellation_failed', 'amended_recalled']);
  const suspended = { state: 'suspended', state_caused_by: 'initiator' };
  expect(await agreementOf(after, one)).toMatchObject(suspended);
});

test('a restart preserves payments, refunds, balances and scripts', async () => {
  const { restart } = await aRestartable();
  const failing = { sandbox: { simulate: 'insufficient_funds' } };
  const first = await restart();
  const { access } = await consent(first.url);
  const before = worldOf(first, access);
  const agreementUid = await anActiveAgreement(before, ADHOC);
  const settled = await anEndedPayment(before, agreementUid, { amount: 1000 });
  first.control.scriptPayment('pay-pending', { simulate: 'pending_then_settle', delay: 600 });
  await pay(before, agreementUid, { uid: 'pay-pending' });
  await first.control.advance(60);
  for (let i = 0; i < 5; i += 1) await anEndedPayment(before, agreementUid, failing);
  const failed = await anEndedPayment(before, agreementUid, failing);
  first.control.scriptPayment(failed, { simulate: 'FRAD' });
  const refund = aRefund(settled, { sandbox: { simulate: 'success', delay: 60 } });
  await before.caller.post('/payto/refunds', refund);
  await first.control.advance(1);
  const paths = ['/payto/payments', '/payto/refunds', `/bank_accounts/${FLOAT_ID}/entries`];
  const published = async ({ caller }: { caller: Caller }, url: string): Promise<string> => {
    const lists = await Promise.all(paths.map(async (path) => (await caller.get(path)).list));
    return JSON.stringify(lists).replaceAll(url, '');
  };
  const listed = await published(before, first.url);

  const second = await restart();
  const after = worldOf(second, access);
  expect(await published(after, second.url)).toBe(listed);
  expect(codesOf(await after.caller.post(`/payto/payments/${failed}/retry`, {}))).toEqual([202]);
  await second.control.advance(1);
  expect(await paymentOf(after, failed)).toMatchObject({ failure: { code: 'FRAD' } });
  expect((await agreementOf(after, agreementUid)).state).toBe('suspended');
  await second.control.advance(700);
  expect((await paymentOf(after, 'pay-pending')).state).toBe('settled');
  expect((await after.caller.get(`/payto/refunds/${refund.uid}`)).data.state).toBe('processed');
  const { data } = await after.caller.get(`/bank_accounts/${FLOAT_ID}`);
  expect(data['available_balance']).toBe(1000 + 4200 - 100);
});

test('a restart preserves clients, accounts, limits, uids and pending services', async () => {
  const { restart } = await aRestartable();
  const first = await restart();
  const { access } = await consent(first.url);
  const before = callerWith(first.url, access);
  first.control.setLimits({ alias_lookups_per_requester_per_day: 1 });
  first.control.setMerchantCategory('primary', '7995');
  const id = await aRegisteredClient({ caller: before });
  const account = aPaymentAccount({ uid: 'kept', verification: THIRD_PARTY });
  const registration = aCounterparty({ payment_accounts: [account] });
  const validation = aValidation();
  await before.post('/counterparties', registration);
  await before.post('/cop/account/validate', validation);
  await before.post('/payto/alias_resolution', anAliasLookup());

  const second = await restart();
  const after = callerWith(second.url, access);
  for (const payto of ['pending', 'active']) {
    expect((await after.get(`/clients/${id}`)).data['services']).toMatchObject({ payto });
    await second.control.advance(60);
  }
  const refused: [string, object][] = [
    ['/counterparties', { payment_accounts: [aPaymentAccount()] }],
    ['/counterparties', registration],
    ['/cop/account/validate', validation],
    ['/payto/alias_resolution', anAliasLookup()],
  ];
  for (const [path, body] of refused) expect((await after.post(path, body)).status).toBe(422);
  const initiated = await after.post('/payto/agreements', anAgreement({ initiator: { client_id: id } }));
  expect([initiated.status, initiated.data['initiator']]).toMatchObject([201, { abn: '11222333444' }]);
});
