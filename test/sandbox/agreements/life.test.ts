import { expect, test, describe } from 'vitest';
import { agreementOf, anAgreementIn, ask, stateOf, historyOf } from '../../support/sandbox/agreements.js';
import { anAgreement } from '../../support/sandbox/requests.js';
import { tickWhenRead } from '../../support/sandbox/wall-clock.js';
import { anActiveAgreement, anIgnoredAgreement, aWorld, type World } from '../../support/sandbox/world.js';

describe('agreement progress', () => {
  const FIVE_DAYS = 5 * 24 * 60 * 60;

  async function stateOf({ caller }: World, uid: string): Promise<string | undefined> {
    return (await caller.get(`/payto/agreements/${uid}`)).data.state;
  }

  test('an unanswered agreement is created, with a scheme id and no event', async () => {
    const world = await aWorld();
    const uid = await anIgnoredAgreement(world);
    const { data } = await world.caller.get(`/payto/agreements/${uid}`);
    expect(data).toMatchObject({ state: 'created' });
    expect(data['mms_agreement_id']).toMatch(/^[0-9a-f]{32}$/);
    expect((await world.caller.get(`/payto/agreements/${uid}/history`)).list).toEqual([]);
    expect(world.receiver.received).toEqual([]);
  });

  test('the payer’s answer arrives after the scripted delay', async () => {
    const world = await aWorld();
    const request = anAgreement({ sandbox: { simulate: 'debtor_accept', delay: 3600 } });
    await world.caller.post('/payto/agreements', request);
    await world.control.advance(3000);
    expect(await stateOf(world, request.uid)).toBe('created');
    await world.control.advance(601);
    expect(await stateOf(world, request.uid)).toBe('active');
  });

  test('an ignored agreement expires after exactly five days', async () => {
    const world = await aWorld();
    const request = anAgreement();
    world.control.scriptPayer(request.uid, { simulate: 'ignore' });
    tickWhenRead();
    const { data } = await world.caller.post('/payto/agreements', request);
    const createdAt = Date.parse(String(data['created_at']));
    await world.control.advance(FIVE_DAYS - 60);
    expect(world.control.state().agreements[0]?.state).toBe('created');
    await world.control.advance(24 * 60 * 60);
    expect(world.control.state().agreements[0]?.state).toBe('expired');
    const caller = await world.newCaller();
    const [expired] = (await caller.get(`/payto/agreements/${request.uid}/history`)).list;
    expect(expired).toMatchObject({ type: 'payto_agreement.expired' });
    expect(Date.parse(String(expired?.['published_at'])) - createdAt).toBe(FIVE_DAYS * 1000);
  });

  test('cancel_if_unresolved cancels the agreement at the deadline', async () => {
    const world = await aWorld();
    const deadline = new Date(Date.now() + 3_600_000).toISOString();
    const unresolved = { resolution_requested_before: deadline, cancel_if_unresolved: true };
    const uid = await anIgnoredAgreement(world, unresolved);
    await world.control.advance(3600);
    expect(world.control.state().agreements[0]).toMatchObject({
      uid,
      state: 'cancelled',
      state_caused_by: 'zepto_system',
    });
  });

  test('a script of the control route overrides the request', async () => {
    const world = await aWorld();
    const request = anAgreement({ sandbox: { simulate: 'debtor_accept' } });
    world.control.scriptPayer(request.uid, { simulate: 'debtor_decline', delay: 600 });
    await world.caller.post('/payto/agreements', request);
    await world.control.advance(500);
    expect(await stateOf(world, request.uid)).toBe('created');
    await world.control.advance(101);
    expect(await stateOf(world, request.uid)).toBe('declined');
  });
});

describe('failure of accepted commands', () => {
  test('a script may precede the agreement and applies only to its command', async () => {
    const world = await aWorld();
    world.control.scriptAction('agr-later', { action: 'cancellation', simulate: 'cancellation_failed' });
    const uid = await anActiveAgreement(world, { uid: 'agr-later' });
    await ask(world, uid, 'suspension');
    await world.control.advance(1);
    expect(await stateOf(world, uid)).toBe('suspended');
    await ask(world, uid, 'cancellation');
    await world.control.advance(1);
    expect((await historyOf(world, uid)).at(-1)?.type).toBe('cancellation_failed');
  });

  test('a refused command does not use its script', async () => {
    const world = await aWorld();
    const uid = await anAgreementIn(world, 'suspended by debtor');
    world.control.scriptAction(uid, { action: 'suspension', simulate: 'suspension_failed' });
    await ask(world, uid, 'suspension');
    world.control.actAsPayer(uid, 'reactivate');
    await ask(world, uid, 'suspension');
    await world.control.advance(1);
    expect((await historyOf(world, uid)).at(-1)?.type).toBe('suspension_failed');
  });

  test('a suspension by the payer fails the pending suspension', async () => {
    const world = await aWorld();
    const uid = await anActiveAgreement(world);
    await ask(world, uid, 'suspension', { sandbox: { simulate: 'successful_suspension', delay: 60 } });
    world.control.actAsPayer(uid, 'suspend');
    await world.control.advance(61);
    expect((await historyOf(world, uid)).map(({ type }) => type)).toEqual([
      'activated',
      'suspended',
      'suspension_failed',
    ]);
    expect(await agreementOf(world, uid)).toMatchObject({ state: 'suspended', state_caused_by: 'debtor' });
  });

  test('a pending cancellation succeeds although the payer accepts', async () => {
    const world = await aWorld();
    const uid = await anAgreementIn(world, 'created');
    await ask(world, uid, 'cancellation', { sandbox: { simulate: 'successful_cancellation', delay: 60 } });
    world.control.actAsPayer(uid, 'accept');
    await world.control.advance(61);
    expect((await historyOf(world, uid)).map(({ type }) => type)).toEqual(['activated', 'cancelled']);
  });
});
