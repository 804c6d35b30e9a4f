// What the payment calls answer, how a payment looks in each version, and the list of payments.
import { expect, test, describe } from 'vitest';
import type { Answer } from '../../support/sandbox/caller.js';
import {
  ADHOC,
  anEndedPayment,
  codesOf,
  CREDITOR,
  pay,
  paymentOf,
  aPayoutAgreement,
  aRefund,
  aWorldAtNoon,
  later,
  plusDays,
  today,
} from '../../support/sandbox/payments.js';
import { aPayment } from '../../support/sandbox/requests.js';
import { anActiveAgreement, aWorld, type World } from '../../support/sandbox/world.js';

describe('what the payment calls answer, and how a payment looks in each version', () => {
  test('a new payment is 201 with the whole resource, created', async () => {
    const world = await aWorld();
    const agreementUid = await anActiveAgreement(world);
    const { uid, answer } = await pay(world, agreementUid, {
      creditor_reference: 'C-5',
      metadata: { run: 7 },
    });
    expect(answer.status).toBe(201);
    expect(answer.data).toEqual({
      uid,
      agreement_uid: agreementUid,
      state: 'created',
      amount: 4200,
      last_payment: null,
      priority: 'unattended',
      reference: 'INV 5',
      description: 'October',
      creditor: { name: 'B Biller', account_identifier: { type: 'bban', value: '200002-55550001' } },
      creditor_reference: 'C-5',
      debtor: {
        party_name: 'A Payer',
        ultimate_party_name: 'A Payer',
        account_identifier: { type: 'bban', value: '200001-12340001' },
      },
      failure: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
      source_payto_refund_uid: null,
      metadata: { run: 7 },
      links: {
        self: `${world.url}/payto/payments/${uid}`,
        agreement: `${world.url}/payto/agreements/${agreementUid}`,
      },
    });
  });

  test.each(['20250101', '20260101'])('version %s spells the creditor in the long way', async (version) => {
    const world = await aWorld();
    const headers = { 'Service-API-Version': version };
    const request = aPayment(await anActiveAgreement(world));
    const created = await world.caller.post('/payto/payments', request, headers);
    const read = await world.caller.get(`/payto/payments/${request.uid}`, headers);
    const listed = await world.caller.get('/payto/payments', headers);
    for (const data of [created.data, read.data, listed.list[0]])
      expect(data?.['creditor']).toEqual(CREDITOR);
  });

  test('the same uid again is 422 ZPPAY00, and the first payment is as it was', async () => {
    const world = await aWorld();
    const agreementUid = await anActiveAgreement(world, ADHOC);
    const uid = await anEndedPayment(world, agreementUid);
    const again = await pay(world, agreementUid, { uid, amount: 1 });
    expect(codesOf(again.answer)).toEqual([422, 'ZPPAY00']);
    expect(again.answer.errors[0]?.meta).toEqual({ resource_uid: uid });
    expect(await paymentOf(world, uid)).toMatchObject({ amount: 4200, state: 'settled' });
  });

  test.each([
    [{ surprise: 1 }, 400, undefined, /surprise/],
    [{ creditor: { ...CREDITOR, iban: 'x' } }, 400, undefined, /creditor\.iban/],
    [{ sandbox: { simulate: 'auto_settle', dely: 1 } }, 400, undefined, /sandbox\.dely/],
    [{ amount: 0 }, 422, 'ZPUNP00', /amount/],
    [{ amount: 1.5 }, 422, 'ZPUNP00', /amount/],
    [{ amount: 1_000_000_001 }, 422, 'ZPUNP00', /amount/],
    [{ priority: 'soon' }, 422, 'ZPUNP00', /priority/],
    [{ reference: 'x'.repeat(36) }, 422, 'ZPUNP00', /reference/],
    [{ description: 'x'.repeat(281) }, 422, 'ZPUNP00', /description/],
    [{ creditor_reference: '' }, 422, 'ZPUNP00', /creditor_reference/],
    [{ description: 'caf\u00e9' }, 422, 'ZPUNP00', /ASCII/],
    [{ metadata: { deep: { er: 1 } } }, 422, 'ZPUNP00', /metadata/],
    [{ metadata: { long: 'x'.repeat(2048) } }, 422, 'ZPUNP00', /2 KB/],
    [{ uid: 'no spaces' }, 422, 'ZPUNP00', /uid/],
    [{ sandbox: { simulate: 'pending_then_settle' } }, 422, 'ZPUNP00', /simulate/],
    [{ sandbox: { simulate: 'AM04' } }, 422, 'ZPUNP00', /simulate/],
    [{ sandbox: { delay: 86_401 } }, 422, 'ZPUNP00', /delay/],
  ])('%o is %i and says so', async (overrides, status, code, detail) => {
    const world = await aWorld();
    const { answer } = await pay(world, await anActiveAgreement(world), overrides);
    expect([answer.status, answer.errors[0]?.code]).toEqual([status, code]);
    expect(answer.errors[0]?.detail).toMatch(detail);
  });

  test.each(['uid', 'agreement_uid', 'amount', 'priority'])('%s is required', async (field) => {
    const world = await aWorld();
    const request = aPayment(await anActiveAgreement(world), { [field]: undefined });
    expect(codesOf(await world.caller.post('/payto/payments', request))).toEqual([422, 'ZPUNP00']);
  });

  test('an unknown payment is 404, to read and to try again', async () => {
    const { caller } = await aWorld();
    expect((await caller.get('/payto/payments/none')).status).toBe(404);
    expect((await caller.post('/payto/payments/none/retry', {})).status).toBe(404);
  });
});

describe('GET /payto/payments: its order, its filters one by one, its pages', () => {
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
});
