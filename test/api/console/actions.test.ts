import { expect, test } from 'vitest';
import { ApiError } from '../../../api/http/problems/errors.js';
import { KEYS, anApi, type Api } from '../../support/api/app.js';
import { signedIn } from '../../support/api/browsers.js';
import { aPaymentView, anAgreementView } from '../../support/api/builders.js';
import type { Attention } from '../../../domain/attention/flags.js';

const AGREEMENT = '/console/agreements/agr-1';
const SUSPENSION = `${AGREEMENT}/commands/suspension`;
const PAY = `${AGREEMENT}/payments`;
const PARKED: Attention = {
  code: 'parked',
  since: '2026-10-01T01:00:00.000Z',
  detail: 'It exists.',
  next: 'Decide.',
};

function anActiveAgreement(): Api {
  const api = anApi();
  api.door.agreements.view.mockResolvedValue(anAgreementView({ state: 'active' }));
  return api;
}

test('a command shows its effect first, then does what the API does, once for each form', async () => {
  const api = anActiveAgreement();
  const person = await signedIn(api);
  const page = await person.page(SUSPENSION);
  expect(page.indexOf('New payments, also planned ones, are refused')).toBeLessThan(
    page.indexOf('<button>Suspend'),
  );
  const form = { key: 'k-1', reason: 'customer_requested', narrative: 'A break' };
  const answer = await person.send(SUSPENSION, form);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `${AGREEMENT}?done=suspension`]);
  await person.send(SUSPENSION, form);
  const sent = api.door.agreements.act.mock.calls.map(([uid, request]) => ({ uid, ...request }));
  const command = { kind: 'suspension', body: { reason: 'customer_requested', narrative: 'A break' } };
  expect(sent).toMatchObject([{ uid: 'agr-1', by: KEYS.all, command }, { key: sent[0]?.key }]);
  expect(api.audited).toContainEqual({
    ...{ action: 'suspendAgreement', outcome: 'done', target: '/v1/agreements/agr-1/suspension' },
    details: { from: 'console', reason: 'customer_requested' },
  });
});

test('a key without the scope sees why it cannot act, and the API refuses it', async () => {
  const api = anActiveAgreement();
  const person = await signedIn(api, KEYS.read);
  expect(await person.page(SUSPENSION)).toContain('Your key lacks the scope write');
  expect(await (await person.send(SUSPENSION, { key: 'k-1' })).text()).toContain('Insufficient scope');
  expect(api.door.agreements.act).not.toHaveBeenCalled();
});

test('a refused command keeps what the person typed', async () => {
  const api = anActiveAgreement();
  api.door.agreements.act.mockRejectedValue(new ApiError('action_pending', 'Another command is pending.'));
  const answer = await (await signedIn(api)).send(SUSPENSION, { key: 'k-1', narrative: 'A break' });
  expect(answer.status).toBe(422);
  expect(await answer.text()).toMatch(/Another command is pending\..*value="A break"/s);
});

test.each([
  [{ max_amount: '300', description: '' }, { payment_terms: { max_amount: 30_000 } }],
  [{ validity_end_date: '2027-12-31' }, { validity_end_date: '2027-12-31' }],
])('an amendment has only what the person filled in: %j', async (form, changes) => {
  const api = anActiveAgreement();
  const person = await signedIn(api);
  expect(await person.page(`${AGREEMENT}/commands/amendment`)).toContain(
    'Until they accept, the old terms apply.',
  );
  await person.send(`${AGREEMENT}/commands/amendment`, { key: 'k-1', ...form });
  expect(api.door.agreements.act.mock.lastCall?.[1]).toMatchObject({
    command: { kind: 'amendment', body: { changes } },
  });
  const empty = await person.send(`${AGREEMENT}/commands/amendment`, { key: 'k-2', max_amount: '3.1' });
  expect(await empty.text()).toContain('Write amounts in dollars');
});

const REFUND = '/console/payments/pay-1/commands/refund';

test('a refund shows what is left, and two clicks request it once under one uid', async () => {
  const api = anApi();
  api.door.payments.view.mockResolvedValue(aPaymentView({ state: 'settled' }));
  const person = await signedIn(api);
  const page = await person.page(REFUND);
  expect(page).toContain('At most $42.00 of $42.00 is left to refund.');
  const key = /name="key" value="([\w-]+)"/.exec(page)?.[1] ?? '';
  const account = '0195e5a4-0000-7000-8000-000000000009';
  const form = { key, amount: '12.05', account, description: 'REFUND of a part' };
  const answers = await Promise.all([1, 2].map(() => person.send(REFUND, form)));
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  const sent = api.door.refunds.request.mock.calls.map(([{ uid, order }]) => [uid, order]);
  expect(sent[0]).toEqual([key, expect.objectContaining({ original_payment_uid: 'pay-1' })]);
  expect(sent[0]?.[1]).toMatchObject({ refund_payment: { amount: 1_205, float_bank_account_id: account } });
  expect(sent[1]).toEqual(sent[0]);
});

test('a retry is offered only where the provider allows it', async () => {
  const api = anApi();
  const failed = (retryable: boolean) =>
    aPaymentView({ state: 'failed', failure: { code: 'AM04', retryable } });
  const person = await signedIn(api);
  const path = '/console/payments/pay-1/commands/retry';
  api.door.payments.view.mockResolvedValue(failed(false));
  expect(await person.page(path)).toContain('This is not possible in the current state.');
  api.door.payments.view.mockResolvedValue(failed(true));
  expect((await person.send(path, { key: 'k-1' })).status).toBe(303);
  expect(api.door.payments.retry.mock.lastCall?.[0]).toBe('pay-1');
});

test('of two people who resolve one flag, the second reads that it is done', async () => {
  const api = anApi();
  api.door.payments.view.mockResolvedValue(aPaymentView());
  api.door.payments.resolveAttention.mockRejectedValue(new ApiError('no_such_attention', 'No such flag.'));
  const form = { key: 'k-1', reason: 'Checked with the bank' };
  const answer = await (await signedIn(api)).send('/console/payments/pay-1/flags/overdue', form);
  expect(await answer.text()).toContain('Another person has resolved it, or its cause has ended.');
});

test('with dual control the form shows the approval id, which the next request sends', async () => {
  const api = anApi({ isDualControl: true });
  api.door.payments.view.mockResolvedValue(aPaymentView({ attention: [PARKED] }));
  api.door.approvals.request.mockResolvedValue({
    ...{ operation: 'o', target: 't', digest: 'd', requestedBy: KEYS.all },
    ...{ requestedAt: '2026-10-01T01:00:00.000Z', expiresAt: '2026-10-02T01:00:00.000Z' },
  });
  const path = '/console/payments/pay-1/flags/parked';
  const form = { key: 'k-1', reason: 'Checked', decision: 'close' };
  const person = await signedIn(api);
  const page = await (await person.send(path, form)).text();
  const [, approval = ''] = /name="approval" value="([0-9a-f]{32}-[0-9a-z]+)"/.exec(page) ?? [];
  expect(page).toContain('Another person must approve this first.');
  api.door.approvals.approve.mockResolvedValue(undefined);
  await (await signedIn(api, KEYS.other)).send(path, { ...form, approval });
  expect(api.door.approvals.approve.mock.lastCall?.[0]).toBe(approval.split('-')[0]);
  expect(api.door.payments.resolveAttention).not.toHaveBeenCalled();
});

test('a payment is judged first, and a double click pays once', async () => {
  const api = anActiveAgreement();
  api.door.payments.view.mockResolvedValue(undefined);
  api.door.payments.judge.mockResolvedValue(undefined);
  api.door.payments.request.mockResolvedValue(aPaymentView({ requestedBy: KEYS.all }));
  const person = await signedIn(api);
  const [, uid = ''] = /name="uid" value="(pay-[\w-]+)"/.exec(await person.page(PAY)) ?? [];
  const form = { uid, amount: '$1,042.05', reference: 'INV 5', description: '' };
  const judged = await (await person.send(PAY, form)).text();
  expect(judged).toContain('Take $1,042.05');
  expect(api.door.payments.request).not.toHaveBeenCalled();
  api.door.payments.view.mockResolvedValue(aPaymentView({ requestedBy: KEYS.all }));
  const answers = await Promise.all([1, 2].map(() => person.send(PAY, { ...form, step: 'send' })));
  expect(answers.map(({ status, headers }) => [status, headers.get('location')])).toEqual(
    answers.map(() => [303, `/console/payments/${uid}?done=payment`]),
  );
  expect(api.door.payments.request.mock.calls.map(([sent, order]) => [sent, order.amount])).toEqual(
    answers.map(() => [uid, 104_205]),
  );
});

test.each(['', '42.5', '-1', '1e3', '42,50.123', '$'])(
  'the amount “%s” is refused before the API',
  async (amount) => {
    const api = anActiveAgreement();
    const answer = await (await signedIn(api)).send(PAY, { uid: 'pay-1', amount });
    expect(await answer.text()).toContain('Write the amount in dollars, such as 42.50.');
    expect(api.door.payments.judge).not.toHaveBeenCalled();
  },
);
