import { expect, test } from 'vitest';
import { z } from 'zod';
import { callerWith, consent } from '../../support/sandbox/caller.js';
import {
  ADHOC,
  anEndedPayment,
  aRefund,
  aWorldAtNoon,
  DAY_SECONDS,
  later,
  plusDays,
  today,
} from '../../support/sandbox/payments.js';
import { anActiveAgreement, aWorld, type World } from '../../support/sandbox/world.js';

const Report = z.object({
  attributes: z.object({ download_link: z.object({ url: z.url(), expires_at: z.iso.datetime() }) }),
});
const path = (date: string) => `/merchant_reports/payto_settlement/${date}/download`;

async function linkTo({ caller }: World, date: string): Promise<string> {
  const { status, data } = await caller.post(path(date), '');
  expect(status).toBe(201);
  return Report.parse(data).attributes.download_link.url;
}
const rowsOf = async (url: string) =>
  (await (await fetch(url)).text())
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));

test('a report contains exactly the settlements of the Sydney day', async () => {
  const world = await aWorldAtNoon();
  const day = today(world);
  const agreement = await anActiveAgreement(world, ADHOC);
  const paid = await anEndedPayment(world, agreement, { reference: 'INV "5"', amount: 900 });
  await anEndedPayment(world, agreement, { sandbox: { simulate: 'insufficient_funds' } });
  const refund = aRefund(paid);
  await world.caller.post('/payto/refunds', refund);
  const tomorrow = await later(world, DAY_SECONDS);
  const next = await anEndedPayment(tomorrow, agreement);
  const [head, ...rows] = await rowsOf(await linkTo(tomorrow, day));
  expect(head).toEqual(['uid', 'agreement_uid', 'type', 'amount', 'settled_at', 'reference']);
  const at: unknown = expect.any(String);
  expect(rows).toEqual([
    [paid, agreement, 'payment', '900', at, '"INV ""5"""'],
    [refund.uid, agreement, 'refund', '100', at, ''],
  ]);
  const after = await rowsOf(await linkTo(tomorrow, plusDays(day, 1)));
  expect(after.slice(1).map(([uid]) => uid)).toEqual([next]);
});

test('a report link needs no token, expires and cannot be forged', async () => {
  const world = await aWorld();
  const url = await linkTo(world, '2026-10-01');
  const statuses = async () => [
    (await fetch(url)).status,
    (await fetch(url.replace('2026-10-01', '2026-10-02'))).status,
  ];
  expect(await statuses()).toEqual([200, 403]);
  await world.control.advance(15 * 60);
  expect(await statuses()).toEqual([403, 403]);
});

test('a report requires a valid date and the payments scope', async () => {
  const { caller, url } = await aWorld();
  expect((await caller.post(path('2026-02-30'), '')).status).toBe(400);
  const { access } = await consent(url, 'public');
  expect((await callerWith(url, access).post(path('2026-10-01'), '')).status).toBe(403);
});
