import { expect, test } from 'vitest';
import { KEYS, anApi } from '../../support/api/app.js';
import { aPerson, tokenIn } from '../../support/api/browsers.js';
import { anAgreementView } from '../../support/api/builders.js';

test('without a session each page is the sign-in form, which returns to the page', async () => {
  const api = anApi();
  const answer = await api.admin.request('/console/payments?state=failed');
  expect(answer.status).toBe(401);
  expect(await answer.text()).toContain('name="to" value="/console/payments?state=failed"');
});

test('the cookie is sealed, for the console only, and out of reach of scripts and other sites', async () => {
  const cookie = (await aPerson(anApi()).signIn()).headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(
    /^payto_console=[^;]+; Max-Age=28800; Path=\/console; HttpOnly; Secure; SameSite=Strict$/,
  );
  expect(cookie).not.toContain('id-all');
});

test('on this machine without https the cookie is not Secure, elsewhere it is', async () => {
  const api = anApi({ isSecure: false });
  const signIn = async (host: string) =>
    (await aPerson(api, { host, origin: `http://${host}` }).signIn()).headers.get('set-cookie');
  expect(await signIn('127.0.0.1:8081')).not.toContain('Secure');
  expect(await signIn('api.test')).toContain('Secure');
});

test('an unknown key is refused after a pause, counted and audited', async () => {
  const api = anApi();
  const before = api.time.now;
  const answer = await aPerson(api).signIn('no-key');
  expect(answer.status).toBe(401);
  expect(await answer.text()).toContain('This API key is unknown.');
  expect(api.time.now).toBeGreaterThan(before);
  expect(await api.metrics.text()).toContain('where="console"');
  expect(api.audited).toMatchObject([{ action: 'beginConsoleSession', outcome: 'unauthenticated' }]);
});

test('the log names the key of the session for each page', async () => {
  const api = anApi();
  const person = aPerson(api);
  await person.signIn(KEYS.read);
  await person.get('/console/search');
  expect(api.lines.at(-1)).toMatch(
    /"route":"\/console\/search","api_key_id":"id-read","principal":"key-read"/,
  );
});

test('a key that is removed ends its sessions', async () => {
  const api = anApi();
  const person = aPerson(api);
  await person.signIn(KEYS.read);
  expect((await person.get('/console/search')).status).toBe(200);
  api.keysNow.splice(0);
  expect((await person.get('/console/search')).status).toBe(401);
});

test('a session ends after eight hours, and at once with the sign-out', async () => {
  const api = anApi();
  const person = aPerson(api);
  await person.signIn();
  api.time.now += 8 * 3_600_000;
  expect((await person.get('/console/search')).status).toBe(401);
  await person.signIn();
  await person.send('/console/sign-out', {});
  expect((await person.get('/console/search')).status).toBe(401);
});

test('the sign-in returns only to pages of the console', async () => {
  const person = aPerson(anApi());
  const to = async (path: string) => (await person.signIn(KEYS.all, { to: path })).headers.get('location');
  expect(await to('/console/payments?state=failed')).toBe('/console/payments?state=failed');
  for (const path of ['//evil.test', 'https://evil.test', '/console//evil.test', '/consoles', '/console/\n'])
    expect(await to(path)).toBe('/console');
});

test('a form of another site is refused', async () => {
  const api = anApi();
  const person = aPerson(api);
  await person.signIn();
  const answer = await person.send(
    '/console/agreements/agr-1/commands/look-up',
    {},
    { 'sec-fetch-site': 'cross-site' },
  );
  expect(answer.status).toBe(403);
  expect(api.door.agreements.lookUp).not.toHaveBeenCalled();
});

test('a form without the token of the session does nothing, and can be sent again', async () => {
  const api = anApi();
  api.door.agreements.view.mockResolvedValue(anAgreementView({ state: 'active' }));
  const person = aPerson(api);
  await person.signIn();
  const form = {
    form_token: 'of-another-session',
    reason: 'customer_requested',
    narrative: 'A break',
    key: 'k-1',
  };
  const answer = await person.send('/console/agreements/agr-1/commands/suspension', form);
  const page = await answer.text();
  expect(page).toContain('Send your form again?');
  expect(page).toContain('value="A break"');
  expect(api.door.agreements.act).not.toHaveBeenCalled();
});

test('a form whose session has expired survives the sign-in', async () => {
  const api = anApi();
  api.door.agreements.view.mockResolvedValue(anAgreementView({ state: 'active' }));
  const person = aPerson(api);
  await person.signIn();
  api.time.now += 9 * 3_600_000;
  const path = '/console/agreements/agr-1/commands/suspension';
  const form = { reason: 'customer_requested', narrative: 'A <b>break</b>', key: 'k-1' };
  const refused = await (await person.send(path, form)).text();
  expect(refused).toContain('name="form.narrative" value="A &lt;b&gt;break&lt;/b&gt;"');
  const carried = Object.fromEntries(Object.entries(form).map(([name, value]) => [`form.${name}`, value]));
  const again = await (await person.signIn(KEYS.all, { to: path, ...carried })).text();
  expect(again).toContain('Send your form again?');
  expect((await person.send(path, { ...form, form_token: tokenIn(again) })).status).toBe(303);
  expect(api.door.agreements.act).toHaveBeenCalledOnce();
});
