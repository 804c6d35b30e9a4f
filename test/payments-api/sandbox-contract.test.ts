// The whole client against the sandbox: that both rooms read the provider's documents alike.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPaymentRequest, anAgreementRequest, paymentsApi } from './examples.js';
import { authorizeUrl } from '../../payments-api/authorize-url.js';
import { createOAuth } from '../../payments-api/oauth.js';
import { createVerifier, readNotifications } from '../../payments-api/webhook.js';
import { startSandbox } from '../../sandbox/start.js';
import { thrownBy } from './loopback.js';
import type { IncomingHttpHeaders } from 'node:http';
import type { RunningSandbox } from '../../sandbox/start.js';

const CLIENT = { clientId: 'sandbox-client', redirectUri: 'http://127.0.0.1:8080/oauth/callback' };
const SCOPES = 'pay_to_agreements pay_to_payments';

interface Pushed {
  body: Buffer;
  headers: IncomingHttpHeaders;
}

const pushed: Pushed[] = [];
const receiver = createServer((request, response) => {
  void buffer(request).then((body) => {
    pushed.push({ body, headers: request.headers });
    response.end();
  });
});
let sandbox: RunningSandbox;

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const address = receiver.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  sandbox = await startSandbox({ webhookUrl: `http://127.0.0.1:${port}/webhooks` });
  // One payer for every test: more than the six agreements a day that the provider takes for one account.
  sandbox.control.setLimits({ agreements_per_debtor_per_day: 1000 });
});
afterAll(async () => {
  await sandbox.close();
  receiver.close();
});

const oauth = (clientSecret = 'sandbox-client-secret') =>
  createOAuth({ authUrl: sandbox.url, clientSecret, ...CLIENT });
const api = () => paymentsApi(sandbox.url);

async function consent(scopes = SCOPES): Promise<string> {
  const url = new URL(authorizeUrl({ authUrl: sandbox.url, ...CLIENT, scopes }, 'state-1'));
  const body = new URLSearchParams([...url.searchParams, ['decision', 'allow']]);
  const response = await fetch(`${url.origin}${url.pathname}`, { method: 'POST', body, redirect: 'manual' });
  const back = new URL(response.headers.get('location') ?? '');
  expect(back.searchParams.get('state')).toBe('state-1');
  return back.searchParams.get('code') ?? '';
}

async function connected(scopes = SCOPES): Promise<{ accessToken: string; refreshToken: string }> {
  return oauth().exchangeCode({ code: await consent(scopes) });
}

async function activeAgreement(uid: string): Promise<{ accessToken: string }> {
  const call = await connected();
  sandbox.control.scriptPayer(uid, { simulate: 'debtor_accept' });
  await api().createAgreement({ ...anAgreementRequest(), ...openTerms(), uid }, call);
  await sandbox.control.advance(60);
  return call;
}

/** Terms that hold whatever today is. */
const openTerms = () => ({
  initiator: undefined,
  validity_start_date: undefined,
  validity_end_date: undefined,
  resolution_requested_before: undefined,
  cancel_if_unresolved: undefined,
  payment_terms: { type: 'variable', frequency: 'adhoc', max_amount: 25000 },
});

test('a consent becomes a token pair, and a refresh its successor', async () => {
  const first = await connected();
  const second = await oauth().refresh({ refreshToken: first.refreshToken });
  expect(second).toMatchObject({ expiresInSeconds: 7200, scope: SCOPES });
  expect(second.refreshToken).not.toBe(first.refreshToken);
});

test('a code and a refresh token are refused the second time', async () => {
  const code = await consent();
  const { refreshToken } = await oauth().exchangeCode({ code });
  expect(await thrownBy(() => oauth().exchangeCode({ code }))).toMatchObject({ code: 'grant_refused' });
  await oauth().refresh({ refreshToken });
  expect(await thrownBy(() => oauth().refresh({ refreshToken }))).toMatchObject({ code: 'grant_refused' });
});

test('a wrong client secret is the client’s fault, not the grant’s', async () => {
  const error = await thrownBy(() => oauth('wrong').refresh({ refreshToken: 'any' }));
  expect(error).toMatchObject({ code: 'client_refused' });
});

test('a token answer lost on its way is unavailable', async () => {
  const { refreshToken } = await connected();
  sandbox.control.addFault({ on: 'token', do: 'cut_after_commit', times: 1 });
  expect(await thrownBy(() => oauth().refresh({ refreshToken }))).toMatchObject({ code: 'unavailable' });
});

test('an agreement is created, accepted, read and told in its history', async () => {
  const call = await activeAgreement('agr-contract-1');
  const agreement = await api().getAgreement('agr-contract-1', call);
  const history = await api().getAgreementHistory('agr-contract-1', call);
  expect(agreement).toMatchObject({
    uid: 'agr-contract-1',
    state: 'active',
    mandate: { purpose: 'utility' },
  });
  expect(history).toMatchObject([{ type: 'activated', source: 'history', authenticated: true }]);
});

test('a taken uid is rejected by its code', async () => {
  const call = await activeAgreement('agr-contract-2');
  const again = { ...anAgreementRequest(), ...openTerms(), uid: 'agr-contract-2' };
  const error = await thrownBy(() => api().createAgreement(again, call));
  expect(error).toMatchObject({ code: 'rejected', status: 422, providerCodes: ['ZPAGR00'] });
});

test('an answer lost after the deed is unavailable, and the deed is found', async () => {
  const call = await connected();
  sandbox.control.addFault({ on: 'create_agreement', do: 'cut_after_commit', times: 1 });
  const request = { ...anAgreementRequest(), ...openTerms(), uid: 'agr-contract-3' };
  expect(await thrownBy(() => api().createAgreement(request, call))).toMatchObject({ code: 'unavailable' });
  expect(await api().getAgreement('agr-contract-3', call)).toMatchObject({ uid: 'agr-contract-3' });
});

test('a list is read over all its pages', async () => {
  for (const uid of ['agr-list-1', 'agr-list-2', 'agr-list-3']) await activeAgreement(uid);
  const uids = [];
  for await (const { uid } of api().listAgreements({ state: ['active'], perPage: 1 }, await connected()))
    uids.push(uid);
  expect(uids).toEqual(expect.arrayContaining(['agr-list-1', 'agr-list-2', 'agr-list-3']));
  expect(new Set(uids).size).toBe(uids.length);
});

test('a payment is created and settles', async () => {
  const call = await activeAgreement('agr-contract-4');
  const request = { ...aPaymentRequest(), agreement_uid: 'agr-contract-4', uid: 'pay-contract-1' };
  expect(await api().createPayment(request, call)).toMatchObject({ uid: 'pay-contract-1', state: 'created' });
  await sandbox.control.advance(60);
  const payment = await api().getPayment('pay-contract-1', call);
  expect(payment).toMatchObject({
    state: 'settled',
    order: { amount: 4200, creditor: { party_name: 'B Biller' } },
  });
});

test('what the sandbox pushes is verified, and tells the same event as its history', async () => {
  pushed.length = 0;
  const call = await activeAgreement('agr-contract-5');
  await sandbox.control.flushWebhooks();
  const [history] = await api().getAgreementHistory('agr-contract-5', call);
  const secrets = ['sandbox-webhook-secret'];
  const options = { secrets, signatureHeader: 'Service-Signature', toleranceSeconds: 300 };
  const verify = createVerifier({ verifier: 'hmac', ...options });
  const told = pushed.flatMap(({ body, headers }) => {
    const header = (name: string) => String(headers[name.toLowerCase()] ?? '');
    expect(verify(body, header, Date.now())).toEqual({ ok: true, authenticatesBody: true });
    return readNotifications(body, { receivedAt: new Date().toISOString(), authenticated: true });
  });
  const one = told.find(({ uid }) => uid === 'agr-contract-5');
  expect(one).toMatchObject({ resource: 'agreement', fact: { id: history?.id, type: 'activated' } });
  expect(one?.fact.publishedAt).toBe(history?.publishedAt);
});

test('a missing scope is forbidden and named', async () => {
  const call = await connected('public');
  const error = await thrownBy(() => api().getAgreement('agr-contract-1', call));
  expect(error).toMatchObject({ code: 'forbidden', requiredScope: 'pay_to_agreements' });
});

test('an unknown uid is not found, and a made-up token unauthorised', async () => {
  expect(await thrownBy(async () => api().getPayment('pay-none', await connected()))).toMatchObject({
    code: 'not_found',
  });
  expect(await thrownBy(() => api().getPayment('pay-none', { accessToken: 'made-up' }))).toMatchObject({
    code: 'unauthorised',
  });
});
