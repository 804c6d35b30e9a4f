import { createSecretKey, randomInt, randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createActivities, type Activities } from '../../activities/index.js';
import { createOAuth } from '../../payments-api/oauth.js';
import { createPaymentsApi, type PaymentsApi } from '../../payments-api/client.js';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { startSandbox, type RunningSandbox } from '../../sandbox/start.js';
import { aTemporalThatTakesHeartbeats } from '../support/fake-temporal.js';
import { allowedBy } from '../support/consents.js';
import { NO_RECORDS, NO_WEBHOOKS } from '../support/no-records.js';
import { A_MANDATE, aClientOrder, anAbn, anOrder } from '../support/workflows/provider.js';
import type { StopStatus } from '../../activities/temporal/stops.js';

const CLIENT = { clientId: 'sandbox-client', clientSecret: 'sandbox-client-secret' };
const connectionId = 'acme';
let sandbox: RunningSandbox;
let redirectUri: string;
let activities: Activities;
let standing: StopStatus = 'free';

async function code(scope = 'pay_to_agreements pay_to_payments pay_to_suspensions'): Promise<string> {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: CLIENT.clientId,
    redirect_uri: redirectUri,
    scope,
    state: 's',
  });
  const form = `${sandbox.url}/oauth/authorize?${query.toString()}`;
  return new URL(await allowedBy(new URL(form))).searchParams.get('code') ?? '';
}

async function activitiesWith(
  scope?: string,
  between: (provider: PaymentsApi) => PaymentsApi = (provider) => provider,
): Promise<Activities> {
  const oauth = createOAuth({ ...CLIENT, authUrl: sandbox.url, redirectUri });
  const { accessToken } = await oauth.exchangeCode({ code: await code(scope) });
  return createActivities({
    oauth,
    payments: between(
      createPaymentsApi({
        baseUrl: sandbox.url,
        version: '20260901',
        versionHeader: 'Service-API-Version',
      }),
    ),
    withAccess: (id, work) => work({ accessToken, connectionId: id }),
    readStop: () => Promise.resolve(standing),
    records: NO_RECORDS,
    temporal: aTemporalThatTakesHeartbeats(),
    taskQueue: 'payto',
    tokenKeys: [{ id: 'k', key: createSecretKey(Buffer.alloc(32)) }],
    now: Date.now,
    sweep: { everyMs: 0, adopts: false, paceMs: 0, resumeMs: 0 },
    audit: { everyMs: 0, webhookUrl: undefined },
    settlement: { everyMs: 0 },
    webhooks: NO_WEBHOOKS,
    credits: { caseAfterMs: 0, decideWithinMs: 3_600_000 },
    highRisk: { codes: [], primary: undefined },
  });
}

const run = <Args, Result>(activity: (args: Args) => Promise<Result>, args: Args): Promise<Result> =>
  new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') }).run(activity, args);

const failureOf = async (work: Promise<unknown>): Promise<ApplicationFailure> => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ApplicationFailure) return error;
  throw new Error(`expected an ApplicationFailure, received ${String(error)}`);
};

const fresh = () => {
  const value = `200001-${randomInt(10_000_000, 99_999_999)}`;
  const debtor = { ...A_MANDATE.debtor, account_identifier: { type: 'bban', value } };
  return { uid: `agr-${randomUUID()}`, connectionId, mandate: { ...A_MANDATE, debtor } };
};

beforeAll(async () => {
  redirectUri = 'http://127.0.0.1:1/oauth/callback';
  sandbox = await startSandbox({ ...CLIENT, redirectUri, webhookUrl: 'http://127.0.0.1:1/webhooks' });
  activities = await activitiesWith();
});
beforeEach(() => {
  sandbox.control.clearFaults();
  standing = 'free';
});
afterAll(() => sandbox.close());

describe('sendCommand', () => {
  const suspension = {
    kind: 'suspension',
    body: { reason: 'initiating_party_requested', narrative: 'As agreed' },
  } as const;

  test('returns a snapshot if the provider refuses the command in the current state', async () => {
    const { uid, ...args } = fresh();
    sandbox.control.scriptPayer(uid, { simulate: 'ignore' });
    await run(activities.createAgreement, { ...args, uid });
    await sandbox.control.advance(1);
    expect(await run(activities.sendCommand, { uid, connectionId, command: suspension })).toMatchObject({
      outcome: 'out_of_place',
      code: 'ZPSUS00',
      fetched: { snapshot: { uid, state: 'created' }, history: [] },
    });
  });

  test('treats a repeat of a pending command as accepted', async () => {
    const { uid, ...args } = fresh();
    await run(activities.createAgreement, { ...args, uid });
    await sandbox.control.advance(1);
    const simulate = 'successful_suspension';
    sandbox.control.scriptAction(uid, { action: 'suspension', simulate, delay: 300 });
    for (let times = 0; times < 2; times += 1)
      expect(await run(activities.sendCommand, { uid, connectionId, command: suspension })).toEqual({
        outcome: 'accepted',
      });
  });

  test('treats a pending amendment as ours only if its changes are equal', async () => {
    const { uid } = fresh();
    const pending = (changes: { description?: string; validity_end_date?: string }) =>
      activitiesWith(undefined, (provider) => ({
        ...provider,
        proposeAmendment: () =>
          Promise.reject(
            new PaymentsApiError('rejected', 'no', { status: 422, problems: [{ code: 'ZPAMN01' }] }),
          ),
        getAmendment: () => Promise.resolve({ changes: { ...changes } }),
      }));
    const command = { kind: 'amendment', body: { changes: { description: 'Ours' } } } as const;
    const ours = await pending({ description: 'Ours' });
    expect(await run(ours.sendCommand, { uid, connectionId, command })).toEqual({ outcome: 'accepted' });
    const theirs = await pending({ validity_end_date: '2028-01-01' });
    expect(await failureOf(run(theirs.sendCommand, { uid, connectionId, command }))).toMatchObject({
      type: 'rejected',
      details: [{ providerCodes: ['ZPAMN01'] }],
    });
  });
});

describe('findClient', () => {
  test('finds all clients of the business with any name, and no others', async () => {
    const clients = await activitiesWith('clients');
    const order = aClientOrder({ australian_business_number: anAbn(randomUUID()) });
    const of = { uid: 'cli-1', connectionId, order };
    await run(clients.createClient, { ...of, order: aClientOrder() });
    expect(await run(clients.findClient, of)).toBeNull();
    const { snapshot } = await run(clients.createClient, of);
    expect(snapshot).toMatchObject({ uid: 'cli-1', state: 'pending' });
    const { clientId } = snapshot;
    expect(await run(clients.findClient, of)).toMatchObject({ snapshot: { clientId, fits: [clientId] } });
    const byAcn = { australian_business_number: undefined, australian_company_number: '004085616' };
    expect(await run(clients.findClient, { ...of, order: { ...order, ...byAcn } })).toBeNull();
    const renamed = { ...order, legal_name: 'CORNER GYM PTY. LTD.' };
    const second = await run(clients.createClient, { ...of, order: renamed });
    expect(await run(clients.findClient, of)).toMatchObject({
      snapshot: { fits: [second.snapshot.clientId, clientId] },
    });
    const at = { ...of, providerId: clientId };
    await run(clients.changeClient, { ...at, changes: { business_names: ['Gym'] } });
    expect(await run(clients.lookUpClient, at)).toMatchObject({
      snapshot: { clientId, state: 'pending', particulars: { business_names: ['Gym'] } },
    });
    const change = run(clients.changeClient, { ...at, changes: { website_url: '' } });
    expect(await failureOf(change)).toMatchObject({ type: 'rejected' });
  });
});

describe('createAgreement', () => {
  test('reports a duplicate uid for equal and different requests', async () => {
    const args = fresh();
    await run(activities.createAgreement, args);
    const other = { ...args, mandate: { ...args.mandate, description: 'Something else' } };
    for (const repeat of [args, other])
      expect(await failureOf(run(activities.createAgreement, repeat))).toMatchObject({
        type: 'rejected',
        details: [{ means: 'duplicate_uid' }],
      });
  });

  test("fails on a refusal with the provider's code and without its texts", async () => {
    const unusable = { type: 'bban', value: '100001-1234' };
    const mandate = { ...A_MANDATE, debtor: { party_name: 'A Payer', account_identifier: unusable } };
    const failure = await failureOf(run(activities.createAgreement, { ...fresh(), mandate }));
    expect(failure).toMatchObject({
      type: 'rejected',
      nonRetryable: true,
      details: [{ status: 422, providerCodes: ['ZPUNP01'] }],
    });
    expect(JSON.stringify(failure.details)).toMatch(/"advice":"[^"]+/);
    expect(JSON.stringify(failure)).not.toContain('A Payer');
  });
});

describe('watchAgreement', () => {
  test('fails with a retry delay if nothing is new, after one request', async () => {
    const { uid } = fresh();
    sandbox.control.scriptPayer(uid, { simulate: 'ignore' });
    await run(activities.createAgreement, { ...fresh(), uid });
    await sandbox.control.advance(1);
    const { seq: before } = sandbox.control.ledger().at(-1) ?? { seq: 0 };
    const args = { uid, connectionId, pollIntervals: 'payer_decision' as const, snapshotState: 'created' };
    const failure = await failureOf(run(activities.watchAgreement, args));
    expect(failure).toMatchObject({ type: 'nothing_new', nonRetryable: false, category: 'BENIGN' });
    expect(Number(failure.nextRetryDelay)).toBeGreaterThanOrEqual(13_500);
    expect(Number(failure.nextRetryDelay)).toBeLessThanOrEqual(16_500);
    expect(sandbox.control.ledger(before).filter(({ kind }) => kind === 'call')).toHaveLength(1);
  });
});

describe('payment activities', () => {
  const judgedNow = () => new Date().toISOString();
  const anActiveAgreement = async () => {
    const args = fresh();
    await run(activities.createAgreement, args);
    await sandbox.control.advance(1);
    return args.uid;
  };

  const throttled = (retryAfterMs: number) => (provider: PaymentsApi) => {
    const refuse = () =>
      Promise.reject(new PaymentsApiError('rate_limited', 'nothing was sent', { retryAfterMs }));
    return { ...provider, createPayment: refuse, getPayment: refuse };
  };

  test('submission over our rate limit is not sent and reports its delay', async () => {
    const limited = await activitiesWith(undefined, throttled(31_000));
    const args = {
      uid: `pay-${randomUUID()}`,
      connectionId,
      judgedAt: judgedNow(),
      order: anOrder('agr-nobody'),
    };
    expect(await failureOf(run(limited.submitPayment, args))).toMatchObject({
      type: 'queued',
      details: [{ retryAfterMs: 31_000 }],
    });
  });

  test.each(['stopped', 'unreadable'] as const)(
    'submission is held back while the stop status is %s, and continues afterwards',
    async (met) => {
      const order = anOrder(await anActiveAgreement());
      const args = { uid: `pay-${randomUUID()}`, connectionId, judgedAt: judgedNow(), order };
      standing = met;
      for (const sending of [run(activities.submitPayment, args), run(activities.retryPayment, args)])
        expect(await failureOf(sending)).toMatchObject({ type: 'stopped', category: 'BENIGN' });
      const waiting = await failureOf(run(activities.awaitResumption, args));
      expect(waiting).toMatchObject({ type: 'nothing_new', nonRetryable: false });
      await run(activities.createAgreement, fresh());
      standing = 'free';
      await run(activities.awaitResumption, args);
      expect(await run(activities.findPayment, args)).toBeNull();
      await run(activities.submitPayment, args);
      expect(await run(activities.findPayment, args)).not.toBeNull();
    },
  );

  test('look-up over our rate limit is retried after the delay', async () => {
    const limited = await activitiesWith(undefined, throttled(12_345));
    const lookUp = run(limited.lookUpPayment, { uid: 'pay-any', connectionId });
    expect(await failureOf(lookUp)).toMatchObject({
      type: 'queued',
      nonRetryable: false,
      nextRetryDelay: 12_345,
      category: 'BENIGN',
    });
  });

  test('findPayment returns null for a payment unknown to the provider', async () => {
    expect(await run(activities.findPayment, { uid: 'pay-nobody', connectionId })).toBeNull();
  });

  test('findPayment fails if the provider is unavailable', async () => {
    sandbox.control.addFault({ on: 'get_payment', do: 'error_500_before', times: 1 });
    expect(await failureOf(run(activities.findPayment, { uid: 'pay-nobody', connectionId }))).toMatchObject({
      type: 'unavailable',
    });
  });
});
