import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { fetchPatiently } from '../support/http.js';
import { consentAt } from '../support/consents.js';
import { aPayment, anAgreement } from '../support/road.js';
import { eventually } from '../support/temporal.js';
import { start, started, undocumented, type Room } from '../support/built-processes.js';
import { parseKeyring } from '../../sealing/keyring.js';
import { printPublicKey, publicKeyOf } from '../../sealing/public-key.js';
import { aDatabase } from '../support/database.js';
import { freePort } from '../../temporal-server/free-port.js';

const KEY = randomBytes(32).toString('hex');
const WEBHOOK_SECRET = randomBytes(32).toString('hex');
const CLIENT_SECRET = randomBytes(32).toString('hex');

async function variables(): Promise<Record<Room, Record<string, string>>> {
  const [apiPort, sandboxPort, metricsPort] = [await freePort(), await freePort(), await freePort()];
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const redirectUri = `http://127.0.0.1:${apiPort}/oauth/callback`;
  const both = {
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    TEMPORAL_NAMESPACE: 'default',
    TASK_QUEUE: `ship-${randomUUID()}`,
    PAYMENTS_AUTH_URL: sandboxUrl,
    OAUTH_CLIENT_ID: 'ship',
    OAUTH_REDIRECT_URI: redirectUri,
    RECORDS_URL: (await aDatabase()).url,
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  };
  const tokenKeys = `t1:${randomBytes(32).toString('base64')}`;
  return {
    sandbox: {
      SANDBOX_PORT: String(sandboxPort),
      SANDBOX_WEBHOOK_URL: `http://127.0.0.1:${apiPort}/webhooks`,
      SANDBOX_WEBHOOK_SECRET: WEBHOOK_SECRET,
      SANDBOX_CLIENT_ID: 'ship',
      SANDBOX_CLIENT_SECRET: CLIENT_SECRET,
      SANDBOX_REDIRECT_URI: redirectUri,
    },
    worker: {
      ...both,
      PAYMENTS_API_URL: sandboxUrl,
      TOKEN_KEYS: tokenKeys,
      OAUTH_CLIENT_SECRET: CLIENT_SECRET,
      METRICS_PORT: String(metricsPort),
    },
    api: {
      ...both,
      API_PORT: String(apiPort),
      ADMIN_PORT: String(await freePort()),
      API_KEYS: `ship:ship:read+write:${createHash('sha256').update(KEY).digest('hex')}`,
      WEBHOOK_VERIFIER: 'hmac',
      WEBHOOK_SECRETS: WEBHOOK_SECRET,
      OAUTH_SCOPES: 'pay_to_agreements pay_to_payments',
      CONSENT_CONFIRMATION: 'off',
      SESSION_KEYS: `s1:${randomBytes(32).toString('base64')}`,
      TOKEN_PUBLIC_KEY: printPublicKey(await publicKeyOf(parseKeyring(tokenKeys))),
    },
  };
}

const Answer = z.object({ data: z.looseObject({}) });
const OpenApi = z.object({ openapi: z.string() });
const Timeline = z.object({ data: z.array(z.object({ name: z.string() })) });

function backend(url: string) {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const post = async (path: string, body: object) => {
    const answer = await fetchPatiently(`${url}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return Answer.parse(await answer.json()).data;
  };
  const get = async (path: string): Promise<unknown> =>
    (await fetchPatiently(`${url}${path}`, { headers })).json();
  const until = (path: string, wanted: string) =>
    eventually(
      async () => Answer.parse(await get(path)).data,
      ({ state, status }) => (state ?? status) === wanted,
    );
  return { post, get, until };
}

describe('built processes', () => {
  test('work from consent to a settled payment and stop cleanly', async () => {
    const given = await variables();
    for (const room of ['sandbox', 'worker', 'api'] as const) {
      expect(await undocumented(room, given[room])).toEqual([]);
    }
    const running = {
      sandbox: await started('sandbox', given.sandbox, /^sandbox listening on /),
      worker: await started('worker', given.worker, /polling task queue/),
      api: await started('api', given.api, /^api listening on /m),
    };
    const url = `http://127.0.0.1:${given.api['API_PORT']}`;
    const { post, get, until } = backend(url);

    const connection = `con-${randomUUID()}`;
    const { authorize_url: authorizeUrl } = await post('/v1/connections', { id: connection });
    const page = await consentAt(String(authorizeUrl));
    expect([page.status, page.url.split('?')[0]]).toEqual([200, given.api['OAUTH_REDIRECT_URI']]);
    await until(`/v1/connections/${connection}`, 'healthy');

    const agreement = anAgreement(undefined, { connection });
    await post('/v1/agreements', agreement);
    await until(`/v1/agreements/${agreement.uid}`, 'active');
    const { data: facts } = Timeline.parse(await get(`/v1/agreements/${agreement.uid}/timeline`));
    expect(facts.map(({ name }) => name)).toContain('activated');

    const payment = aPayment();
    await post(`/v1/agreements/${agreement.uid}/payments`, payment);
    expect(await until(`/v1/payments/${payment.uid}`, 'settled')).toMatchObject({ amount: payment.amount });

    await answersOperators(
      url,
      `http://127.0.0.1:${given.api['ADMIN_PORT']}`,
      `http://127.0.0.1:${given.worker['METRICS_PORT']}/metrics`,
    );
    for (const { output } of Object.values(running)) {
      expect(output()).not.toContain(CLIENT_SECRET);
      expect(output()).not.toContain(KEY);
    }
    for (const room of ['api', 'worker', 'sandbox'] as const) {
      const exitCode = await running[room].stop();
      expect({ room, exitCode, output: running[room].output() }).toMatchObject({ room, exitCode: 0 });
    }
  });

  test.each([
    ['api', 'API_KEYS'],
    ['worker', 'PAYMENTS_API_URL'],
  ] as const)('of the %s report a missing %s', async (room, name) => {
    expect(await withoutOne(room, name)).toEqual({ exitCode: 78, lines: [expect.stringContaining(name)] });
  });
});

async function withoutOne(room: Room, name: string) {
  const { [name]: left, ...rest } = (await variables())[room];
  expect(left).toBeDefined();
  const process = start(room, rest);
  const exitCode = await process.ended;
  return { exitCode, lines: process.output().trim().split('\n') };
}

async function answersOperators(url: string, admin: string, workerMetrics: string): Promise<void> {
  for (const path of ['/healthz', '/docs', '/docs/viewer.js'])
    expect((await fetch(`${url}${path}`)).status, path).toBe(200);
  for (const path of ['/readyz', '/metrics', '/codec/login']) {
    expect((await fetch(`${admin}${path}`)).status, path).toBe(200);
    expect((await fetch(`${url}${path}`)).status, path).toBe(404);
  }
  expect(OpenApi.parse(await (await fetch(`${url}/openapi.json`)).json()).openapi).toMatch(/^3\.1/);
  await eventually(
    async () => (await fetch(`${admin}/metrics`)).text(),
    (metrics) => /payto_webhook_events_accepted_total\{.*\} [1-9]/.test(metrics),
  );
  await eventually(
    async () => (await fetch(workerMetrics)).text(),
    (metrics) => metrics.includes('temporal_workflow_completed_total'),
  );
}
