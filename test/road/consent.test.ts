import { expect, test } from 'vitest';
import { consentAt } from '../support/road.js';
import { useTemporal } from '../support/temporal.js';
import { active, onTheRoad } from '../support/on-the-road.js';
import type { Road } from '../support/road.js';

const temporal = useTemporal();

const linkFor = async ({ backend }: Road, connection: string): Promise<string> =>
  (await backend.reauthorise(connection)).data?.authorize_url ?? '';
const wayBack = async (link: string): Promise<URL> =>
  new URL((await consentAt(link, 'manual')).headers.get('location') ?? '');
const open = async (url: URL) => {
  const response = await fetch(url, { redirect: 'manual' });
  return { status: response.status, page: await response.text() };
};
const isHealthy = async ({ backend }: Road, connection: string, generation: number): Promise<void> =>
  expect((await backend.connection(connection)).data).toMatchObject({
    status: 'healthy',
    generation,
    attention: [],
  });
const codesOf = ({ sandbox }: Road) =>
  sandbox.control
    .ledger()
    .flatMap((entry) =>
      entry.kind === 'token' && entry.grant_type === 'authorization_code' ? [entry.outcome] : [],
    );

test('a consent link works once, only if it is the newest, and refuses denied or stolen codes', async () => {
  await onTheRoad(temporal, async (road, connection) => {
    const older = await wayBack(await linkFor(road, connection));
    const link = await linkFor(road, connection);
    const denied = await wayBack(link);
    denied.searchParams.delete('code');
    denied.searchParams.set('error', 'access_denied');
    expect(await open(older)).toMatchObject({ status: 410 });
    expect(await open(denied)).toMatchObject({ status: 403 });
    await isHealthy(road, connection, 1);
    const newest = await wayBack(link);
    expect(await open(newest)).toMatchObject({ status: 200 });
    const again = await open(newest);
    expect(again).toMatchObject({ status: 410 });
    expect(again.page).toContain('This link was already used or replaced');
    expect(codesOf(road)).toEqual(['issued', 'issued']);
    await isHealthy(road, connection, 101);

    const other = `${connection}-other`;
    await road.consent(other);
    const stolen = (await wayBack(await linkFor(road, connection))).searchParams.get('code') ?? '';
    const theirs = await wayBack(await linkFor(road, other));
    theirs.searchParams.set('code', stolen);
    const answered = await open(theirs);
    expect(answered).toMatchObject({ status: 400 });
    expect(answered.page).toContain('Not connected');
    expect(codesOf(road).at(-1)).toBe('code_verifier_differs');
    await isHealthy(road, other, 1);
    await isHealthy(road, connection, 101);

    const next = await wayBack(await linkFor(road, connection));
    next.searchParams.set('code', newest.searchParams.get('code') ?? '');
    expect(await open(next)).toMatchObject({ status: 400 });
    await isHealthy(road, connection, 101);
    expect((await road.backend.connection(connection)).data?.last_failure?.code).toBe('code_refused');
  });
});

test('a failed code exchange changes nothing, and the next consent link works', async () => {
  await onTheRoad(temporal, async (road, connection) => {
    const { backend, sandbox } = road;
    const failing = await wayBack(await linkFor(road, connection));
    sandbox.control.addFault({ on: 'token', do: 'cut_after_commit', times: 1 });
    const failed = await open(failing);
    expect(failed).toMatchObject({ status: 502 });
    expect(failed.page).toContain('did not answer clearly');
    await isHealthy(road, connection, 1);
    expect((await backend.connection(connection)).data?.last_failure?.code).toBe('unavailable');
    expect(await open(await wayBack(await linkFor(road, connection)))).toMatchObject({ status: 200 });
    await active(road, connection);
  });
});

test('consent by another account is refused and flagged until an operator accepts that account', async () => {
  await onTheRoad(temporal, async (road, connection) => {
    const { backend, sandbox } = road;
    const account = (await backend.connection(connection)).data?.account;
    const byOther = async (link: string | null = ''): Promise<Response> =>
      consentAt(link ?? '', 'follow', 'other_biller');
    const refused = await byOther(await linkFor(road, connection));
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain('this is a different account');
    const flagged = (await backend.connection(connection)).data;
    expect(flagged).toMatchObject({ generation: 1, account, attention: [{ code: 'other_account' }] });
    await active(road, connection);

    const accepted = { accept_other_account: true, reason: 'They have a new account.' } as const;
    const { data } = await backend.reauthorise(connection, accepted);
    expect((await byOther(data?.authorize_url)).status).toBe(200);
    await isHealthy(road, connection, 201);
    const bound = (await backend.connection(connection)).data;
    expect(bound?.account).toMatch(/^[\w-]{43}$/);
    expect(bound?.account).not.toBe(account);
    expect(bound?.account_accepted).toMatchObject({ by: 'test', reason: accepted.reason });

    sandbox.control.addFault({ on: 'get_user', do: 'error_503', times: 1 });
    const unconfirmed = await byOther(await linkFor(road, connection));
    expect(unconfirmed.status).toBe(202);
    expect(await unconfirmed.text()).toContain('account not yet confirmed');
    const checked = await backend.untilConnection(connection, ({ generation }) => generation === 301);
    expect(checked).toMatchObject({ account: bound?.account, account_check: null, attention: [] });
    await active(road, connection);
  });
});
