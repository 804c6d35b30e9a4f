// GET /payto/payments: its order, its filters one by one, its pages.
import { expect, test } from 'vitest';
import type { Answer } from './caller.js';
import { anActiveAgreement, type World } from './world.js';
import {
  ADHOC,
  anEndedPayment,
  aPayoutAgreement,
  aRefund,
  aWorldAtNoon,
  codesOf,
  later,
  pay,
  plusDays,
  today,
} from './payment-requests.js';

const list = ({ caller }: World, query = ''): Promise<Answer> => caller.get(`/payto/payments${query}`);
const uidsOf = (answer: Answer): unknown[] => answer.list.map(({ uid }) => uid);

test('newest first, each as it is read by itself', async () => {
  const world = await aWorldAtNoon();
  const agreementUid = await anActiveAgreement(world, ADHOC);
  const uids = [];
  for (let i = 0; i < 3; i += 1) uids.unshift(await anEndedPayment(world, agreementUid));
  const answer = await list(world);
  expect([answer.status, uidsOf(answer), answer.links]).toEqual([200, uids, {}]);
  expect(answer.list[0]).toEqual((await world.caller.get(`/payto/payments/${uids[0]}`)).data);
});

test('an empty list is a list', async () => {
  const answer = await list(await aWorldAtNoon());
  expect([answer.status, answer.list, answer.links]).toEqual([200, [], {}]);
});

test('state takes one or several', async () => {
  const world = await aWorldAtNoon();
  const agreementUid = await anActiveAgreement(world, ADHOC);
  const settled = await anEndedPayment(world, agreementUid);
  const failed = await anEndedPayment(world, agreementUid, { sandbox: { simulate: 'insufficient_funds' } });
  const waiting = await anEndedPayment(world, agreementUid, { sandbox: { delay: 60 } });
  expect(uidsOf(await list(world, '?state=settled'))).toEqual([settled]);
  expect(uidsOf(await list(world, '?state=submitting,failed'))).toEqual([waiting, failed]);
  expect(uidsOf(await list(world, '?state=pending'))).toEqual([]);
  expect(codesOf(await list(world, '?state=settled,odd'))).toEqual([422, 'ZPUNP00']);
});

test('agreement_uid and agreement_initiator_name are exact, capitals included', async () => {
  const world = await aWorldAtNoon();
  const one = await anActiveAgreement(world, { ...ADHOC, initiator: { name: 'Sandbox Biller' } });
  const other = await anActiveAgreement(world, { ...ADHOC, initiator: { name: 'Sandbox Biller Pty Ltd' } });
  const [first, second] = [await anEndedPayment(world, one), await anEndedPayment(world, other)];
  expect(uidsOf(await list(world, `?agreement_uid=${one}`))).toEqual([first]);
  expect(uidsOf(await list(world, '?agreement_uid=none'))).toEqual([]);
  const named = (name: string) => list(world, `?agreement_initiator_name=${encodeURIComponent(name)}`);
  expect(uidsOf(await named('Sandbox Biller'))).toEqual([first]);
  expect(uidsOf(await named('Sandbox Biller Pty Ltd'))).toEqual([second]);
  expect(uidsOf(await named('sandbox biller'))).toEqual([]);
});

test('the two dates are days in Sydney, both included', async () => {
  const world = await aWorldAtNoon();
  const day = (days: number): string => plusDays(today(world), days);
  const [zero, one, two] = [day(0), day(1), day(2)];
  const agreementUid = await anActiveAgreement(world, ADHOC);
  const first = await anEndedPayment(world, agreementUid);
  // 23:00 in Sydney is the day before in London, where it is noon.
  const evening = await later(world, 11 * 60 * 60);
  const second = await anEndedPayment(evening, agreementUid);
  const nextDay = await later(evening, 2 * 60 * 60);
  const third = await anEndedPayment(nextDay, agreementUid);
  const between = async (min: string, max: string): Promise<unknown[]> =>
    uidsOf(await list(nextDay, `?min_created_date=${min}&max_created_date=${max}`));
  expect(await between(zero, zero)).toEqual([second, first]);
  expect(await between(one, two)).toEqual([third]);
  expect(await between(zero, one)).toEqual([third, second, first]);
  expect(await between(two, two)).toEqual([]);
  expect(codesOf(await list(nextDay, '?min_created_date=2026-02-30'))).toEqual([422, 'ZPUNP00']);
});

test('the payments of refunds are included, excluded or the only ones', async () => {
  const world = await aWorldAtNoon();
  const original = await anEndedPayment(world, await anActiveAgreement(world));
  const agreement_uid = await aPayoutAgreement(world);
  const paid = { type: 'pay_to_payment', float_bank_account_id: undefined, agreement_uid, uid: 'pay-back' };
  expect((await world.caller.post('/payto/refunds', aRefund(original, {}, paid))).status).toBe(201);
  expect(uidsOf(await list(world))).toEqual(['pay-back', original]);
  expect(uidsOf(await list(world, '?refunds=included'))).toEqual(['pay-back', original]);
  expect(uidsOf(await list(world, '?refunds=excluded'))).toEqual([original]);
  expect(uidsOf(await list(world, '?refunds=only'))).toEqual(['pay-back']);
  expect(codesOf(await list(world, '?refunds=none'))).toEqual([422, 'ZPUNP00']);
});

test('pages keep the filters, and lead from the newest to the oldest', async () => {
  const world = await aWorldAtNoon();
  const agreementUid = await anActiveAgreement(world, ADHOC);
  const uids: string[] = [];
  for (let i = 0; i < 5; i += 1) uids.unshift((await pay(world, agreementUid)).uid);
  await pay(world, await anActiveAgreement(world));
  const met = [];
  let next: string | undefined = `/payto/payments?per_page=2&agreement_uid=${agreementUid}`;
  while (next !== undefined) {
    const page: Answer = await world.caller.get(next);
    met.push(uidsOf(page));
    next = page.links.next;
    expect(next ?? '/').toMatch(/^\//);
  }
  expect(met).toEqual([uids.slice(0, 2), uids.slice(2, 4), uids.slice(4)]);
});

test.each([
  ['per_page=0', 422, 'ZPPGN00'],
  ['per_page=101', 422, 'ZPPGN00'],
  ['per_page=ten', 422, 'ZPPGN00'],
  ['starting_after=none', 422, 'ZPPGN00'],
  ['surprise=1', 400, undefined],
])('%s is %i', async (query, status, code) => {
  expect(codesOf(await list(await aWorldAtNoon(), `?${query}`))).toEqual([status, code]);
});
