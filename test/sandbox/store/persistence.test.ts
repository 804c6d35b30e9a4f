import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, describe } from 'vitest';
import { startSandbox, type RunningSandbox } from '../../../sandbox/start.js';
import {
  aDebtor,
  agreementOf,
  agreementPath,
  ask,
  historyOf,
  verdict,
  amend,
  recall,
} from '../../support/sandbox/agreements.js';
import { callerWith, consent, refresh, type Answer } from '../../support/sandbox/caller.js';
import { ADHOC, anEndedPayment, aRefund, codesOf, FLOAT_ID, pay } from '../../support/sandbox/payments.js';
import { startReceiver } from '../../support/sandbox/receiver.js';
import { anAgreement } from '../../support/sandbox/requests.js';
import { anActiveAgreement } from '../../support/sandbox/world.js';

describe('sandbox restart', () => {
  async function aDirectory(): Promise<string> {
    const directory = await mkdtemp(join(tmpdir(), 'sandbox-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    return directory;
  }

  test('preserves agreements, grants, time and pending events', async () => {
    const dataFile = join(await aDirectory(), 'kept', 'sandbox.json');
    const first = await startSandbox({ dataFile, webhookUrl: 'http://127.0.0.1:1/' });
    const tokens = await consent(first.url);
    const request = anAgreement({ sandbox: { simulate: 'debtor_accept', delay: 3600 } });
    await callerWith(first.url, tokens.access).post('/payto/agreements', request);
    await first.control.advance(600);
    const ledger = first.control.ledger();
    await first.close();
    expect(await readFile(dataFile, 'utf8')).not.toContain(tokens.refresh);

    const receiver = await startReceiver();
    const second = await startSandbox({ dataFile, webhookUrl: receiver.url });
    onTestFinished(async () => {
      await second.close();
      await receiver.close();
    });
    expect(Date.parse(second.control.state().now)).toBeGreaterThanOrEqual(Date.now() + 599_000);
    expect(second.control.ledger()).toEqual(ledger);
    const { data } = await callerWith(second.url, tokens.access).get(`/payto/agreements/${request.uid}`);
    expect(data.state).toBe('created');
    await second.control.advance(3001);
    expect(receiver.types()).toEqual(['payto_agreement.activated']);
    expect((await refresh(second.url, tokens.refresh)).status).toBe(200);
  });

  test('preserves settings, faults and held webhooks', async () => {
    const dataFile = join(await aDirectory(), 'sandbox.json');
    const receiver = await startReceiver();
    const first = await startSandbox({ dataFile, webhookUrl: receiver.url });
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
    const kept = { ...first.control.state(), now: '' };
    await first.close();
    expect(receiver.received).toEqual([]);

    const second = await startSandbox({ dataFile, webhookUrl: receiver.url });
    onTestFinished(async () => {
      await second.close();
      await receiver.close();
    });
    const found = { ...second.control.state(), now: '' };
    const text = JSON.stringify(kept).replaceAll(first.url, second.url);
    expect(found).toEqual(JSON.parse(text));
    second.control.actAsPayer(request.uid, 'cancel');
    await second.control.flushWebhooks();
    expect(receiver.types()).toEqual(['payto_agreement.activated', 'payto_agreement.cancelled']);
    expect(receiver.received).toHaveLength(1);
  });

  test('refuses an invalid data file and leaves it unchanged', async () => {
    const dataFile = join(await aDirectory(), 'sandbox.json');
    await writeFile(dataFile, '{"mine":true}');
    await expect(startSandbox({ dataFile })).rejects.toThrow(/^SANDBOX_DATA_FILE must be/);
    expect(await readFile(dataFile, 'utf8')).toBe('{"mine":true}');
  });
});

describe('restart during agreement commands', () => {
  const NOWHERE = 'http://127.0.0.1:1/';
  const NEW_TERMS = { payment_terms: { max_amount: 40_000 } };

  test('preserves pending commands, amendments, recalls, scripts and limits', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'sandbox-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const dataFile = join(directory, 'sandbox.json');
    const first = await startSandbox({ dataFile, webhookUrl: NOWHERE });
    const { access } = await consent(first.url);
    const before = { caller: callerWith(first.url, access) };
    first.control.setLimits({ agreements_per_debtor_per_day: 1 });
    const [one, two] = [anAgreement({ debtor: aDebtor() }), anAgreement({ debtor: aDebtor() })];
    for (const request of [one, two]) await before.caller.post('/payto/agreements', request);
    await first.control.advance(1);
    await ask(before, one.uid, 'suspension', { sandbox: { simulate: 'successful_suspension', delay: 3600 } });
    await amend(before, one.uid, NEW_TERMS, { sandbox: { simulate: 'debtor_decline', delay: 3600 } });
    await amend(before, two.uid, NEW_TERMS, { sandbox: { simulate: 'debtor_accept', delay: 7000 } });
    await first.control.advance(1);
    first.control.scriptAction(two.uid, { action: 'recall', simulate: 'successful_recall', delay: 3600 });
    await recall(before, two.uid);
    first.control.scriptAction(two.uid, { action: 'cancellation', simulate: 'cancellation_failed' });
    await first.close();

    const second = await startSandbox({ dataFile, webhookUrl: NOWHERE });
    onTestFinished(() => second.close());
    const after = { caller: callerWith(second.url, access) };
    expect(verdict(await ask(after, one.uid, 'suspension'))).toBe('ZPSUS01');
    expect(verdict(await recall(after, two.uid))).toBe('ZPARE01');
    expect((await after.caller.get(agreementPath(one.uid, 'amendment'))).data['changes']).toEqual(NEW_TERMS);
    expect(verdict(await after.caller.post('/payto/agreements', anAgreement({ debtor: one.debtor })))).toBe(
      'ZPAGR15',
    );
    await ask(after, two.uid, 'cancellation');
    await second.control.advance(3700);
    const typesOf = async (uid: string) => (await historyOf(after, uid)).map(({ type }) => type);
    expect((await typesOf(one.uid)).toSorted()).toEqual(['activated', 'amendment_declined', 'suspended']);
    expect(await typesOf(two.uid)).toEqual(['activated', 'cancellation_failed', 'amended_recalled']);
    expect(await agreementOf(after, one.uid)).toMatchObject({
      state: 'suspended',
      state_caused_by: 'initiator',
    });
  });
});

describe('restart during payments', () => {
  const FAILS = { sandbox: { simulate: 'insufficient_funds' } };

  async function aRestartable(): Promise<() => Promise<RunningSandbox>> {
    const directory = await mkdtemp(join(tmpdir(), 'sandbox-'));
    const dataFile = join(directory, 'sandbox.json');
    const running: RunningSandbox[] = [];
    onTestFinished(async () => {
      for (const sandbox of running) await sandbox.close();
      await rm(directory, { recursive: true });
    });
    return async () => {
      await running.at(-1)?.close();
      const sandbox = await startSandbox({ dataFile, webhookUrl: 'http://127.0.0.1:1/' });
      running.push(sandbox);
      return sandbox;
    };
  }

  test('preserves payments, refunds, balances and scripts', async () => {
    const restart = await aRestartable();
    const first = await restart();
    const { access } = await consent(first.url);
    const before = { caller: callerWith(first.url, access), control: first.control };
    const agreementUid = await anActiveAgreement(before, ADHOC);
    const settled = await anEndedPayment(before, agreementUid, { amount: 1000 });
    first.control.scriptPayment('pay-pending', { simulate: 'pending_then_settle', delay: 600 });
    await pay(before, agreementUid, { uid: 'pay-pending' });
    await first.control.advance(60);
    for (let i = 0; i < 5; i += 1) await anEndedPayment(before, agreementUid, FAILS);
    const failed = await anEndedPayment(before, agreementUid, FAILS);
    first.control.scriptPayment(failed, { simulate: 'FRAD' });
    const refund = aRefund(settled, { sandbox: { simulate: 'success', delay: 60 } });
    await before.caller.post('/payto/refunds', refund);
    await first.control.advance(1);
    const paths = ['/payto/payments', '/payto/refunds', `/bank_accounts/${FLOAT_ID}/entries`];
    const read = async (
      caller: { get: (path: string) => Promise<Answer> },
      url: string,
    ): Promise<unknown[]> =>
      Promise.all(
        paths.map(async (path) => JSON.stringify((await caller.get(path)).list).replaceAll(url, '')),
      );
    const published = await read(before.caller, first.url);

    const second = await restart();
    const after = { caller: callerWith(second.url, access), control: second.control };
    expect(await read(after.caller, second.url)).toEqual(published);
    expect(codesOf(await after.caller.post(`/payto/payments/${failed}/retry`, {}))).toEqual([202]);
    await second.control.advance(1);
    expect((await after.caller.get(`/payto/payments/${failed}`)).data).toMatchObject({
      failure: { code: 'FRAD' },
    });
    expect((await after.caller.get(`/payto/agreements/${agreementUid}`)).data.state).toBe('suspended');
    await second.control.advance(700);
    expect((await after.caller.get('/payto/payments/pay-pending')).data.state).toBe('settled');
    expect((await after.caller.get(`/payto/refunds/${refund.uid}`)).data.state).toBe('processed');
    const { data } = await after.caller.get(`/bank_accounts/${FLOAT_ID}`);
    expect(data['available_balance']).toBe(1000 + 4200 - 100);
  });
});
