import { randomInt, randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readAgreementHistoryActivity } from '../../../activities/agreement/read-history.js';
import { inOrder } from '../../../domain/facts/fact.js';
import { placeOf } from '../../../domain/facts/timeline.js';
import { createPaymentsApi } from '../../../payments-api/client.js';
import { startSandbox } from '../../../sandbox/start.js';
import { consent } from '../../support/sandbox/caller.js';
import { aFact } from '../../support/facts.js';
import { A_MANDATE } from '../../support/workflows/provider.js';
import type { Fact } from '../../../domain/facts/fact.js';
import type { OlderFacts, Place } from '../../../domain/facts/timeline.js';
import type { Call, PaymentsApi } from '../../../payments-api/client.js';
import type { RunningSandbox } from '../../../sandbox/start.js';

let sandbox: RunningSandbox;
let payments: PaymentsApi;
let call: Call;

beforeAll(async () => {
  sandbox = await startSandbox({ webhookUrl: 'http://127.0.0.1:1/webhooks' });
  sandbox.control.addFault({ on: 'webhook', do: 'lose' });
  payments = createPaymentsApi({
    baseUrl: sandbox.url,
    version: '20260901',
    versionHeader: 'Service-API-Version',
  });
  call = { accessToken: (await consent(sandbox.url, 'pay_to_agreements')).access };
});
beforeEach(() => {
  sandbox.control.clearFaults();
  sandbox.control.addFault({ on: 'webhook', do: 'lose' });
});
afterAll(() => sandbox.close());

const reading = (from: PaymentsApi = payments, by: () => Call = () => call) =>
  readAgreementHistoryActivity({ payments: from, withAccess: (_connection, work) => work(by()) });

async function withHistory(events: number): Promise<{ uid: string; history: Fact[] }> {
  const uid = `agr-${randomUUID()}`;
  const value = `200001-${randomInt(10_000_000, 99_999_999)}`;
  const debtor = { party_name: 'A Payer', account_identifier: { type: 'bban', value } };
  await payments.createAgreement({ ...A_MANDATE, debtor, uid }, call);
  await sandbox.control.advance(1);
  for (let count = 1; count < events; count += 1)
    sandbox.control.actAsPayer(uid, count % 2 === 1 ? 'suspend' : 'reactivate');
  const history = inOrder(await payments.getAgreementHistory(uid, call));
  expect(history).toHaveLength(events);
  return { uid, history };
}

const idsOf = (facts: readonly Fact[]): string[] => facts.map(({ id }) => id);
const LATER: Place = ['9999-12-31T00:00:00.000Z', ''];

async function failureOf(work: Promise<OlderFacts>): Promise<ApplicationFailure> {
  const met: unknown = await work.catch((error: unknown) => error);
  if (!(met instanceof ApplicationFailure)) throw new Error(`expected a failure, got ${JSON.stringify(met)}`);
  return met;
}

describe('reading older facts', () => {
  test('returns the facts not stored by us, oldest first, with the types of the provider', async () => {
    const { uid, history } = await withHistory(9);
    const kept = history.slice(6);
    const [newest] = kept.slice(-1);
    const before = newest === undefined ? LATER : placeOf(newest);
    const read = await reading()({ uid, connectionId: 'acme', before, stored: idsOf(kept) });
    expect(idsOf(read.facts)).toEqual(idsOf(history.slice(0, 6)));
    expect(read.isLast).toBe(true);
    expect(read.facts[0]).toMatchObject({ type: 'activated', source: 'history', authenticated: true });
  });

  test('returns all of 5000 events in parts within the payload limit of Temporal', async () => {
    const { uid, history } = await withHistory(5000);
    const parts: OlderFacts[] = [];
    for (let since: Place | undefined; ;) {
      const part = await reading()({ uid, connectionId: 'acme', since, before: LATER, stored: [] });
      parts.push(part);
      const last = part.facts.at(-1);
      if (part.isLast || last === undefined) break;
      since = placeOf(last);
    }
    expect(parts.flatMap(({ facts }) => idsOf(facts))).toEqual(idsOf(history));
    expect(parts.length).toBeLessThan(12);
    for (const part of parts) expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThan(1024 * 1024);
  });

  test('requests each page of the history exactly once', async () => {
    const { uid } = await withHistory(205);
    const { seq = 0 } = sandbox.control.ledger().at(-1) ?? {};
    await reading()({ uid, connectionId: 'acme', before: LATER, stored: [] });
    const calls = sandbox.control.ledger(seq).filter(({ kind }) => kind === 'call');
    expect(calls.map((entry) => entry.kind === 'call' && entry.operation)).toEqual(
      Array(3).fill('agreement_history'),
    );
  });
});

describe('failure to read older facts', () => {
  const asked = (uid: string) => ({ uid, connectionId: 'acme', before: LATER, stored: [] });

  test('carries the status and scope reported by the provider', async () => {
    expect(await failureOf(reading()(asked('nobody-knows')))).toMatchObject({
      type: 'not_found',
      details: [{ status: 404 }],
    });
    const narrow = { accessToken: (await consent(sandbox.url, 'pay_to_payments')).access };
    const { uid } = await withHistory(1);
    expect(await failureOf(reading(payments, () => narrow)(asked(uid)))).toMatchObject({
      type: 'forbidden',
      nonRetryable: true,
      details: [{ status: 403, requiredScope: 'pay_to_agreements' }],
    });
  });

  test('is retryable if the provider was unavailable', async () => {
    const { uid } = await withHistory(1);
    sandbox.control.addFault({ on: 'agreement_history', do: 'error_503', times: 1 });
    expect(await failureOf(reading()(asked(uid)))).toMatchObject({
      type: 'unavailable',
      nonRetryable: false,
      details: [{ status: 503 }],
    });
    expect((await reading()(asked(uid))).facts).toHaveLength(1);
  });
});

test('a duplicate entry of a history is returned once', async () => {
  const fact = aFact('suspended');
  const twice = { ...payments, getAgreementHistory: () => Promise.resolve([fact, fact]) };
  const read = await reading(twice)({ uid: 'a', connectionId: 'acme', before: LATER, stored: [] });
  expect(read.facts).toEqual([fact]);
});
