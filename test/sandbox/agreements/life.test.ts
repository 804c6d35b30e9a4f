// The payer, the clock and scripts decide what becomes of an agreement and of its accepted commands.
import { expect, test } from 'vitest';
import {
  aDebtor,
  agreementOf,
  anAgreementIn,
  sendAction,
  FIVE_DAYS,
  historyOf,
  stateOf,
  verdict,
} from '../../support/sandbox/agreements.js';
import { anAgreement } from '../../support/sandbox/requests.js';
import { tickWhenRead } from '../../support/sandbox/wall-clock.js';
import { anActiveAgreement, anIgnoredAgreement, aWorld, type World } from '../../support/sandbox/world.js';

const typesOf = async (world: World, uid: string) => (await historyOf(world, uid)).map(({ type }) => type);

test('an ignored agreement is created without an event and expires after exactly five days', async () => {
  const world = await aWorld();
  const request = anAgreement();
  world.control.scriptPayer(request.uid, { simulate: 'ignore' });
  tickWhenRead();
  const { data } = await world.caller.post('/payto/agreements', request);
  const createdAt = Date.parse(String(data['created_at']));
  await world.control.advance(FIVE_DAYS - 60);
  expect(world.control.state().agreements[0]?.state).toBe('created');
  expect(world.receiver.received).toEqual([]);
  await world.control.advance(24 * 60 * 60);
  const caller = await world.newCaller();
  const { list } = await caller.get(`/payto/agreements/${request.uid}/history`);
  expect(list).toMatchObject([{ type: 'payto_agreement.expired' }]);
  expect(Date.parse(String(list[0]?.['published_at'])) - createdAt).toBe(FIVE_DAYS * 1000);
});

test('cancel_if_unresolved cancels the agreement at the deadline', async () => {
  const world = await aWorld();
  const deadline = new Date(Date.now() + 3_600_000).toISOString();
  const unresolved = { resolution_requested_before: deadline, cancel_if_unresolved: true };
  const uid = await anIgnoredAgreement(world, unresolved);
  await world.control.advance(3600);
  const cancelled = { uid, state: 'cancelled', state_caused_by: 'zepto_system' };
  expect(world.control.state().agreements).toMatchObject([cancelled]);
});

test.each([
  ['request', { simulate: 'debtor_accept', delay: 600 }, undefined, 'active'],
  [
    'control route, not of the request',
    { simulate: 'debtor_accept' },
    { simulate: 'debtor_decline', delay: 600 },
    'declined',
  ],
] as const)('the payer follows the script of the %s after its delay', async (_, sandbox, script, end) => {
  const world = await aWorld();
  const request = anAgreement({ sandbox });
  if (script !== undefined) world.control.scriptPayer(request.uid, script);
  await world.caller.post('/payto/agreements', request);
  await world.control.advance(500);
  expect(await stateOf(world, request.uid)).toBe('created');
  await world.control.advance(101);
  expect(await stateOf(world, request.uid)).toBe(end);
});

test('a script applies to the first accepted command of its kind, and may precede the agreement', async () => {
  const world = await aWorld();
  world.control.scriptAction('agr-later', { action: 'cancellation', simulate: 'cancellation_failed' });
  const uid = await anActiveAgreement(world, { uid: 'agr-later' });
  world.control.actAsPayer(uid, 'suspend');
  world.control.scriptAction(uid, { action: 'suspension', simulate: 'suspension_failed' });
  expect(verdict(await sendAction(world, uid, 'suspension'))).toBe('ZPSUS00');
  world.control.actAsPayer(uid, 'reactivate');
  for (const action of ['suspension', 'suspension', 'cancellation'] as const) {
    await sendAction(world, uid, action);
    await world.control.advance(1);
  }
  expect((await typesOf(world, uid)).slice(-3)).toEqual([
    'suspension_failed',
    'suspended',
    'cancellation_failed',
  ]);
});

test.each([
  ['active', 'suspension', 'suspend', ['activated', 'suspended', 'suspension_failed'], 'debtor'],
  ['created', 'cancellation', 'accept', ['activated', 'cancelled'], 'initiator'],
] as const)('%s, with a pending %s: the payer may %s', async (situation, action, move, types, causedBy) => {
  const world = await aWorld();
  const uid = await anAgreementIn(world, situation);
  await sendAction(world, uid, action, { sandbox: { simulate: `successful_${action}`, delay: 60 } });
  world.control.actAsPayer(uid, move);
  await world.control.advance(61);
  expect(await typesOf(world, uid)).toEqual(types);
  expect(await agreementOf(world, uid)).toMatchObject({ state_caused_by: causedBy });
});

test('six attempts per debtor account in 24 hours are allowed, then the answer is ZPAGR15', async () => {
  const world = await aWorld();
  const debtor = aDebtor();
  const create = async ({ caller }: Pick<World, 'caller'>, overrides: object = { debtor }) =>
    verdict(await caller.post('/payto/agreements', anAgreement(overrides)));
  await create(world);
  await world.control.advance(3600);
  for (let more = 0; more < 5; more += 1) expect(await create(world)).toBe(201);
  expect(await create(world)).toBe('ZPAGR15');
  expect(await create(world, { debtor: aDebtor() })).toBe(201);
  await world.control.advance(86_400 - 3700);
  const later = { caller: await world.newCaller() };
  expect(await create(later)).toBe('ZPAGR15');
  await world.control.advance(200);
  expect([await create(later), await create(later)]).toEqual([201, 'ZPAGR15']);
});
