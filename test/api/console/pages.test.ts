import { expect, test } from 'vitest';
import { ApiError } from '../../../api/http/problems/errors.js';
import { KEYS, anApi } from '../../support/api/app.js';
import { boundTo, signedIn } from '../../support/api/browsers.js';
import { aPaymentView, anAgreementView, anEntryOf, anOrder } from '../../support/api/builders.js';
import type { Attention } from '../../../domain/attention/flags.js';

const A_FLAG: Attention = {
  code: 'overdue',
  since: '2026-09-30T01:00:00.000Z',
  detail: 'The provider has not answered.',
  next: 'Ask the provider.',
};

const active = () => anAgreementView({ state: 'active', stateSince: '2026-10-01T01:00:00.000Z' });

test('each page has a policy without script and inline style, and obeys it', async () => {
  const api = anApi();
  api.door.agreements.view.mockResolvedValue(active());
  api.door.payments.view.mockResolvedValue(aPaymentView());
  const person = await signedIn(api);
  const paths = ['', '/agreements', '/payments', '/search?q=agr-1', '/agreements/agr-1', '/payments/pay-1'];
  const money = ['/day', '/unmatched-credits/credit-1', '/float-accounts/float-1', '/float-accounts'];
  const forms = ['/agreements/agr-1/commands/suspension', '/agreements/agr-1/payments'];
  for (const path of [...paths, ...money, ...forms]) {
    const answer = await person.get(`/console${path}`);
    expect([path, answer.status]).toEqual([path, 200]);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'self'");
    expect(await answer.text()).not.toMatch(/<script|<style| style=| on\w+=/);
  }
});

test('the first page groups the flags, oldest first, and counts money exactly', async () => {
  const api = anApi();
  const later = { ...A_FLAG, since: '2026-09-30T05:00:00.000Z' };
  const agreements = [
    anAgreementView({ uid: 'agr-later', attention: [later] }),
    anAgreementView({ attention: [A_FLAG] }),
  ];
  api.door.agreements.list.mockResolvedValue({ items: agreements, next: undefined });
  api.door.payments.totals.mockResolvedValue([
    { day: '2026-10-01', state: 'settled', count: 2, amount: 10_000_007 },
  ]);
  api.door.refunds.totals.mockResolvedValue([
    { day: '2026-10-01', state: 'processed', count: 1_234, amount: 90_000_000_000_01 },
  ]);
  const page = await (await signedIn(api)).page('/console');
  expect(page).toContain('$90,000,000,000.01');
  expect(page).toContain('<b>Overdue</b>: 2 flags');
  expect(page.indexOf('agr-1')).toBeLessThan(page.indexOf('agr-later'));
  expect(page).toContain('$100,000.07');
});

test('without the records the first page says so instead of showing zeros only', async () => {
  const api = anApi();
  api.door.payments.totals.mockRejectedValue(new ApiError('records_unavailable', 'The records are away.'));
  expect(await (await signedIn(api)).page('/console')).toContain(
    'These figures are not available now: The records are away.',
  );
});

test('an agreement is one sentence, its timeline names who said so, and texts from outside stay text', async () => {
  const api = anApi();
  const mandate = { ...active().mandate, description: '<b>x</b> \u202Egnp' };
  api.door.agreements.view.mockResolvedValue({ ...active(), mandate });
  api.door.timeline.mockResolvedValue({ entries: [anEntryOf()], next: undefined, isWhole: true });
  const page = await (await signedIn(api)).page('/console/agreements/agr-1');
  expect(page).toContain(
    'Active since 1 October 2026: up to $250.00 each, whenever a payment is requested, until cancelled.',
  );
  expect(page).toContain('<bdi>&lt;b&gt;x&lt;/b&gt; \u202Egnp</bdi>');
  expect(page).toContain('according to the provider, in a webhook');
});

test('names and accounts need the scope personal, also for operators', async () => {
  const api = anApi();
  api.door.agreements.view.mockResolvedValue(active());
  const pageFor = async (key: string) => (await signedIn(api, key)).page('/console/agreements/agr-1');
  expect(await pageFor(KEYS.readPersonal)).toMatch(/A Payer.*200001-12340001/s);
  expect(await pageFor(KEYS.all)).not.toMatch(/A Payer|12340001/);
});

test('a resource of another connection looks like one that does not exist', async () => {
  const api = anApi();
  boundTo(api, 'other');
  api.door.agreements.view.mockResolvedValue(active());
  api.door.connectionOf.mockResolvedValue('acme');
  const person = await signedIn(api);
  const [foreign, missing] = await Promise.all([
    person.get('/console/agreements/agr-1'),
    (async () => {
      const none = anApi();
      none.door.agreements.view.mockResolvedValue(undefined);
      return (await signedIn(none)).get('/console/agreements/agr-1');
    })(),
  ]);
  expect([foreign.status, missing.status]).toEqual([404, 404]);
  expect(await foreign.text()).toContain('There is no agreement with this uid, or your key must not see it.');
});

test('a list keeps its filters in the address, and prints the query for curl and payto', async () => {
  const api = anApi();
  api.door.payments.list.mockResolvedValue({ items: [aPaymentView()], next: { value: 'v', uid: 'pay-1' } });
  const page = await (
    await signedIn(api)
  ).page("/console/payments?state=failed&reference=O'Neil&from=2026-10-01");
  expect(api.door.payments.list.mock.lastCall?.[0].filter).toMatchObject({
    states: ['failed'],
    terms: [{ reference: "O'Neil" }],
    created: { from: '2026-09-30T14:00:00.000Z' },
  });
  expect(page).toContain(
    '/console/payments?state=failed&amp;from=2026-10-01&amp;reference=O%27Neil&amp;cursor=',
  );
  expect(page).toContain('--reference &#39;O&#39;\\&#39;&#39;Neil&#39;');
  expect(page).toContain('$PAYTO_URL/v1/payments?state=failed&amp;reference=O%27Neil');
});

test('a list is downloaded whole, and a text that a spreadsheet would run is escaped', async () => {
  const api = anApi();
  const order = { ...anOrder(), reference: '=1+1' };
  api.door.payments.list
    .mockResolvedValueOnce({ items: [aPaymentView({ order })], next: { value: 'v', uid: 'pay-1' } })
    .mockResolvedValueOnce({ items: [aPaymentView({ uid: 'pay-2' })], next: undefined });
  const person = await signedIn(api);
  const file = await person.get('/console/payments.csv?state=failed');
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="payments.csv"');
  const [heads, first, second, end] = (await file.text()).split('\r\n');
  expect(heads).toMatch(/^uid,agreement_uid,state,/);
  expect(first).toMatch(/^pay-1,.*,'=1\+1,/);
  expect([second?.startsWith('pay-2,'), end?.startsWith('end,2,')]).toEqual([true, true]);
  expect(api.door.payments.list.mock.lastCall?.[0].filter).toMatchObject({ states: ['failed'] });
  const refused = await person.get('/console/payments.csv?state=none');
  expect([refused.status, refused.headers.get('content-disposition')]).toEqual([422, null]);
});

test('a payment says what it waits for and until when', async () => {
  const api = anApi();
  const awaiting = {
    what: 'stop',
    since: '2026-10-01T01:00:00.000Z',
    until: '2026-10-01T13:59:59.000Z',
  } as const;
  api.door.payments.view.mockResolvedValue(aPaymentView({ order: anOrder(), awaiting }));
  const page = await (await signedIn(api)).page('/console/payments/pay-1');
  expect(page).toContain('$42.00, requested since 1 October 2026. It waits for: stop.');
  expect(page).toMatch(
    /Waits until<\/dt><dd><time datetime="2026-10-01T13:59:59.000Z">1 Oct 2026, 23:59 AEST/,
  );
});

test('a PayID or an account is searched only with the scope personal, and is in no address', async () => {
  const api = anApi();
  api.door.agreements.list.mockResolvedValue({ items: [active()], next: undefined });
  const resultsOf = async (key: string, q: string) =>
    (await (await signedIn(api, key)).send('/console/search', { q })).text();
  const found = await resultsOf(KEYS.readPersonal, 'payer@example.com');
  expect(found).toContain('href="/console/agreements/agr-1"');
  expect(found).toMatch(/<form method="post"/);
  expect(api.door.agreements.list.mock.lastCall?.[0].filter).toEqual({
    terms: [{ payerAccount: 'payer@example.com' }],
  });
  api.door.agreements.list.mockClear();
  const refused = await resultsOf(KEYS.read, '200001 12340001');
  expect(refused).toContain('Your key lacks the scope personal.');
  expect(JSON.stringify(api.door.agreements.list.mock.calls)).not.toContain('payerAccount');
});

test('an unexpected error is a page with its request id, and says nothing of its cause', async () => {
  const api = anApi();
  api.door.payments.totals.mockRejectedValue(new Error('cause 42'));
  const person = await signedIn(api);
  const answer = await person.get('/console');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([500, 'text/html; charset=UTF-8']);
  const page = await answer.text();
  expect(page).toContain(`<code>${answer.headers.get('x-request-id') ?? ''}</code>`);
  expect(page).not.toContain('cause 42');
});

test('the search says what it searched', async () => {
  const api = anApi();
  api.door.agreements.view.mockResolvedValue(active());
  api.door.payments.view.mockResolvedValue(undefined);
  const page = await (await signedIn(api)).page('/console/search?q=agr-1');
  expect(page).toContain('href="/console/agreements/agr-1"');
  expect(page).toMatch(
    /Searched: the uid of .*agreements.*; payments with this reference; clients with this id/,
  );
});
