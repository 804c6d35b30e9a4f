import { all } from '../../tools/conform/walk-payto.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FLOAT_ID, dayIn, instantIn, refundRequest, unique } from '../../tools/conform/requests.js';
import {
  activeAgreement,
  agreementAfter,
  incomingCredit,
  paymentAfter,
  payoutAgreement,
  registeredClient,
} from '../../tools/conform/resources.js';
import { type World, passToNoon, startWorld } from '../support/payments-api/contract-world.js';
import type {
  AgreementFilter,
  EntryFilter,
  PaymentFilter,
} from '../../payments-api/requests/filter.schema.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  await passToNoon(world);
});
afterAll(() => world.close());

test('reads the complete history, newest event first', async () => {
  const uid = await activeAgreement(world);
  for (let times = 0; times < 60; times += 1) {
    world.control.actAsPayer(uid, 'suspend');
    world.control.actAsPayer(uid, 'reactivate');
  }
  const before = world.exchanges.length;
  const facts = await world.api.getAgreementHistory(uid, world.call);
  expect(world.exchanges.slice(before).map(({ query }) => query['per_page'])).toEqual(['100', '100']);
  expect(facts).toHaveLength(121);
  expect(new Set(facts.map(({ id }) => id)).size).toBe(121);
  expect([facts.at(0)?.type, facts.at(-1)?.type]).toEqual(['reactivated', 'activated']);
});

describe('agreement filters', () => {
  const uids: string[] = [];
  const [active, declined, expired, byClient] = [0, 1, 2, 3];
  beforeAll(async () => {
    const client_id = await registeredClient(world, { business_names: ['Gym, North & South'] });
    const initiator = { name: 'Gym, North & South', client_id };
    uids.push(await activeAgreement(world));
    uids.push(await agreementAfter(world, 'debtor_decline'));
    uids.push(await agreementAfter(world, 'expire'));
    uids.push(await activeAgreement(world, { initiator }));
  });

  test.each<[string, () => AgreementFilter, object, number[]]>([
    ['by one state', () => ({ state: ['declined'] }), { state: 'declined' }, [declined]],
    ['by several states', () => ({ state: ['declined', 'active'] }), { state: 'declined,active' }, [0, 1, 3]],
    ['by the initiator’s name', () => ({ initiatorName: 'Gym, North & South' }), {}, [byClient]],
    ['by the name in lower case', () => ({ initiatorName: 'gym, north & south' }), {}, []],
    ['from today', () => ({ minCreatedDate: dayIn(world, 0) }), {}, [active, declined, expired, byClient]],
    ['from tomorrow', () => ({ minCreatedDate: dayIn(world, 1) }), {}, []],
    ['up to today', () => ({ maxCreatedDate: dayIn(world, 0) }), {}, [active, declined, expired, byClient]],
    ['up to yesterday', () => ({ maxCreatedDate: dayIn(world, -1) }), {}, []],
  ])('select agreements %s', async (_, filter, query, expected) => {
    const listed = await all(world.api.listAgreements({ perPage: 100, ...filter() }, world.call));
    expect(world.last().query).toMatchObject(query);
    const found = uids.filter((uid) => listed.some((agreement) => agreement.uid === uid));
    expect(found).toEqual(expected.map((index) => uids[index]));
  });
});

describe('payment and refund filters', () => {
  let agreement: string;
  let settled: string;
  let failed: string;
  let refunding: string;
  let refund: string;
  beforeAll(async () => {
    agreement = await activeAgreement(world);
    settled = await paymentAfter(world, 'auto_settle', agreement);
    failed = await paymentAfter(world, 'insufficient_funds', agreement);
    refunding = unique('pay');
    const request = refundRequest(settled, {
      refund_payment: {
        type: 'pay_to_payment',
        agreement_uid: await payoutAgreement(world),
        uid: refunding,
        amount: 100,
        description: 'REFUND part',
      },
    });
    refund = request.uid;
    await world.api.createRefund(request, world.call);
    await world.control.advance(1);
  });

  test.each<[string, () => PaymentFilter, () => string[]]>([
    ['one state', () => ({ state: ['failed'] }), () => [failed]],
    ['several states', () => ({ state: ['failed', 'settled'] }), () => [settled, failed, refunding]],
    ['the agreement', () => ({ agreementUid: agreement }), () => [settled, failed]],
    [
      'the initiator',
      () => ({ agreementInitiatorName: 'Sandbox Biller' }),
      () => [settled, failed, refunding],
    ],
    ['another initiator', () => ({ agreementInitiatorName: 'Nobody' }), () => []],
    ['refunds included', () => ({ refunds: 'included' }), () => [settled, failed, refunding]],
    ['refunds excluded', () => ({ refunds: 'excluded' }), () => [settled, failed]],
    ['only refunds', () => ({ refunds: 'only' }), () => [refunding]],
    ['creation from tomorrow on', () => ({ minCreatedDate: dayIn(world, 1) }), () => []],
    ['creation up to today', () => ({ maxCreatedDate: dayIn(world, 0) }), () => [settled, failed, refunding]],
  ])('select payments by %s', async (_, filter, expected) => {
    const listed = await all(world.api.listPayments({ perPage: 100, ...filter() }, world.call));
    const ours = [settled, failed, refunding];
    expect(ours.filter((uid) => listed.some((payment) => payment.uid === uid))).toEqual(expected());
  });

  test.each([
    ['the payment', () => ({ originalPaymentUid: settled }), 1],
    ['another payment', () => ({ originalPaymentUid: failed }), 0],
    ['creation from today on', () => ({ minCreatedDate: dayIn(world, 0) }), 1],
    ['creation up to yesterday', () => ({ maxCreatedDate: dayIn(world, -1) }), 0],
  ])('select refunds by %s', async (_, filter, count) => {
    const listed = await all(world.api.listRefunds({ perPage: 100, ...filter() }, world.call));
    expect(listed.filter(({ uid }) => uid === refund)).toHaveLength(count);
  });
});

describe('client and entry filters', () => {
  test.each([
    ['the start of the name', { legalName: 'Yonder' }, 1],
    ['another name', { legalName: 'onder' }, 0],
    ['the business number', { australianBusinessNumber: '99888777666' }, 1],
  ])('select clients by %s', async (_, filter, count) => {
    const details = { legal_name: `Yonder ${unique('x')}`, australian_business_number: '99888777666' };
    const id = await registeredClient(world, details);
    const listed = await all(world.api.listClients({ perPage: 100, ...filter }, world.call));
    expect(listed.filter((client) => client.id === id)).toHaveLength(count);
  });

  test.each<[string, () => EntryFilter, boolean]>([
    ['from a minute ago', () => ({ minCreatedDate: instantIn(world, -60) }), true],
    ['from a minute ahead', () => ({ minCreatedDate: instantIn(world, 60) }), false],
    ['up to a minute ahead', () => ({ maxCreatedDate: instantIn(world, 60) }), true],
    ['up to a minute ago', () => ({ maxCreatedDate: instantIn(world, -60) }), false],
  ])('select entries %s', async (_, filter, isThere) => {
    await world.control.advance(120);
    await incomingCredit(world, 'npp_bban');
    const [newest] = await all(world.api.listFloatAccountEntries(FLOAT_ID, { perPage: 1 }, world.call));
    const listed = await all(world.api.listFloatAccountEntries(FLOAT_ID, filter(), world.call));
    expect(listed.some(({ id }) => id === newest?.id)).toBe(isThere);
  });
});
