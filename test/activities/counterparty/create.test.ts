// An account is checked with the provider, and an existing counterparty is adopted.
import { createSecretKey } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, test } from 'vitest';
import { createActivities } from '../../../activities/index.js';
import { createPaymentsApi, type PaymentsApi } from '../../../payments-api/client.js';
import { PaymentsApiError } from '../../../payments-api/errors.js';
import { createOAuth } from '../../../payments-api/oauth.js';
import { NO_RECORDS, NO_WEBHOOKS } from '../../support/no-records.js';
import { anAccountOrder } from '../../support/workflows/provider.js';

const OURS = {
  clientId: 'c',
  clientSecret: 's',
  authUrl: 'http://127.0.0.1:1',
  redirectUri: 'http://r.test',
};
const provider = { baseUrl: 'http://127.0.0.1:1', version: '20260901', versionHeader: 'Service-API-Version' };

const activitiesOver = (given: Partial<PaymentsApi>) =>
  createActivities({
    oauth: createOAuth(OURS),
    payments: { ...createPaymentsApi(provider), ...given },
    withAccess: (id, work) => work({ accessToken: 't', connectionId: id }),
    readStop: () => Promise.resolve('free'),
    records: NO_RECORDS,
    temporal: new Client({ connection: Connection.lazy() }),
    taskQueue: 'payto',
    tokenKeys: [{ id: 'k', key: createSecretKey(Buffer.alloc(32)) }],
    now: () => Date.UTC(2026, 10, 1),
    sweep: { everyMs: 0, adopts: false, paceMs: 0, resumeMs: 0 },
    audit: { everyMs: 0, webhookUrl: undefined },
    settlement: { everyMs: 0 },
    webhooks: NO_WEBHOOKS,
    credits: { caseAfterMs: 0, decideWithinMs: 3_600_000 },
    highRisk: { codes: [], primary: undefined },
  });
const run = <Args, Result>(activity: (args: Args) => Promise<Result>, args: Args): Promise<Result> =>
  new MockActivityEnvironment().run(activity, args);

const of = { uid: 'cp-1', connectionId: 'acme' };
const { account_identifier } = anAccountOrder();
const registration = { payment_accounts: [{ uid: 'acc-1', account_identifier }] };

describe('createCounterparty', () => {
  const created = (answer: Awaited<ReturnType<PaymentsApi['createCounterparty']>>) =>
    run(activitiesOver({ createCounterparty: () => Promise.resolve(answer) }).createCounterparty, {
      ...of,
      registration,
    });
  const refused = (detail: string, ...codes: string[]) => {
    const problems = codes.map((code) => ({ code, detail }));
    const error = new PaymentsApiError('rejected', 'no', { status: 422, problems });
    const { createCounterparty } = activitiesOver({ createCounterparty: () => Promise.reject(error) });
    return run(createCounterparty, { ...of, registration });
  };

  test.each([
    [{ id: 'at-1' }, 'at-1', 'acc-1'],
    [{ uid: 'at-2', payment_accounts: [{ uid: 'acc-1', account_identifier }] }, 'at-2', 'acc-1'],
    [{ id: 'at-3', payment_accounts: [{ uid: 'theirs', account_identifier }] }, 'at-3', 'theirs'],
    [{}, undefined, 'acc-1'],
  ])('takes the provider ids from the response %j', async (answer, counterpartyId, accountUid) => {
    const { snapshot } = await created(answer);
    expect(snapshot).toMatchObject({ state: 'registered', accountUids: [accountUid] });
    expect(snapshot.counterpartyId).toBe(counterpartyId);
  });

  test('treats a duplicate uid code as an existing counterparty, at any position', async () => {
    const { snapshot } = await refused('no word of a uid', 'ZPUNP00', 'ZPAGR00');
    expect(snapshot).toMatchObject({ state: 'registered', accountUids: ['acc-1'], isTaken: true });
  });

  test.each(['account acc-1: the branch 200001 does not exist', 'payment_accounts: uid acc-1 is taken'])(
    'treats a refusal without that code as a failure: %s',
    async (detail) => {
      await expect(refused(detail, 'ZPUNP00')).rejects.toMatchObject({ type: 'rejected' });
    },
  );
});

describe('verifyAccount', () => {
  const asking = { ...of, reference: 'acc-1-1', account: { account_identifier, party_name: 'Ada Payer' } };
  const payer = { requester_id: 'me', remote_ip: '203.0.113.7' };

  test.each([
    [payer, 'me'],
    [undefined, 'acme'],
  ])('validates the account with the reference as uid, for the requester of %j', async (given, requester) => {
    const asked: Parameters<PaymentsApi['validateAccount']>[0][] = [];
    const { verifyAccount } = activitiesOver({
      validateAccount: (request) => {
        asked.push(request);
        return Promise.resolve({ outcome: { result: 'nearly', match_name: 'ADA' } });
      },
    });
    const check = 'account_validation';
    expect(await run(verifyAccount, { ...asking, check, payer: given })).toEqual({
      ...{ outcome: 'undecided', result: 'nearly', reference: 'acc-1-1', name: 'ADA' },
    });
    expect(asked).toMatchObject([{ uid: 'acc-1-1', requester: { id: requester } }]);
  });

  test('resolves a PayID, and refuses one without a payer', async () => {
    const { verifyAccount } = activitiesOver({
      resolveAlias: ({ requester }) => Promise.resolve({ display_name: `for ${requester.remote_ip}` }),
    });
    const check = 'alias_resolution';
    expect(await run(verifyAccount, { ...asking, check, payer })).toEqual({
      ...{ outcome: 'resolved', name: 'for 203.0.113.7' },
    });
    await expect(run(verifyAccount, { ...asking, check })).rejects.toHaveProperty(
      'cause.message',
      'no payer given; expected the person who resolves the PayID',
    );
  });
});
