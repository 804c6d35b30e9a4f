import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { refusedUpdate } from '../../../../api/gateway/temporal/refusals.js';
import { anApi, get, post } from '../../../support/api/app.js';
import {
  aPayment,
  aPaymentEntry,
  aPaymentView,
  anAgreementView,
  anOrder,
  problemIn,
} from '../../../support/api/builders.js';

const refusing = anApi();

const HOUR_MS = 3_600_000;
const PATH = '/v1/agreements/agr-1/payments';
const withoutUid = () => ({ ...aPayment(), uid: undefined });
const uidIn = async (response: Response) =>
  z.object({ data: z.object({ uid: z.string() }) }).parse(await response.json()).data.uid;

const JUDGED = {
  code: 'too_many_in_period',
  detail: 'Expected at most 1 a month.',
  limit: 1,
  met: 2,
  passesFrom: '2026-10-31T13:00:00.000Z',
};
const JUDGEMENT = {
  rule: 'too_many_in_period',
  limit: 1,
  met: 2,
  passes_from: '2026-10-31T13:00:00.000Z',
};

describe('dry run of a payment', () => {
  test('returns the judgement and requests no payment', async () => {
    const api = anApi();
    api.door.payments.judge.mockResolvedValueOnce(JUDGED);
    const response = await post(api, `${PATH}?dry_run=true`, aPayment());
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      data: {
        uid: 'pay-1',
        admissible: false,
        refusal: { code: 'too_many_in_period', detail: JUDGED.detail, errors: [], judgement: JUDGEMENT },
      },
    });
    const allowed = await post(api, `${PATH}?dry_run=true`, aPayment());
    expect(await allowed.json()).toEqual({ data: { uid: 'pay-1', admissible: true, refusal: null } });
    expect(api.door.payments.request).not.toHaveBeenCalled();
  });

  test('answers 400 for a value other than true or false', async () => {
    expect((await post(refusing, `${PATH}?dry_run=yes`, aPayment())).status).toBe(400);
  });
});

describe('POST /v1/agreements/{uid}/payments', () => {
  test('returns the broken rule, its limit, the actual value and the earliest valid time', async () => {
    const api = anApi();
    const { code, detail, ...details } = JUDGED;
    const cause = ApplicationFailure.create({ type: code, message: detail, details: [details] });
    const refused = refusedUpdate(new WorkflowUpdateFailedError('refused', cause), 'payment_refused');
    api.door.payments.request.mockRejectedValueOnce(refused);
    const response = await post(api, PATH, aPayment());
    expect(await response.json()).toMatchObject({ status: 422, code, detail, judgement: JUDGEMENT });
  });

  test('answers 202 and requests the payment with the fields of the provider', async () => {
    const api = anApi();
    const response = await post(api, PATH, aPayment());
    expect(response.status).toBe(202);
    expect(await response.json()).toMatchObject({
      data: { ...aPayment(), agreement_uid: 'agr-1', state: 'requested', priority: 'unattended' },
    });
    expect(api.door.payments.request).toHaveBeenCalledExactlyOnceWith(
      'pay-1',
      anOrder(),
      undefined,
      undefined,
      { principal: 'key-all', connections: undefined },
    );
  });

  test('does not send submit_before to the provider', async () => {
    const api = anApi();
    const submit_before = new Date(api.time.now + HOUR_MS).toISOString();
    await post(api, PATH, { ...aPayment(), submit_before });
    const handling = { submitBefore: submit_before };
    expect(api.door.payments.request).toHaveBeenCalledExactlyOnceWith(
      'pay-1',
      anOrder(),
      undefined,
      handling,
      { principal: 'key-all', connections: undefined },
    );
  });

  test.each([
    ['a second ago', -1000],
    ['in 41 days', 41 * 24 * HOUR_MS],
  ])('answers 422 if submit_before is %s, except for a repeat', async (_when, aheadMs) => {
    const api = anApi();
    const body = { ...aPayment(), submit_before: new Date(api.time.now + aheadMs).toISOString() };
    api.door.payments.view.mockResolvedValueOnce(undefined);
    expect(await problemIn(await post(api, PATH, body))).toMatchObject({
      status: 422,
      code: 'submit_before_out_of_range',
      errors: [{ pointer: '/submit_before' }],
    });
    api.door.payments.view.mockResolvedValue(aPaymentView());
    expect((await post(api, PATH, body)).status).toBe(202);
  });

  test('answers 400 without a uid and Idempotency-Key', async () => {
    const problem = await problemIn(await post(refusing, PATH, withoutUid()));
    expect(problem).toMatchObject({
      status: 400,
      code: 'idempotency_key_required',
      errors: [{ header: 'Idempotency-Key' }],
    });
    expect(refusing.door.payments.request).not.toHaveBeenCalled();
  });

  test('derives the same uid from the same key and agreement', async () => {
    const send = async (path: string, key: string) =>
      uidIn(await post(anApi(), path, withoutUid(), { 'idempotency-key': key }));
    const uid = await send(PATH, 'order-77');
    expect(uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(await send(PATH, 'order-77')).toBe(uid);
    expect(await send(PATH, 'order-78')).not.toBe(uid);
    expect(await send('/v1/agreements/agr-2/payments', 'order-77')).not.toBe(uid);
  });

  test('derives uids that never change between releases', async () => {
    const response = await post(anApi(), PATH, withoutUid(), { 'idempotency-key': 'order-77' });
    expect(await uidIn(response)).toMatchInlineSnapshot(`"a71b8d75-0751-5d47-bfaf-9255aa5ba483"`);
  });

  test('uses the uid in the body and passes on the digests of key and body', async () => {
    const useOf = async (path: string, body: object) => {
      const api = anApi();
      await post(api, path, body, { 'idempotency-key': 'order-77' });
      return api.door.payments.request.mock.lastCall?.[2];
    };
    const use = await useOf(PATH, aPayment());
    expect(use).toMatchObject({ uid: 'pay-1' });
    const unnamed = await useOf(PATH, withoutUid());
    expect(unnamed?.key).toBe(use?.key);
    expect(unnamed?.body).not.toBe(use?.body);
    expect((await useOf('/v1/agreements/agr-2/payments', aPayment()))?.key).not.toBe(use?.key);
    expect((await useOf('/v1/agreements/%61gr-1/payments', aPayment()))?.key).toBe(use?.key);
  });

  test.each(['settled', 'failed', 'unknown'] as const)('stops waiting when %s', async (state) => {
    const api = anApi();
    api.door.payments.view
      .mockResolvedValueOnce(aPaymentView({ state: 'submitting' }))
      .mockResolvedValue(aPaymentView({ state }));
    expect(await (await post(api, `${PATH}?wait=30`, aPayment())).json()).toMatchObject({ data: { state } });
    expect(api.door.payments.view).toHaveBeenCalledTimes(2);
  });

  test('stops waiting when the payment waits for an operator', async () => {
    const api = anApi();
    const since = '2026-10-01T01:00:00.000Z';
    api.door.payments.view.mockResolvedValue(aPaymentView({ awaiting: { what: 'operator', since } }));
    await get(api, '/v1/payments/pay-1?wait=30');
    expect(api.door.payments.view).toHaveBeenCalledOnce();
  });
});

describe('GET /v1/agreements/{uid}/payments', () => {
  test('returns the payments of an agreement in pages', async () => {
    const api = anApi();
    const payments = ['pay-1', 'pay-2', 'pay-3'].map((uid) => aPaymentEntry({ uid }));
    api.door.agreements.whole.mockResolvedValue(anAgreementView({ payments }));
    const Page = z.object({
      data: z.array(z.object({ uid: z.string() })),
      links: z.object({ next: z.string().optional() }),
    });
    const seen: string[] = [];
    for (let path: string | undefined = `${PATH}?per_page=2`; path !== undefined;) {
      const { data, links }: z.output<typeof Page> = Page.parse(await (await get(api, path)).json());
      seen.push(...data.map(({ uid }) => uid));
      path = links.next;
    }
    expect(seen).toEqual(['pay-1', 'pay-2', 'pay-3']);
  });

  test('returns the outcome of each payment, period totals and consecutive failures', async () => {
    const api = anApi();
    const payments = [aPaymentEntry({ outcome: 'settled', refunded: 40 }), aPaymentEntry({ uid: 'pay-2' })];
    const consecutiveFailures = { count: 6, stopsPayments: true };
    api.door.agreements.whole.mockResolvedValue(
      anAgreementView({ payments, consecutiveFailures, adopted: true }),
    );
    expect(await (await get(api, PATH)).json()).toMatchObject({
      data: [
        { uid: 'pay-1', outcome: 'settled', failures: 0, refunded: 40 },
        { uid: 'pay-2', outcome: 'in_flight' },
      ],
      periods: [
        {
          from: '2026-10-01',
          until: '2026-11-01',
          settled: { count: 1, amount: 100 },
          in_flight: { count: 1, amount: 100 },
          refunded: 40,
        },
      ],
      consecutive_failures: { count: 6, stops_payments: true, earlier_unknown: true },
    });
  });

  test('counts older payments that are not listed', async () => {
    const api = anApi();
    const payments = [aPaymentEntry()];
    api.door.agreements.whole.mockResolvedValue(anAgreementView({ payments, paymentsOlder: 7 }));
    expect(await (await get(api, PATH)).json()).toMatchObject({ older_count: 7, data: [{ uid: 'pay-1' }] });
  });
});
