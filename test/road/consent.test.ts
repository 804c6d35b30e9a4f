// Only the newest consent link works, and only once and for the confirmed account.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { accessContext } from '../../sealing/contexts.js';
import { SealError, open as openSealed } from '../../sealing/keyring.js';
import { connectionWorkflowId, getAccess } from '../../workflows/connection/contract.js';
import { allowedAt, consentAt } from '../support/consents.js';
import { openHttpStack, type HttpStack } from '../support/http-stack.js';
import { useTemporal } from '../support/temporal.js';
import { active, overHttp } from '../support/over-http.js';

const temporal = useTemporal();

const linkFor = async ({ backend }: HttpStack, connection: string): Promise<string> =>
  (await backend.reauthorise(connection)).data?.authorize_url ?? '';
const wayBack = async (link: string) => {
  const { url, cookie } = await allowedAt(link);
  return { url: new URL(url), cookie };
};
const open = async ({ url, cookie }: { url: URL; cookie: string }, method = 'GET') => {
  const response = await fetch(url, { method, redirect: 'manual', headers: { cookie } });
  return { status: response.status, page: await response.text() };
};
/** Each consent begins the next hundred of generations. A refresh, which may come at any time, adds one. */
async function isHealthy({ backend }: HttpStack, connection: string, consented: number): Promise<void> {
  const { data } = await backend.connection(connection);
  expect(data).toMatchObject({ status: 'healthy', attention: [] });
  const generation = data?.generation ?? 0;
  expect(generation).toBeGreaterThanOrEqual(consented);
  expect(generation).toBeLessThan(consented + 100);
}
const codesOf = ({ sandbox }: HttpStack) =>
  sandbox.control
    .ledger()
    .flatMap((entry) =>
      entry.kind === 'token' && entry.grant_type === 'authorization_code' ? [entry.outcome] : [],
    );

test('a consent link works once, only if it is the newest, and refuses denied or stolen codes', async () => {
  await overHttp(temporal, async (http, connection) => {
    const older = await wayBack(await linkFor(http, connection));
    const link = await linkFor(http, connection);
    const newest = await wayBack(link);
    const denied = { ...newest, url: new URL(newest.url) };
    denied.url.searchParams.delete('code');
    denied.url.searchParams.set('error', 'access_denied');
    expect(await open(older)).toMatchObject({ status: 410 });
    expect(await open(denied)).toMatchObject({ status: 403 });
    await isHealthy(http, connection, 1);
    expect(await open(newest, 'HEAD')).toMatchObject({ status: 405 });
    expect(await open({ ...newest, cookie: '' })).toMatchObject({ status: 403 });
    expect(await open(newest)).toMatchObject({ status: 200 });
    const again = await open(newest);
    expect(again).toMatchObject({ status: 410 });
    expect(again.page).toContain('This link was already used or replaced');
    expect(codesOf(http)).toEqual(['issued', 'issued']);
    await isHealthy(http, connection, 101);

    const other = `${connection}-other`;
    await http.consent(other);
    const stolen = (await wayBack(await linkFor(http, connection))).url.searchParams.get('code') ?? '';
    const theirs = await wayBack(await linkFor(http, other));
    theirs.url.searchParams.set('code', stolen);
    const answered = await open(theirs);
    expect(answered).toMatchObject({ status: 400 });
    expect(answered.page).toContain('Not connected');
    expect(codesOf(http).at(-1)).toBe('code_verifier_differs');
    await isHealthy(http, other, 1);
    await isHealthy(http, connection, 101);

    const next = await wayBack(await linkFor(http, connection));
    next.url.searchParams.set('code', newest.url.searchParams.get('code') ?? '');
    expect(await open(next)).toMatchObject({ status: 400 });
    await isHealthy(http, connection, 101);
    expect((await http.backend.connection(connection)).data?.last_failure?.code).toBe('code_refused');
  });
});

test('a failed code exchange changes nothing, and the next consent link works', async () => {
  await overHttp(temporal, async (http, connection) => {
    const { backend, sandbox } = http;
    const failing = await wayBack(await linkFor(http, connection));
    sandbox.control.addFault({ on: 'token', do: 'cut_after_commit', times: 1 });
    const failed = await open(failing);
    expect(failed).toMatchObject({ status: 502 });
    expect(failed.page).toContain('did not answer clearly');
    await isHealthy(http, connection, 1);
    expect((await backend.connection(connection)).data?.last_failure?.code).toBe('unavailable');
    expect(await open(await wayBack(await linkFor(http, connection)))).toMatchObject({ status: 200 });
    await active(http, connection);
  });
});

test('consent by another account is refused and flagged until an operator accepts that account', async () => {
  await overHttp(temporal, async (http, connection) => {
    const { backend, sandbox } = http;
    const account = (await backend.connection(connection)).data?.account;
    const byOther = async (link: string | null = ''): Promise<Response> =>
      consentAt(link ?? '', 'other_biller');
    const refused = await byOther(await linkFor(http, connection));
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain('this is a different account');
    const flagged = (await backend.connection(connection)).data;
    expect(flagged).toMatchObject({ account, attention: [{ code: 'other_account' }] });
    expect(flagged?.generation).toBeLessThan(101);
    await active(http, connection);

    const accepted = { accept_other_account: true, reason: 'They have a new account.' } as const;
    const { data } = await backend.reauthorise(connection, accepted);
    expect((await byOther(data?.authorize_url)).status).toBe(200);
    await isHealthy(http, connection, 201);
    const bound = (await backend.connection(connection)).data;
    expect(bound?.account).toMatch(/^[\w-]{43}$/);
    expect(bound?.account).not.toBe(account);
    expect(bound?.account_accepted).toMatchObject({ by: 'test', reason: accepted.reason });

    sandbox.control.addFault({ on: 'get_user', do: 'error_503', times: 1 });
    const unconfirmed = await byOther(await linkFor(http, connection));
    expect(unconfirmed.status).toBe(202);
    expect(await unconfirmed.text()).toContain('account not yet confirmed');
    const checked = await backend.untilConnection(connection, ({ generation }) => generation === 301);
    expect(checked).toMatchObject({ account: bound?.account, account_check: null, attention: [] });
    await active(http, connection);
  });
});

test('the first account of a connection is used only after an operator confirms it', async () => {
  const http = await openHttpStack(temporal, temporal.taskQueue, Date.now, {
    consent: { needsConfirmation: true },
  });
  const connection = `con-${randomUUID()}`;
  const live = async () => {
    const link = (await http.backend.connect(connection)).data?.authorize_url ?? '';
    expect((await consentAt(link)).status).toBe(202);
    const waiting = (await http.backend.connection(connection)).data;
    expect(waiting).toMatchObject({
      status: 'awaiting_consent',
      account_check: { state: 'to_confirm' },
      attention: [{ code: 'account_unconfirmed' }],
    });
    const path = `/v1/connections/${connection}/confirmation`;
    const reason = 'Called back.';
    const wrong = { expected_account: { nickname: 'Another', abn: '53004085616' }, reason };
    expect(await http.post(path, wrong)).toMatchObject({ status: 409, body: { code: 'other_account' } });
    const account = waiting?.account_check?.account;
    expect(await http.post(path, { account, reason })).toMatchObject({
      status: 200,
      body: { status: 'healthy', account, account_accepted: { by: 'test', reason } },
    });
    await active(http, connection);
  };
  await temporal.run(http.activities, live).finally(() => http.close());
});

test('only workers can open what the API passes on', async () => {
  await overHttp(temporal, async ({ tokenKeys, keyring }, connection) => {
    const handle = temporal.client.workflow.getHandle(connectionWorkflowId(connection));
    const { generation = 0, sealedAccess = '' } = await handle.query(getAccess);
    const context = accessContext(connection, generation);
    expect(openSealed(tokenKeys, sealedAccess, context)).not.toBe('');
    expect(() => openSealed(keyring, sealedAccess, context)).toThrow(SealError);
  });
});
