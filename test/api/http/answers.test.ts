import { expect, test } from 'vitest';
import { agreementAnswer } from '../../../api/routes/agreement/answer.schema.js';
import { paymentAnswer } from '../../../api/routes/payment/answer.schema.js';
import { refundAnswer } from '../../../api/routes/refund/answer.schema.js';
import { entryAnswer } from '../../../api/routes/timeline/answer.schema.js';
import { UNKNOWN_CODE_NEXT, adviceOn } from '../../../domain/provider/reason-codes.js';
import {
  aPaymentView,
  aRefundView,
  anAgreementView,
  anEntryOf as anEntry,
  aPayment,
  anAgreement,
  problemIn,
  anEntryOf,
} from '../../support/api/builders.js';
import { Hono } from 'hono';
import { prefers } from '../../../api/http/accept.js';
import type { Env } from '../../../api/http/env.js';
import { csvOf } from '../../../api/http/csv.js';
import { KEYS, anApi, post, NOW, get } from '../../support/api/app.js';
import { ApiError } from '../../../api/http/problems/errors.js';
import { requestedBefore } from '../../../domain/agreement/reminder.js';

const CODES = ['AM04', 'MSUC', 'NOAS', 'MD16'];
const UI = { url: undefined, namespace: 'default' };

test.each(CODES)('every resource with the failure code %s shows its advice', (code) => {
  const { next, payer = null } = adviceOn({ code });
  const answered = { code, next, payer_message: payer };
  const failure = { code };
  const attempt = { n: 1, startedAt: '2026-10-01T02:00:00.000Z', state: 'failed', failure } as const;
  const payment = aPaymentView({ state: 'failed', failure, attempts: [attempt] });
  expect(paymentAnswer(UI, payment)).toMatchObject({ failure: answered, attempts: [{ failure: answered }] });
  expect(refundAnswer(UI, aRefundView({ state: 'failed', failure }))).toMatchObject({ failure: answered });
  const action = { key: 'k', kind: 'suspension', stage: 'failed', requestedAt: attempt.startedAt } as const;
  const agreement = anAgreementView({
    state: 'declined',
    stateReason: failure,
    actions: [{ ...action, failure }],
  });
  expect(agreementAnswer(UI, agreement)).toMatchObject({
    state_reason: answered,
    actions: [{ failure: answered }],
  });
  expect(entryAnswer('agreement', anEntry({ reason: failure }))).toMatchObject({
    fact: { reason: answered },
  });
});

test('an unknown code is returned unchanged, with advice on whom to contact', () => {
  const { failure } = paymentAnswer(UI, aPaymentView({ state: 'failed', failure: { code: 'QQ77' } }));
  expect(failure).toMatchObject({ code: 'QQ77', next: UNKNOWN_CODE_NEXT, payer_message: null });
});

test('a payment shows its debtor, its awaiting field, the deadline and the next step', () => {
  const until = '2026-10-01T12:59:59.999Z';
  const awaiting = { what: 'stop', since: '2026-10-01T02:00:00.000Z', until } as const;
  const answer = paymentAnswer(UI, aPaymentView({ awaiting, debtor: { party_name: 'Sam' } }));
  expect(answer).toMatchObject({ debtor: { party_name: 'Sam' }, awaiting });
  expect(answer.awaiting.next).toContain('once no stop is left');
  const refund = refundAnswer(UI, aRefundView({ awaiting }));
  expect(refund.awaiting.next).toMatch(/A payment that is still unsent .* lapses; a refund does not lapse/);
});

test('each judgement of a payment shows the submission from which it applied', () => {
  const judgement = { attempt: 1, submission: 2, at: '2026-10-01T02:00:00.000Z', state: 'active' } as const;
  const terms = { max_amount: 25_000 };
  const view = aPaymentView({ judgements: [{ ...judgement, terms }] });
  const { judgements } = paymentAnswer(UI, view);
  expect(judgements).toEqual([
    { attempt: 1, from_submission: 2, at: judgement.at, agreement_state: 'active', terms },
  ]);
  expect(paymentAnswer(UI, aPaymentView()).judgements).toEqual([]);
});

const app = new Hono<Env>().get('/', (c) => c.text(prefers(c, 'text/csv') ? 'csv' : 'json'));

test.each([
  [undefined, 'json'],
  ['*/*', 'json'],
  ['image/png', 'json'],
  ['text/csv', 'csv'],
  ['Text/CSV; charset=utf-8', 'csv'],
  ['text/csv, */*', 'csv'],
  ['text/*', 'csv'],
  ['application/json, text/csv;q=0.1', 'json'],
  ['text/csv;q=0.1, application/json', 'json'],
  ['application/json;q=0.5, text/csv', 'csv'],
  ['text/csv, application/json', 'json'],
  ['*/*, text/csv;q=0.1', 'json'],
  ['text/csv;q=0', 'json'],
  ['text/csvx', 'json'],
])('Accept: %s gets %s', async (accept, expected) => {
  const answer = await app.request('/', { headers: accept === undefined ? {} : { accept } });
  expect(await answer.text()).toBe(expected);
});

const textIn = (text: string): string => csvOf(['text'], [{ text }], false).slice(0, -2);

test.each([
  '=1+1',
  '+61',
  '-1',
  '@x',
  '\t=1',
  '\r=1',
  '\n=1',
  ' =1',
  '\u00a0=1',
  '＝1',
  '\uFEFF=1',
  '\u200b=1',
  '\r\n +1',
])('a spreadsheet does not read %j as a formula', (text) =>
  expect(textIn(text).replaceAll('"', '')).toBe(`'${text}`),
);

test.each(['a\n=1', ';=1', 'x;=cmd|calc', "'=1", ' to 200001-12340001', '100 = 100'])(
  '%j stays as it is',
  (text) => expect(textIn(text).replaceAll('"', '')).toBe(text),
);

test('an amount below 0 stays a number', () => {
  expect(csvOf(['amount'], [{ amount: -4200 }], false)).toBe('-4200\r\n');
});

const asWriter = { authorization: `Bearer ${KEYS.write}` };

test('a key that may only write gets ids and states', async () => {
  const created = await post(anApi(), '/v1/agreements', anAgreement(), asWriter);
  expect([created.status, await created.json()]).toEqual([
    202,
    { data: { uid: anAgreement().uid, state: 'pending' } },
  ]);
  const paid = await post(anApi(), '/v1/agreements/agr-1/payments', aPayment(), asWriter);
  expect(Object.keys((await paid.json()) as object)).toEqual(['data']);
});

test('a new connection still has its link', async () => {
  const api = anApi();
  api.door.connections.view.mockResolvedValue(undefined);
  const created = await post(api, '/v1/connections', { id: 'new' }, asWriter);
  const { data } = (await created.json()) as { data: Record<string, unknown> };
  expect(Object.keys(data).sort()).toEqual(['authorize_url', 'id', 'status']);
  expect(data['authorize_url']).toContain('/oauth/begin/');
});

test('a dry run has its whole result', async () => {
  const api = anApi();
  api.door.payments.view.mockResolvedValue(undefined);
  const judged = await post(api, '/v1/agreements/agr-1/payments?dry_run=true', aPayment(), asWriter);
  expect(await judged.json()).toMatchObject({ data: { admissible: true, refusal: null } });
});

test('refusals stay whole', async () => {
  const refused = await post(anApi(), '/v1/agreements', { uid: 'a/b' }, asWriter);
  expect((await problemIn(refused)).errors).not.toEqual([]);
});

test('the name of a PayID is shown only to keys with operate', async () => {
  const api = anApi();
  api.door.agreements.view.mockResolvedValue(anAgreementView({ payIdDisplayName: 'Ada P' }));
  const seenBy = async (key: string) => (await get(api, '/v1/agreements/agr-1', key)).json();
  expect(await seenBy(KEYS.all)).toMatchObject({ data: { payid_display_name: 'Ada P' } });
  for (const key of [KEYS.read, KEYS.readPersonal])
    expect(await seenBy(key)).toMatchObject({ data: { payid_display_name: null } });
});

test('timeline texts hide the payer and account from a key without personal', async () => {
  const api = anApi();
  const reason = { code: 'AC06', detail: 'Ada Payer, 062-000 12345678, is blocked' };
  const state = { ...anEntryOf(), factId: undefined, data: { debtor: { party_name: 'Ada Payer' } } };
  const entries = [anEntryOf({ reason }), state];
  api.door.timeline.mockResolvedValue({ entries, next: undefined, isWhole: true });
  const seenBy = async (key: string) => (await get(api, '/v1/agreements/agr-1/timeline', key)).json();
  const hidden = { code: 'AC06', detail: '*********, *************678, is blocked' };
  expect(await seenBy(KEYS.read)).toMatchObject({ data: [{ fact: { reason: hidden } }, {}] });
  expect(await seenBy(KEYS.readPersonal)).toMatchObject({ data: [{ fact: { reason } }, {}] });
});

test('a problem is masked in the same way as a response', async () => {
  const api = anApi();
  const detail = 'Account 062-000 12345678 is in use.';
  api.door.agreements.view.mockRejectedValue(new ApiError('idempotency_conflict', detail));
  const answer = await get(api, '/v1/agreements/agr-1', KEYS.read);
  expect(await problemIn(answer)).toMatchObject({ detail: 'Account *************678 is in use.' });
});

const at = new Date(NOW).toISOString();

test.each(['1h', '24h', '4d'] as const)(
  'the next page of agreements unanswered after %s keeps the filter',
  async (unanswered) => {
    const api = anApi();
    api.door.agreements.list.mockResolvedValue({ items: [], next: { value: 'v', uid: 'agr-1' } });
    const answer: unknown = await (await get(api, `/v1/agreements?unanswered=${unanswered}`)).json();
    const { filter } = api.door.agreements.list.mock.lastCall?.[0] ?? {};
    expect(filter).toMatchObject({
      states: ['created'],
      created: { until: requestedBefore(unanswered, at) },
    });
    expect(JSON.stringify(answer)).toContain(`unanswered=${unanswered}`);
    expect((await get(api, '/v1/agreements?unanswered=2h')).status).toBe(400);
  },
);
