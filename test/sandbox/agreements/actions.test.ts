// What the initiator asks of an agreement: when it is accepted, how it ends, and what is told of it.
import { describe, expect, test } from 'vitest';
import {
  aReason,
  agreementOf,
  agreementPath,
  anAgreementIn,
  ask,
  changesOf,
  SITUATIONS,
  stateIn,
  stateOf,
  historyOf,
  verdict,
  type Action,
  type Situation,
} from '../../support/sandbox/agreements.js';
import { callerWith, consent } from '../../support/sandbox/caller.js';
import { anActiveAgreement, aSharedWorld, aWorld } from '../../support/sandbox/world.js';

const theWorld = aSharedWorld();

const SUSPENDED = ['suspended by initiator', 'suspended by debtor', 'suspended by service_system'] as const;

/** Where each action is allowed, and what becomes of the agreement; everywhere else it is refused with that code. */
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

test('the refusal to resume what another suspended names the state and who caused it', async () => {
  const world = theWorld();
  const uid = await anAgreementIn(world, 'suspended by debtor');
  const { errors } = await ask(world, uid, 'reactivation');
  expect(errors[0]?.detail).toBe(`agreement ${uid} is suspended, caused by debtor`);
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

test.each([
  ['suspension', { surprise: 1 }, 400],
  ['suspension', { reason: 'bored' }, 'ZPUNP00'],
  ['suspension', { reason: undefined }, 'ZPUNP00'],
  ['suspension', { narrative: undefined }, 'ZPUNP00'],
  ['suspension', { narrative: 'x'.repeat(257) }, 'ZPUNP00'],
  ['suspension', { narrative: 'naïve' }, 'ZPUNP00'],
  ['suspension', { sandbox: { simulate: 'successful_cancellation' } }, 'ZPUNP00'],
  ['suspension', { sandbox: { simulate: 'suspension_failed' } }, 'ZPUNP00'],
  ['cancellation', { reason: 'regulatory' }, 'ZPUNP00'],
  ['cancellation', { sandbox: { delay: 86_401 } }, 'ZPUNP00'],
  ['cancellation', { sandbox: { simulate: 'cancellation_failed' } }, 'ZPUNP00'],
  ['reactivation', { reason: 'customer_requested' }, 400],
  ['reactivation', { sandbox: { simulate: 'reactivation_failed' } }, 'ZPUNP00'],
] as const)('a %s with %o is refused, %s', async (action, overrides, expected) => {
  const world = theWorld();
  const uid = await anAgreementIn(world, action === 'reactivation' ? 'suspended by initiator' : 'active');
  expect(verdict(await ask(world, uid, action, overrides))).toBe(expected);
});

test.each(actions)('a %s of an agreement nobody made is 404', async (action) => {
  expect((await ask(theWorld(), 'none', action)).status).toBe(404);
});

test.each(actions)('a %s needs a scope of its own', async (action) => {
  const { url } = theWorld();
  const caller = callerWith(url, (await consent(url, 'pay_to_agreements')).access);
  const { status, headers } = await caller.post(agreementPath('any', action), {});
  expect(status).toBe(403);
  expect(headers.get('www-authenticate')).toContain(`scope="pay_to_${action}s"`);
});

describe('while it is under way', () => {
  test.each([
    ['suspension', 'active', 'ZPSUS01', 'ZPSUS00'],
    ['cancellation', 'active', 'ZPCAN01', 'ZPCAN00'],
    ['reactivation', 'suspended by initiator', 'ZPREA01', 'ZPREA00'],
  ] as const)('a second %s of an agreement %s is %s, and afterwards %s', async (action, from, now, later) => {
    const world = await aWorld();
    const uid = await anAgreementIn(world, from);
    await ask(world, uid, action, { sandbox: { delay: 3600 } });
    expect(verdict(await ask(world, uid, action))).toBe(now);
    await world.control.advance(3000);
    expect(verdict(await ask(world, uid, action))).toBe(now);
    await world.control.advance(601);
    expect(verdict(await ask(world, uid, action))).toBe(later);
    expect(changesOf(world, `payto_agreement_${action}`).slice(-2)).toEqual([
      [null, 'pending', null],
      ['pending', 'completed', null],
    ]);
  });

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
