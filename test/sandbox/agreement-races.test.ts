// How the initiator's accepted actions fail, by a race or by a script, and what is told then.
import { expect, test } from 'vitest';
import {
  aFailure,
  agreementOf,
  anAgreementIn,
  ask,
  changesOf,
  stateOf,
  toldOf,
  type Action,
} from './agreement-requests.js';
import { anActiveAgreement, aWorld } from './world.js';

const CASES = [
  ['suspension', 'active', 'suspended'],
  ['cancellation', 'active', 'cancelled'],
  ['reactivation', 'suspended by initiator', 'active'],
] as const;

test.each(CASES)('simulate agreement_cancelled: the payer is quicker than the %s', async (action, from) => {
  const world = await aWorld();
  const uid = await anAgreementIn(world, from);
  await ask(world, uid, action, { sandbox: { simulate: 'agreement_cancelled', delay: 60 } });
  expect(await stateOf(world, uid)).not.toBe('cancelled');
  await world.control.advance(61);
  const told = (await toldOf(world, uid)).slice(-2);
  expect(told).toMatchObject([
    { type: 'cancelled', body: { caused_by: 'debtor', reason: { code: 'MD16' } } },
    { type: `${action}_failed` },
  ]);
  expect(told[1]?.body).toEqual(aFailure());
  expect(await agreementOf(world, uid)).toMatchObject({ state: 'cancelled', state_caused_by: 'debtor' });
});

test.each(CASES)('simulate successful_%s is what happens without it', async (action, from, to) => {
  const world = await aWorld();
  const uid = await anAgreementIn(world, from);
  await ask(world, uid, action, { sandbox: { simulate: `successful_${action}` } });
  await world.control.advance(1);
  expect(await stateOf(world, uid)).toBe(to);
});

test.each(CASES)('a control script has a %s fail once, and leaves the state', async (action, from, to) => {
  const world = await aWorld();
  const uid = await anAgreementIn(world, from);
  const before = await stateOf(world, uid);
  const scripts = {
    suspension: { action: 'suspension', simulate: 'suspension_failed' },
    cancellation: { action: 'cancellation', simulate: 'cancellation_failed' },
    reactivation: { action: 'reactivation', simulate: 'reactivation_failed' },
  } as const satisfies Record<Action, object>;
  world.control.scriptAction(uid, { ...scripts[action], delay: 600 });
  await ask(world, uid, action, { sandbox: { simulate: 'agreement_cancelled' } });
  await world.control.advance(500);
  expect((await toldOf(world, uid)).at(-1)?.type).not.toBe(`${action}_failed`);
  await world.control.advance(101);
  expect((await toldOf(world, uid)).at(-1)).toEqual({ type: `${action}_failed`, body: aFailure() });
  expect(await stateOf(world, uid)).toBe(before);
  expect(changesOf(world, `payto_agreement_${action}`).slice(-2)).toEqual([
    [null, 'pending', null],
    ['pending', 'failed', `${action}_failed`],
  ]);
  await ask(world, uid, action);
  await world.control.advance(1);
  expect(await stateOf(world, uid)).toBe(to);
});

test('a script waits for the action it is for, and can be set before the agreement exists', async () => {
  const world = await aWorld();
  world.control.scriptAction('agr-later', { action: 'cancellation', simulate: 'cancellation_failed' });
  const uid = await anActiveAgreement(world, { uid: 'agr-later' });
  await ask(world, uid, 'suspension');
  await world.control.advance(1);
  expect(await stateOf(world, uid)).toBe('suspended');
  await ask(world, uid, 'cancellation');
  await world.control.advance(1);
  expect((await toldOf(world, uid)).at(-1)?.type).toBe('cancellation_failed');
});

test('a refused action does not use up its script', async () => {
  const world = await aWorld();
  const uid = await anAgreementIn(world, 'suspended by debtor');
  world.control.scriptAction(uid, { action: 'suspension', simulate: 'suspension_failed' });
  await ask(world, uid, 'suspension');
  world.control.actAsPayer(uid, 'reactivate');
  await ask(world, uid, 'suspension');
  await world.control.advance(1);
  expect((await toldOf(world, uid)).at(-1)?.type).toBe('suspension_failed');
});

test('the payer suspends while a suspension is under way: it fails, and only the payer can resume', async () => {
  const world = await aWorld();
  const uid = await anActiveAgreement(world);
  await ask(world, uid, 'suspension', { sandbox: { delay: 60 } });
  world.control.actAsPayer(uid, 'suspend');
  await world.control.advance(61);
  expect((await toldOf(world, uid)).map(({ type }) => type)).toEqual([
    'activated',
    'suspended',
    'suspension_failed',
  ]);
  expect(await agreementOf(world, uid)).toMatchObject({ state: 'suspended', state_caused_by: 'debtor' });
});

test('the payer accepts while the cancellation is under way: it is cancelled all the same', async () => {
  const world = await aWorld();
  const uid = await anAgreementIn(world, 'created');
  await ask(world, uid, 'cancellation', { sandbox: { delay: 60 } });
  world.control.actAsPayer(uid, 'accept');
  await world.control.advance(61);
  expect((await toldOf(world, uid)).map(({ type }) => type)).toEqual(['activated', 'cancelled']);
});
