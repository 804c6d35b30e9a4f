// What of payments, refunds and float accounts survives a restart: all of it, also what is still to come.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox, type RunningSandbox } from '../../sandbox/start.js';
import { callerWith, consent, type Answer } from './caller.js';
import { ADHOC, anEndedPayment, aRefund, codesOf, FLOAT_ID, pay } from './payment-requests.js';
import { anActiveAgreement } from './world.js';

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

test('payments go on along their script, counts and money are kept', async () => {
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
  const refund = aRefund(settled, { sandbox: { delay: 60 } });
  await before.caller.post('/payto/refunds', refund);
  await first.control.advance(1);
  const paths = ['/payto/payments', '/payto/refunds', `/bank_accounts/${FLOAT_ID}/entries`];
  // Links begin with where the sandbox listens, and that is another port after a restart.
  const read = async (caller: { get: (path: string) => Promise<Answer> }, url: string): Promise<unknown[]> =>
    Promise.all(paths.map(async (path) => JSON.stringify((await caller.get(path)).list).replaceAll(url, '')));
  const told = await read(before.caller, first.url);

  const second = await restart();
  const after = { caller: callerWith(second.url, access), control: second.control };
  expect(await read(after.caller, second.url)).toEqual(told);
  expect(codesOf(await after.caller.post(`/payto/payments/${failed}/retry`, {}))).toEqual([202]);
  await second.control.advance(1);
  expect((await after.caller.get(`/payto/payments/${failed}`)).data).toMatchObject({
    failure: { code: 'FRAD' },
  });
  // That was the seventh failure in a row, six of them before the restart.
  expect((await after.caller.get(`/payto/agreements/${agreementUid}`)).data.state).toBe('suspended');
  await second.control.advance(700);
  expect((await after.caller.get('/payto/payments/pay-pending')).data.state).toBe('settled');
  expect((await after.caller.get(`/payto/refunds/${refund.uid}`)).data.state).toBe('processed');
  const { data } = await after.caller.get(`/bank_accounts/${FLOAT_ID}`);
  expect(data['available_balance']).toBe(1000 + 4200 - 100);
});
