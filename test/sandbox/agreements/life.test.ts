// What time and the payer bring to an agreement, and how the initiator's accepted actions fail.
import { expect, test, describe } from 'vitest';
import {
  aFailure,
  agreementOf,
  anAgreementIn,
  ask,
  changesOf,
  stateOf,
  historyOf,
  type Action,
} from '../../support/sandbox/agreements.js';
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

  test('without a script the payer accepts, on the wall clock too', async () => {
    const world = await aWorld();
    const request = anAgreement();
    const webhook = world.receiver.next();
    await world.caller.post('/payto/agreements', request);
    expect((await webhook).envelope.data).toMatchObject({
      type: 'payto_agreement.activated',
      resource_uid: request.uid,
      resource_type: 'payto_agreement',
    });
    const { data } = await world.caller.get(`/payto/agreements/${request.uid}`);
    expect(data).toMatchObject({ state: 'active', state_reason: null, state_caused_by: 'debtor' });
    expect((await webhook).envelope.data.body).toEqual({ mms_agreement_id: data['mms_agreement_id'] });
  });

  test('a declined agreement says who and why', async () => {
    const world = await aWorld();
    const uid = await anActiveAgreement(world, { sandbox: { simulate: 'debtor_decline' } });
    const { data } = await world.caller.get(`/payto/agreements/${uid}`);
    expect(data).toMatchObject({ state: 'declined', state_reason: 'MD16', state_caused_by: 'debtor' });
    expect(world.receiver.received[0]?.envelope.data).toMatchObject({
      type: 'payto_agreement.declined',
      body: { caused_by: 'debtor', reason: { code: 'MD16', title: 'Requested by customer' } },
    });
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

  test.each([
    ['debtor_account_type_not_supported', 'ZPUNP01'],
    ['debtor_alias_not_found', 'ZPUNP07'],
    ['creditor_alias_not_found', 'ZPUNP08'],
    ['alias_resolution_service_unavailable', 'ZPUNP06'],
    ['agreement_service_unavailable', 'MMS.API.9000'],
  ])('%s fails the agreement after its 201', async (simulate, code) => {
    const world = await aWorld();
    const uid = await anActiveAgreement(world, { sandbox: { simulate } });
    const { data } = await world.caller.get(`/payto/agreements/${uid}`);
    expect(data).toMatchObject({ state: 'failed', state_reason: code, mms_agreement_id: null });
    expect(world.receiver.received[0]?.envelope.data).toMatchObject({
      type: 'payto_agreement.failed',
      body: { failure: { code } },
    });
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
    const caller = await world.newCaller(); // five days have outlived the first token
    const [expired] = (await caller.get(`/payto/agreements/${request.uid}/history`)).list;
    expect(expired).toMatchObject({ type: 'payto_agreement.expired' });
    expect(Date.parse(String(expired?.['published_at'])) - createdAt).toBe(FIVE_DAYS * 1000);
  });

  test('an accepted agreement does not expire', async () => {
    const world = await aWorld();
    const uid = await anActiveAgreement(world);
    await world.control.advance(FIVE_DAYS + 1);
    expect(world.control.state().agreements[0]).toMatchObject({ uid, state: 'active' });
  });

  test('simulate expire does not wait five days', async () => {
    const world = await aWorld();
    await anActiveAgreement(world, { sandbox: { simulate: 'expire' } });
    expect(world.receiver.types()).toEqual(['payto_agreement.expired']);
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
      state_caused_by: 'service_system',
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

  test('a script for an agreement that exists already is refused', async () => {
    const world = await aWorld();
    const uid = await anActiveAgreement(world);
    expect(() => {
      world.control.scriptPayer(uid, { simulate: 'ignore' });
    }).toThrow(/exists already/);
  });

  test.each([
    ['accept', 'active', 'activated'],
    ['decline', 'declined', 'declined'],
    ['cancel', 'cancelled', 'cancelled'],
  ] as const)('the payer, played, can %s what waits for them', async (action, state, event) => {
    const world = await aWorld();
    const uid = await anIgnoredAgreement(world);
    world.control.actAsPayer(uid, action);
    await world.control.flushWebhooks();
    expect(await stateOf(world, uid)).toBe(state);
    expect(world.receiver.types()).toEqual([`payto_agreement.${event}`]);
  });

  test('the payer, played, can pause and resume', async () => {
    const world = await aWorld();
    const uid = await anActiveAgreement(world);
    world.control.actAsPayer(uid, 'suspend');
    expect(await stateOf(world, uid)).toBe('suspended');
    world.control.actAsPayer(uid, 'reactivate');
    expect(await stateOf(world, uid)).toBe('active');
    await world.control.flushWebhooks();
    const [, suspended, reactivated] = world.receiver.received.map(({ envelope }) => envelope.data.body);
    expect(suspended).toMatchObject({ caused_by: 'debtor', reason: { code: 'MD16' } });
    expect(reactivated).toEqual({ caused_by: 'debtor' });
  });

  test.each(['declined', 'expired', 'cancelled', 'failed'] as const)('never leaves %s', async (state) => {
    const world = await aWorld();
    const script = {
      declined: { simulate: 'debtor_decline' },
      expired: { simulate: 'expire' },
      failed: { simulate: 'agreement_service_unavailable' },
      cancelled: { simulate: 'debtor_accept' },
    };
    const uid = await anActiveAgreement(world, { sandbox: script[state] });
    if (state === 'cancelled') world.control.actAsPayer(uid, 'cancel');
    for (const action of ['accept', 'decline', 'suspend', 'reactivate', 'cancel'] as const) {
      expect(() => {
        world.control.actAsPayer(uid, action);
      }).toThrow(`cannot ${action} agreement ${uid}: it is ${state}`);
    }
    await world.control.advance(FIVE_DAYS);
    expect(world.control.state().agreements[0]?.state).toBe(state);
  });
});

describe("how the initiator's accepted actions fail, by a race or by a script, and what is told then", () => {
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
    const published = (await historyOf(world, uid)).slice(-2);
    expect(published).toMatchObject([
      { type: 'cancelled', body: { caused_by: 'debtor', reason: { code: 'MD16' } } },
      { type: `${action}_failed` },
    ]);
    expect(published[1]?.body).toEqual(aFailure());
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
    expect((await historyOf(world, uid)).at(-1)?.type).not.toBe(`${action}_failed`);
    await world.control.advance(101);
    expect((await historyOf(world, uid)).at(-1)).toEqual({ type: `${action}_failed`, body: aFailure() });
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
    await ask(world, uid, 'suspension', { sandbox: { delay: 60 } });
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
    await ask(world, uid, 'cancellation', { sandbox: { delay: 60 } });
    world.control.actAsPayer(uid, 'accept');
    await world.control.advance(61);
    expect((await historyOf(world, uid)).map(({ type }) => type)).toEqual(['activated', 'cancelled']);
  });
});
