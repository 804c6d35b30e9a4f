// What is under way on an agreement goes on after a restart, and what a person may see tells no more than that.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../sandbox/start.js';
import { aDebtor, agreementOf, agreementPath, ask, toldOf, verdict } from './agreement-requests.js';
import { amend, recall } from './amendment-requests.js';
import { callerWith, consent } from './caller.js';
import { anAgreement } from './requests.js';

const NOWHERE = 'http://127.0.0.1:1/';
const NEW_TERMS = { payment_terms: { max_amount: 40_000 } };

test('pending actions, amendments, recalls, scripts and limits survive a restart', async () => {
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
  await ask(before, one.uid, 'suspension', { sandbox: { delay: 3600 } });
  await amend(before, one.uid, NEW_TERMS, { sandbox: { simulate: 'debtor_decline', delay: 3600 } });
  await amend(before, two.uid, NEW_TERMS, { sandbox: { delay: 7000 } });
  await first.control.advance(1);
  await recall(before, two.uid, { sandbox: { delay: 3600 } });
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
  const typesOf = async (uid: string) => (await toldOf(after, uid)).map(({ type }) => type);
  expect((await typesOf(one.uid)).toSorted()).toEqual(['activated', 'amendment_declined', 'suspended']);
  expect(await typesOf(two.uid)).toEqual(['activated', 'cancellation_failed', 'amended_recalled']);
  expect(await agreementOf(after, one.uid)).toMatchObject({
    state: 'suspended',
    state_caused_by: 'initiator',
  });
});
