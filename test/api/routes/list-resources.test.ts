import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { anApi, get } from '../../support/api/app.js';
import { problemIn } from '../../support/api/builders.js';

const NEXT = 'bmV4dA';
const LISTED = { connectionId: 'acme', awaiting: 'settlement' as const, attention: ['overdue' as const] };
const Links = z.object({ links: z.object({ next: z.string() }) });
const AT = '2026-10-01T01:00:00.000Z';

test('payments can be listed by every filter, with normalised times and pages', async () => {
  const api = anApi();
  const { list } = api.door.payments;
  const item = { ...LISTED, uid: 'pay-1', state: 'pending', agreementUid: 'agr-1', requestedAt: AT } as const;
  list.mockResolvedValueOnce({ items: [{ ...item, awaitingSince: AT, lastFactAt: AT }], next: NEXT });
  const filters = {
    state: 'pending',
    awaiting: 'settlement',
    attention: 'overdue',
    connection: 'acme',
    agreement: 'agr-1',
  };
  const created = { created_from: '2026-10-01T00:00:00Z', created_until: '2026-11-01T00:00:00Z' };
  const path = `/v1/payments?${new URLSearchParams({ ...filters, ...created }).toString()}`;
  const answer: unknown = await (await get(api, path)).json();
  const asked = {
    ...filters,
    created_from: '2026-10-01T00:00:00.000Z',
    created_until: '2026-11-01T00:00:00.000Z',
    per_page: 20,
  };
  expect(list).toHaveBeenLastCalledWith({ ...asked, cursor: undefined });
  expect(answer).toMatchObject({
    data: [
      {
        uid: 'pay-1',
        agreement_uid: 'agr-1',
        state: 'pending',
        awaiting: { what: 'settlement', since: AT },
        attention: ['overdue'],
        last_fact_at: AT,
        requested_at: AT,
        links: { self: '/v1/payments/pay-1', agreement: '/v1/agreements/agr-1' },
      },
    ],
  });
  const { next } = Links.parse(answer).links;
  await get(api, next);
  expect(list).toHaveBeenLastCalledWith({ ...asked, cursor: NEXT });
  const elsewhere = next.replace('/v1/payments', '/v1/refunds').replace(/&(awaiting|agreement)=[^&]*/g, '');
  const other = await get(api, elsewhere.replace('state=pending', 'state=failed'));
  expect(await problemIn(other)).toMatchObject({ status: 400, parameters: ['cursor'] });
});

test('listed refunds show their state and link to themselves', async () => {
  const api = anApi();
  const item = { ...LISTED, uid: 'ref-1', state: 'processing', requestedAt: AT } as const;
  api.door.refunds.list.mockResolvedValueOnce({ items: [item], next: undefined });
  expect(await (await get(api, '/v1/refunds?state=processing')).json()).toMatchObject({
    data: [{ uid: 'ref-1', state: 'processing', requested_at: AT, links: { self: '/v1/refunds/ref-1' } }],
    links: {},
  });
});

describe('invalid list filter', () => {
  test.each([
    ['payments', 'state', 'paid'],
    ['payments', 'agreement', "x' OR 'a'='a"],
    ['payments', 'created_from', 'yesterday'],
    ['payments', 'created_until', "2026-10-01T00:00:00Z' OR 'a'='a"],
    ['refunds', 'created_from', '2026-10-01'],
  ])('refuses %s filtered by %s=%s before any read', async (list, name, value) => {
    const api = anApi();
    const answer = await get(api, `/v1/${list}?${new URLSearchParams({ [name]: value }).toString()}`);
    expect(await problemIn(answer)).toMatchObject({ status: 400, parameters: [name] });
    expect(api.door.payments.list).not.toHaveBeenCalled();
    expect(api.door.refunds.list).not.toHaveBeenCalled();
  });
});
