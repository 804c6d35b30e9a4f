import { expect, test } from 'vitest';
import { KEYS, anApi } from '../../support/api/app.js';
import { signedIn } from '../../support/api/browsers.js';
import { aConnectionView } from '../../support/api/builders.js';
import { anEvent, recordEvents } from '../../support/api/events.js';
import { ApiError } from '../../../api/http/problems/errors.js';

const PAGE = '/console/connections/acme';
const AT = '2026-10-01T01:00:00.000Z';
const ACCOUNT = 'a1b2c3';
const UNCONFIRMED = {
  since: AT,
  progress: 'to_confirm' as const,
  account: ACCOUNT,
  detail: 'Confirm it.',
};

test('a connection is one sentence, with the age of its token, its scopes and its webhooks, but no token', async () => {
  const api = anApi();
  recordEvents(api, [
    anEvent(1, {
      ...{ type: 'connection.healthy', resource: 'connection', uid: 'acme', view: aConnectionView() },
      cause: { source: 'webhook', type: 'x' },
    }),
  ]);
  const page = await (await signedIn(api)).page(PAGE);
  expect(page).toContain('The consent of the merchant is valid, and workers can call the provider.');
  expect(page).toContain('The merchant did not grant all scopes: pay_to_payments.');
  expect(page).toContain('expires in 2 hours');
  expect(page).toMatch(/1 event in the last hour came from webhooks, the latest\s+1 hour ago/);
  expect(page).toContain('href="/console/events/evt_1">connection.healthy</a>');
  expect(page).not.toMatch(/sealed|refresh_token|access_token/i);
});

test('the list names the consent, and its address has the filters', async () => {
  const api = anApi();
  const view = aConnectionView({ status: 'needs_reauthorisation' });
  api.door.connections.list.mockResolvedValue({ items: [view], next: undefined });
  const page = await (await signedIn(api)).page('/console/connections?state=needs_reauthorisation');
  expect(page).toContain('href="/console/connections/acme"');
  expect(page).toContain('payto list connections --state');
  expect(api.door.connections.list.mock.lastCall?.[0].filter.states).toEqual(['needs_reauthorisation']);
});

test('a renewed consent shows its link once, with the key of the form', async () => {
  const api = anApi();
  const path = `${PAGE}/commands/reauthorisation`;
  const person = await signedIn(api);
  expect(await person.page(path)).toContain('It works once, in one browser, and for ten minutes.');
  const answer = await (await person.send(path, { key: 'k-1' })).text();
  expect(answer).toMatch(/<pre tabindex="0">https:\/\/api\.test\/oauth\/begin\/[^<]+<\/pre>/);
  await person.send(path, { key: 'k-1' });
  const [first, second] = api.door.connections.reauthorise.mock.calls.map(([, request]) => request?.key);
  expect(first).toBe(second);
  expect(api.audited.map(({ action, outcome }) => [action, outcome])).toContainEqual([
    'reauthoriseConnection',
    'done',
  ]);
});

test('a new connection expects the account that the person enters, and half an account is refused', async () => {
  const api = anApi();
  api.door.connections.view.mockResolvedValue(undefined);
  const person = await signedIn(api);
  const form = { key: 'k-1', id: 'shop', nickname: 'Shop' };
  const half = await person.send('/console/new-connection', form);
  expect([half.status, await half.text()]).toEqual([422, expect.stringContaining('or neither.')]);
  const whole = await person.send('/console/new-connection', { ...form, abn: '53 004 085 616' });
  expect(await whole.text()).toContain('https://api.test/oauth/begin/');
  expect(api.door.connections.begin.mock.calls).toEqual([
    ['shop', expect.objectContaining({ expectedAccount: expect.any(String) as string })],
  ]);
});

test('the confirmation sends the account that the person has looked at', async () => {
  const api = anApi();
  api.door.connections.view.mockResolvedValue(aConnectionView({ unconfirmed: UNCONFIRMED }));
  const path = `${PAGE}/commands/confirmation`;
  const person = await signedIn(api);
  expect(await person.page(path)).toContain(`value="${ACCOUNT}"`);
  await person.send(path, { key: 'k-1', account: ACCOUNT, reason: 'Called back' });
  const confirmed = { account: ACCOUNT, by: KEYS.all, reason: 'Called back' };
  expect(api.door.connections.confirm.mock.lastCall).toEqual(['acme', confirmed]);
});

test('a revocation states its effect, and needs a second person with dual control', async () => {
  const api = anApi({ isDualControl: true });
  api.door.approvals.request.mockResolvedValue({
    ...{ operation: 'o', target: 't', digest: 'd', requestedBy: KEYS.all },
    ...{ requestedAt: AT, expiresAt: '2026-10-02T01:00:00.000Z' },
  });
  const path = `${PAGE}/commands/revocation`;
  const person = await signedIn(api);
  expect(await person.page(path)).toContain('All agreements and payments of this connection then wait');
  const page = await (await person.send(path, { key: 'k-1', reason: 'Left' })).text();
  expect(page).toContain('Another person must approve this first.');
  const [, approval = ''] = /name="approval" value="([0-9a-f]{32}-[0-9a-z]+)"/.exec(page) ?? [];
  expect(api.door.connections.revoke).not.toHaveBeenCalled();
  const given = { requestedBy: KEYS.all, approvedBy: KEYS.other, requestedAt: AT, expiresAt: AT };
  api.door.approvals.use.mockResolvedValue(given);
  const answer = await person.send(path, { key: 'k-1', reason: 'Left', approval });
  expect(answer.headers.get('location')).toBe(`${PAGE}?done=revocation`);
  expect(api.door.connections.revoke.mock.lastCall?.[1].by).toBe(`${KEYS.all}, approved by ${KEYS.other}`);
});

test('a connection of another key looks like one that does not exist', async () => {
  const api = anApi();
  const [first] = api.keysNow;
  if (first !== undefined) api.keysNow.splice(0, 1, { ...first, connections: ['other'] });
  const person = await signedIn(api);
  for (const path of [PAGE, `${PAGE}/commands/revocation`]) {
    const answer = await person.get(path);
    expect([path, answer.status]).toEqual([path, 404]);
    expect(await answer.text()).toContain('There is no connection with this id');
  }
});

test('payments are stopped and resumed with a reason, and the link names the stop', async () => {
  const api = anApi();
  const person = await signedIn(api, KEYS.all);
  const command = '/console/stop/commands';
  expect(await person.page(`${command}/stop`)).toContain('Now 2 payments and 1 refund wait');
  const stopped = await person.send(`${command}/stop`, { key: 'k-1', connection: '', reason: 'Odd amounts' });
  expect(stopped.headers.get('location')).toBe('/console/stop?done=stop');
  expect(api.door.stop.stop.mock.lastCall?.[0]).toMatchObject({ reason: 'Odd amounts', by: KEYS.all });
  const stop = { connectionId: 'acme', reason: 'Odd', by: 'ops', since: AT };
  api.door.stop.view.mockResolvedValue({ stops: [stop], waiting: undefined });
  const resume = `${command}/resumption?connection=acme&amp;stopped_by=ops`;
  expect(await person.page('/console/stop')).toContain(`href="${resume}"`);
  const form = await person.page(`${command}/resumption?connection=acme&stopped_by=ops&reason=Mine`);
  expect(form).toMatch(
    /name="connection" value="acme".*name="stopped_by" value="ops".*name="reason" value=""/s,
  );
  api.door.stop.resume.mockRejectedValue(new ApiError('stop_of_another', 'Only ops can end this stop.'));
  const sent = { key: 'k-2', connection: 'acme', stopped_by: 'ops', reason: 'Corrected' };
  expect(await (await person.send(`${command}/resumption`, sent)).text()).toContain(
    'Only ops can end this stop.',
  );
});

test('the first page names connections, releases of workers, and an outage of Temporal', async () => {
  const api = anApi();
  api.door.connections.list.mockResolvedValue({ items: [aConnectionView()], next: undefined });
  const person = await signedIn(api);
  const page = await person.page('/console');
  expect(page).toContain('1 healthy: <a href="/console/connections/acme">acme</a>');
  expect(page).toContain('Money: release 1.2.0 (current)');
  api.door.workers.queues.mockRejectedValue(new ApiError('temporal_unavailable', 'Away.'));
  expect(await person.page('/console')).toContain('not read, because Temporal did not answer in time');
});
