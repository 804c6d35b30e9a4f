import { expect, test } from 'vitest';
import { KEYS, anApi } from '../../support/api/app.js';
import { signedIn } from '../../support/api/browsers.js';
import { anAgreementView } from '../../support/api/builders.js';
import { anEvent, recordEvents } from '../../support/api/events.js';
import { A_WEBHOOK_SECRET, aDelivery, anEndpoint } from '../../support/api/mocked-gateway.js';

const LIST = '/console/webhook-endpoints';
const PAGE = `${LIST}/we-1`;

test('the list shows what fails and since when, and no secret', async () => {
  const api = anApi();
  const progress = {
    ...anEndpoint().progress,
    failingSince: '2026-10-01T00:00:00.000Z',
    waitingResources: 3,
  };
  api.door.webhookEndpoints.list.mockResolvedValue([anEndpoint({ progress })]);
  const page = await (await signedIn(api)).page(LIST);
  expect(page).toContain(`href="${PAGE}"`);
  expect(page).toContain('failing for 2 hours; events of 3 resources wait');
  expect(page).not.toContain(A_WEBHOOK_SECRET);
});

test('deliveries are filtered and paged, and what a receiver wrote needs the scope personal', async () => {
  const api = anApi();
  const next = ['2026-10-01T01:00:00.000000Z', 'd-1'] as const;
  const answer = '<b>no</b>';
  api.door.webhookEndpoints.deliveries.mockResolvedValue({
    deliveries: [aDelivery({ outcome: 'failed', status: 500, answer })],
    next: [...next],
  });
  const page = await (await signedIn(api)).page(`${PAGE}?outcome=failed&event=evt_1`);
  expect(api.door.webhookEndpoints.deliveries.mock.lastCall?.[1]).toMatchObject({
    ...{ outcome: 'failed', eventId: 'evt_1' },
  });
  expect(page).toMatch(/outcome=failed&amp;event=evt_1&amp;cursor=[^"]+#deliveries">Older deliveries/);
  expect(page).toContain(`href="${PAGE}/deliveries/d-1/resend"`);
  expect(page).not.toContain('&lt;b&gt;');
  const [first] = api.keysNow;
  if (first !== undefined) api.keysNow.splice(0, 1, { ...first, scopes: ['read', 'personal'] });
  expect(await (await signedIn(api)).page(PAGE)).toContain('<bdi>&lt;b&gt;no&lt;/b&gt;</bdi>');
});

test('a resend and a test show what the receiver answered', async () => {
  const api = anApi();
  const failed = aDelivery({ outcome: 'failed', status: undefined, problem: 'timeout', answer: undefined });
  api.door.webhookEndpoints.sendNow.mockResolvedValueOnce(failed);
  const person = await signedIn(api);
  const resent = await (await person.send(`${PAGE}/deliveries/d-7/resend`, { key: 'k-1' })).text();
  expect(resent).toContain('The receiver did not answer: timeout.');
  expect(api.door.webhookEndpoints.delivery.mock.lastCall).toEqual(['we-1', 'd-7']);
  const tested = await (await person.send(`${PAGE}/commands/test`, { key: 'k-2' })).text();
  expect(tested).toContain('The receiver answered 200 after 12 ms.');
  expect(api.door.webhookEndpoints.sendNow.mock.lastCall?.[1].event).toEqual({ test: true });
});

test('a replay counts the events first, and begins at the time in Sydney', async () => {
  const api = anApi();
  recordEvents(api, [anEvent(1), anEvent(2)]);
  const person = await signedIn(api);
  const form = { key: 'k-1', since: '2026-10-01T11:00', types: 'payment.settled' };
  const preview = await (await person.send(`${PAGE}/commands/replay`, form)).text();
  expect(preview).toContain('Your key sees 2 events since 1 Oct 2026, 11:00 AEST');
  expect(api.door.webhookEndpoints.startReplay).not.toHaveBeenCalled();
  const sent = await person.send(`${PAGE}/commands/replay`, { ...form, step: 'send' });
  expect(sent.headers.get('location')).toBe(`${PAGE}?done=replay`);
  expect(api.door.webhookEndpoints.startReplay.mock.lastCall?.[1]).toMatchObject({
    ...{ since: '2026-10-01T01:00:00.000Z', types: ['payment.settled'] },
  });
  const wrong = await person.send(`${PAGE}/commands/replay`, { key: 'k-2', since: 'yesterday' });
  expect([wrong.status, await wrong.text()]).toEqual([422, expect.stringContaining('Enter the day')]);
});

test('a disabled endpoint is enabled, and its flag is resolved with a reason', async () => {
  const api = anApi();
  const since = '2026-10-01T01:00:00.000Z';
  const flag = { code: 'endpoint_disabled', since, detail: 'It failed.', next: 'Correct it.' } as const;
  api.door.webhookEndpoints.read.mockResolvedValue(anEndpoint({ status: 'disabled', attention: [flag] }));
  const person = await signedIn(api);
  const page = await person.page(PAGE);
  expect(page).toContain(`href="${PAGE}/commands/enabling"`);
  expect(page).toContain(`href="${PAGE}/flags/endpoint_disabled"`);
  await person.send(`${PAGE}/commands/enabling`, { key: 'k-1' });
  expect(api.door.webhookEndpoints.change.mock.lastCall?.[1].status).toBe('enabled');
  const form = { key: 'k-2', reason: 'Corrected' };
  const answer = await person.send(`${PAGE}/flags/endpoint_disabled`, form);
  expect(answer.headers.get('location')).toBe(`${PAGE}?done=flag`);
  expect(api.door.webhookEndpoints.resolveFlag.mock.lastCall?.[1].reason).toBe('Corrected');
});

test('an endpoint of another principal looks like one that does not exist', async () => {
  const api = anApi();
  const person = await signedIn(api, KEYS.read);
  for (const path of [PAGE, `${PAGE}/commands/test`, `${PAGE}/deliveries/d-1/resend`]) {
    const answer = await person.get(path);
    expect([path, answer.status]).toEqual([path, 404]);
  }
});

test('events are those of the last hour, or since a day, and the download ends with the newest', async () => {
  const api = anApi();
  recordEvents(api, [anEvent(1)]);
  const person = await signedIn(api);
  const page = await person.page('/console/events?type=payment.settled');
  expect(api.door.events.placeBefore.mock.lastCall?.[0]).toBe('2026-10-01T01:00:00.000Z');
  expect(page).toContain('href="/console/payments/pay-1"');
  expect(page).not.toContain('Next page');
  const csv = await person.page('/console/events.csv?from=2026-09-30');
  expect(api.door.events.placeBefore.mock.lastCall?.[0]).toBe('2026-09-29T14:00:00.000Z');
  expect(csv).toContain('evt_1,payment.settled');
});

test('an event shows its payload, without names and accounts, and a foreign one does not exist', async () => {
  const api = anApi();
  const event = { type: 'agreement.active', resource: 'agreement', view: anAgreementView() } as const;
  recordEvents(api, [anEvent(1, event), anEvent(2, { connectionId: 'foreign' })]);
  const page = await (await signedIn(api)).page('/console/events/evt_1');
  expect(page).toContain('The payer has accepted the agreement.');
  expect(page).toContain('&quot;type&quot;: &quot;agreement.active&quot;');
  expect(page).not.toContain('A Payer');
  expect(await (await signedIn(api, KEYS.readPersonal)).page('/console/events/evt_1')).toContain('A Payer');
  const [first] = api.keysNow;
  if (first !== undefined) api.keysNow.splice(0, 1, { ...first, connections: ['acme'] });
  expect((await (await signedIn(api)).get('/console/events/evt_2')).status).toBe(404);
});
