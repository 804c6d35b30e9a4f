import { describe, expect, test } from 'vitest';
import {
  aReason,
  agreementOf,
  anAgreementIn,
  ask,
  SITUATIONS,
  stateIn,
  stateOf,
  historyOf,
  verdict,
  type Action,
  type Situation,
} from '../../support/sandbox/agreements.js';
import { anActiveAgreement, aSharedWorld } from '../../support/sandbox/world.js';

const theWorld = aSharedWorld();

const SUSPENDED = ['suspended by initiator', 'suspended by debtor', 'suspended by service_system'] as const;

const ACTIONS: Record<Action, { from: readonly Situation[]; to: string; event: string; wrong: string }> = {
  suspension: { from: ['active'], to: 'suspended', event: 'suspended', wrong: 'ZPSUS00' },
  cancellation: {
    from: ['created', 'active', ...SUSPENDED],
    to: 'cancelled',
    event: 'cancelled',
    wrong: 'ZPCAN00',
  },
  reactivation: { from: ['suspended by initiator'], to: 'active', event: 'reactivated', wrong: 'ZPREA00' },
};
const actions = ['suspension', 'cancellation', 'reactivation'] as const;
const CELLS = actions.flatMap((action) => SITUATIONS.map((situation) => ({ action, situation })));

describe.each(CELLS)('$action of an agreement $situation', ({ action, situation }) => {
  const { from, to, event, wrong } = ACTIONS[action];
  if (from.includes(situation)) {
    test(`is 202 without a body, then ${to}`, async () => {
      const world = theWorld();
      const uid = await anAgreementIn(world, situation);
      const answer = await ask(world, uid, action);
      expect([answer.status, answer.data, answer.errors]).toEqual([202, {}, []]);
      await world.control.advance(1);
      expect(await agreementOf(world, uid)).toMatchObject({ state: to, state_caused_by: 'initiator' });
      expect((await historyOf(world, uid)).at(-1)).toMatchObject({
        type: event,
        body: { caused_by: 'initiator' },
      });
    });
  } else {
    test(`is 422 ${wrong}, and nothing comes of it`, async () => {
      const world = theWorld();
      const uid = await anAgreementIn(world, situation);
      const before = await historyOf(world, uid);
      const answer = await ask(world, uid, action);
      expect(answer).toMatchObject({ status: 422, errors: [{ code: wrong, meta: { resource_uid: uid } }] });
      expect(answer.errors[0]?.detail).toContain(`is ${stateIn(situation)}, caused by `);
      await world.control.advance(1);
      expect(await stateOf(world, uid)).toBe(stateIn(situation));
      expect(await historyOf(world, uid)).toEqual(before);
    });
  }
});

describe('the reason', () => {
  const CODES = {
    customer_requested: 'MD16',
    initiating_party_requested: 'MD17',
    mandate_expired: 'CTEX',
    mandate_suspended_final_collection: 'MCFC',
    mandate_suspended_one_collection: 'MCOC',
  };
  const texts = Object.entries(CODES);

  test.each(texts)('%s ends an agreement as %s', async (reason, code) => {
    const world = theWorld();
    const uid = await anActiveAgreement(world);
    await ask(world, uid, 'cancellation', { reason, narrative: 'Bye' });
    await world.control.advance(1);
    expect((await historyOf(world, uid)).at(-1)?.body).toEqual({
      caused_by: 'initiator',
      reason: aReason(code, 'Bye'),
    });
    expect((await agreementOf(world, uid))['state_reason']).toBe(code);
  });

  test.each(texts)('%s pauses an agreement, unless it means its end', async (reason, code) => {
    const world = theWorld();
    const uid = await anActiveAgreement(world);
    const answer = await ask(world, uid, 'suspension', { reason });
    await world.control.advance(1);
    if (reason === 'mandate_expired') expect(verdict(answer)).toBe('ZPUNP00');
    else expect((await agreementOf(world, uid))['state_reason']).toBe(code);
  });

  test('is gone once the agreement is resumed', async () => {
    const world = theWorld();
    const uid = await anAgreementIn(world, 'suspended by initiator');
    await ask(world, uid, 'reactivation');
    await world.control.advance(1);
    expect(await agreementOf(world, uid)).toMatchObject({ state: 'active', state_reason: null });
    expect((await historyOf(world, uid)).at(-1)).toEqual({
      type: 'reactivated',
      body: { caused_by: 'initiator' },
    });
  });
});

describe('while it is under way', () => {
  test('another action may overtake it; what the state no longer allows then fails', async () => {
    const world = theWorld();
    const uid = await anActiveAgreement(world);
    await ask(world, uid, 'suspension', { sandbox: { delay: 60 } });
    await ask(world, uid, 'cancellation', { sandbox: { delay: 30 } });
    await world.control.advance(61);
    const published = await historyOf(world, uid);
    expect(published.map(({ type }) => type)).toEqual(['activated', 'cancelled', 'suspension_failed']);
    expect(await stateOf(world, uid)).toBe('cancelled');
  });
});
