import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { RECORDED_UNTIL, anApi, get } from '../../support/api/app.js';
import { aPaymentView, aRefundView, problemIn } from '../../support/api/builders.js';

const refusing = anApi();

const Links = z.object({ links: z.object({ next: z.string() }) });
const query = (filters: Record<string, string>) => new URLSearchParams(filters).toString();

test('payments can be listed by every filter, with normalised times and pages', async () => {
  const api = anApi();
  const { list } = api.door.payments;
  list.mockResolvedValueOnce({
    items: [aPaymentView({ uid: 'pay-1' })],
    next: { value: '4200', uid: 'pay-1' },
  });
  const filters = {
    ...{ state: 'pending', awaiting: 'settlement', attention: 'overdue', connection: 'acme' },
    ...{ agreement: 'agr-1', client: 'cl-1', reference: 'INV 5', amount_min: '100', amount_max: '4200' },
    ...{ created_from: '2026-10-01T00:00:00Z', settled_until: '2026-11-01T00:00:00.5Z' },
    ...{ metadata_key: 'order', metadata_value: '77', sort: '-amount', per_page: '200' },
  };
  const answer: unknown = await (await get(api, `/v1/payments?${query(filters)}`)).json();
  const asked = {
    filter: {
      ...{ states: ['pending'], awaiting: 'settlement', attention: 'overdue', connection: 'acme' },
      ...{ agreement: 'agr-1', client: 'cl-1', payment: undefined, amount: { from: 100, until: 4201 } },
      created: { from: '2026-10-01T00:00:00.000Z', until: undefined },
      updated: { from: undefined, until: undefined },
      settled: { from: undefined, until: '2026-11-01T00:00:00.500Z' },
      terms: [{ reference: 'INV 5' }, { metadata: 'order', value: '77' }],
    },
    sort: { by: 'amount', isDescending: true },
    limit: 200,
  };
  expect(list).toHaveBeenLastCalledWith({ ...asked, after: undefined });
  expect(answer).toMatchObject({ data: [{ uid: 'pay-1', links: { self: '/v1/payments/pay-1' } }] });
  const { next } = Links.parse(answer).links;
  await get(api, next);
  expect(list).toHaveBeenLastCalledWith({ ...asked, after: { value: '4200', uid: 'pay-1' } });
  const elsewhere = next
    .replace('/v1/payments', '/v1/refunds')
    .replace(/&(agreement|client|reference)=[^&]*/g, '');
  const other = await get(
    api,
    elsewhere.replace('state=pending', 'state=failed').replace('overdue', 'parked'),
  );
  expect(await problemIn(other)).toMatchObject({ status: 400, parameters: ['cursor'] });
});

test('listed refunds are complete and link to themselves', async () => {
  const api = anApi();
  api.door.refunds.list.mockResolvedValueOnce({ items: [aRefundView({ uid: 'ref-1' })], next: undefined });
  const answer = await get(api, '/v1/refunds?payment=pay-1');
  expect(answer.headers.get('recorded-until')).toBe(RECORDED_UNTIL);
  expect(await answer.json()).toMatchObject({
    data: [{ uid: 'ref-1', links: { self: '/v1/refunds/ref-1' } }],
    links: {},
    recorded_until: RECORDED_UNTIL,
  });
  expect(api.door.refunds.list.mock.lastCall?.[0].filter).toMatchObject({ payment: 'pay-1' });
});

test('an unanswered agreement in another state matches nothing', async () => {
  const api = anApi();
  await get(api, '/v1/agreements?unanswered=1h&state=active');
  expect(api.door.agreements.list.mock.lastCall?.[0].filter).toMatchObject({ states: [] });
});

test('the summary covers whole Sydney days, by default the last 31', async () => {
  const api = anApi();
  const total = { day: '2026-10-01', state: 'settled', count: 2, amount: 8400 };
  api.door.payments.totals.mockResolvedValue([total]);
  const answer = await get(api, '/v1/payments/summary?connection=acme&from=2026-10-04&until=2026-10-05');
  expect(await answer.json()).toEqual({ data: [total] });
  expect(api.door.payments.totals).toHaveBeenLastCalledWith(expect.objectContaining({ connection: 'acme' }), {
    from: '2026-10-03T14:00:00.000Z',
    until: '2026-10-04T13:00:00.000Z',
  });
  await get(api, '/v1/payments/summary');
  expect(api.door.payments.totals.mock.lastCall?.[1]).toEqual({
    from: '2026-08-31T14:00:00.000Z',
    until: '2026-10-01T14:00:00.000Z',
  });
});

test('changes of payments are followed from the start, and the link always continues', async () => {
  const api = anApi();
  const { changed } = api.door;
  changed.mockResolvedValueOnce({
    items: [aPaymentView({ uid: 'pay-1' }) as never],
    next: { era: 1, transaction: '700', uid: 'pay-1' },
    isNewest: false,
  });
  const answer: unknown = await (
    await get(api, '/v1/payments?changed_after=start&connection=acme&per_page=1')
  ).json();
  expect(answer).toMatchObject({ data: [{ uid: 'pay-1' }], up_to_date: false });
  const { next } = Links.parse(answer).links;
  const after = { era: 1, transaction: '700', uid: 'pay-1' };
  const asked = { filter: expect.objectContaining({ connection: 'acme' }) as object, limit: 1 };
  expect(changed).toHaveBeenLastCalledWith('payment', { ...asked, after: undefined });
  const empty = Links.parse(await (await get(api, next)).json());
  expect(changed).toHaveBeenLastCalledWith('payment', { ...asked, after });
  expect(empty.links.next).toMatch(/^\/v1\/payments\?connection=acme&per_page=1&changed_after=./);
  const other = await get(api, next.replace('/v1/payments', '/v1/refunds'));
  expect(await problemIn(other)).toMatchObject({ status: 400, parameters: ['changed_after'] });
  const ofClient = await get(api, '/v1/payments?changed_after=start&client=cl-1');
  expect(await problemIn(ofClient)).toMatchObject({ status: 400, parameters: ['client'] });
});

describe('invalid list filter', () => {
  test.each([
    ['payments', 'state', 'paid'],
    ['payments', 'agreement', "x' OR 'a'='a"],
    ['payments', 'created_from', 'yesterday'],
    ['payments', 'amount_min', '-1'],
    ['payments', 'sort', 'uid'],
    ['payments', 'per_page', '201'],
    ['payments/summary', 'from', '2030-01-01'],
    ['payments/summary', 'from', '2020-01-01'],
    ['refunds', 'sort', 'settled'],
    ['refunds', 'created_from', '2026-10-01'],
  ])('refuses %s filtered by %s=%s before any read', async (list, name, value) => {
    const api = anApi();
    const answer = await get(api, `/v1/${list}?${query({ [name]: value })}`);
    expect(await problemIn(answer)).toMatchObject({ status: 400, parameters: [name] });
    expect(api.door.payments.list).not.toHaveBeenCalled();
    expect(api.door.refunds.list).not.toHaveBeenCalled();
  });

  test.each([
    ['payments?changed_after=start&sort=created', 'sort'],
    ['payments?changed_after=start&sort=-created', 'sort'],
    ['refunds?changed_after=start&cursor=abc', 'cursor'],
    ['agreements?changed_after=start&unanswered=1h', 'unanswered'],
    ['payments?changed_after=', 'changed_after'],
    ['payments?changed_after=abc', 'changed_after'],
    ['payments?changed_after=WyJwYXltZW50cyIsMSwiLTEiLCIiXQ', 'changed_after'],
  ])('refuses %s before any read', async (list, name) => {
    const answer = await get(refusing, `/v1/${list}`);
    expect(await problemIn(answer)).toMatchObject({ status: 400, parameters: [name] });
    expect(refusing.door.changed).not.toHaveBeenCalled();
  });

  test('refuses half of a pair of metadata', async () => {
    const answer = await get(refusing, '/v1/agreements?metadata_key=order');
    expect(await problemIn(answer)).toMatchObject({ status: 400, parameters: ['metadata_value'] });
  });
});
