import { expect, test, describe } from 'vitest';
import { agreementOf, anAgreementIn, ask, stateOf, historyOf } from '../../support/sandbox/agreements.js';
import { anAgreement } from '../../support/sandbox/requests.js';
import { tickWhenRead } from '../../support/sandbox/wall-clock.js';
import { anActiveAgreement, anIgnoredAgreement, aWorld, type World } from '../../support/sandbox/world.js';

describe('what time and the payer bring to an agreement, and the events that tell of it', () => {
  const FIVE_DAYS = 5 * 24 * 60 * 60;

  async function stateOf({ caller }: World, uid: string): Promise<string | undefined> {
    return (await caller.get(`/payto/agreements/${uid}`)).data.state;
  }

  test('between 201 and the payer stands created: with a scheme id, without an event', async () => {
    const world = await aWorld();
    const uid = await anIgnoredAgreement(world);
    const { data } = await world.caller.get(`/payto/agreements/${uid}`);
    expect(data).toMatchObject({ state: 'created' });
    expect(data['mms_agreement_id']).toMatch(/^[0-9a-f]{32}$/);
    expect((await world.caller.get(`/payto/agreements/${uid}/history`)).list).toEqual([]);
    expect(world.receiver.received).toEqual([]);
  });

  test('the answer comes after the delay and not before', async () => {
    const world = await aWorld();
    const request = anAgreement({ sandbox: { simulate: 'debtor_accept', delay: 3600 } });
    await world.caller.post('/payto/agreements', request);
    await world.control.advance(3000);
    expect(await stateOf(world, request.uid)).toBe('created');
    await world.control.advance(601);
    expect(await stateOf(world, request.uid)).toBe('active');
  });

  test('an ignored agreement expires after five days to the second, and its event bears that time', async () => {
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

  test('cancel_if_unresolved cancels at the deadline', async () => {
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

  test('a script by the control route wins over the request', async () => {
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

describe("how the initiator's accepted actions fail, by a race or by a script, and what is told then", () => {
  test('a script waits for the action it is for, and can be set before the agreement exists', async () => {
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

  test('a refused action does not use up its script', async () => {
    const world = await aWorld();
    const uid = await anAgreementIn(world, 'suspended by debtor');
    world.control.scriptAction(uid, { action: 'suspension', simulate: 'suspension_failed' });
    await ask(world, uid, 'suspension');
    world.control.actAsPayer(uid, 'reactivate');
    await ask(world, uid, 'suspension');
    await world.control.advance(1);
    expect((await historyOf(world, uid)).at(-1)?.type).toBe('suspension_failed');
  });

  test('the payer suspends while a suspension is under way: it fails, and only the payer can resume', async () => {
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

  test('the payer accepts while the cancellation is under way: it is cancelled all the same', async () => {
    const world = await aWorld();
    const uid = await anAgreementIn(world, 'created');
    await ask(world, uid, 'cancellation', { sandbox: { simulate: 'successful_cancellation', delay: 60 } });
    world.control.actAsPayer(uid, 'accept');
    await world.control.advance(61);
    expect((await historyOf(world, uid)).map(({ type }) => type)).toEqual(['activated', 'cancelled']);
  });
});
