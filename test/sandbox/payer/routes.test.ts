import { describe, expect, test } from 'vitest';
import {
  agreementOf,
  agreementPath,
  anAgreementIn,
  aRegisteredAccount,
  aReason,
  changesOf,
  SITUATIONS,
  stateIn,
  historyOf,
  verdict,
  type Situation,
} from '../../support/sandbox/agreements.js';
import { anActiveAgreement, aSharedWorld, aWorld, type World } from '../../support/sandbox/world.js';

const theWorld = aSharedWorld();

const simulate = ({ caller }: World, uid: string, body: object) =>
  caller.post(agreementPath(uid, 'simulate_debtor_action'), body);
const account = (value: string, type = 'bban') => ({ debtor: { account_identifier: { type, value } } });
const OTHER = account('200001-777');

const SUSPENDED = ['suspended by initiator', 'suspended by debtor', 'suspended by service_system'] as const;
interface Act {
  body: object;
  from: readonly Situation[];
  to: (before: string) => string;
  published: { type: string; body: object };
  wrong: string;
}
const ACTS: Record<string, Act> = {
  suspension: {
    body: { reason: 'customer_requested', narrative: 'Away' },
    from: ['active'],
    to: () => 'suspended',
    published: { type: 'suspended', body: { caused_by: 'debtor', reason: aReason('MD16', 'Away') } },
    wrong: 'ZPSUS00',
  },
  cancellation: {
    body: { reason: 'mandate_expired' },
    from: ['created', 'active', ...SUSPENDED],
    to: () => 'cancelled',
    published: { type: 'cancelled', body: { caused_by: 'debtor', reason: aReason('CTEX') } },
    wrong: 'ZPCAN00',
  },
  reactivation: {
    body: {},
    from: ['suspended by debtor'],
    to: () => 'active',
    published: { type: 'reactivated', body: { caused_by: 'debtor' } },
    wrong: 'ZPREA00',
  },
  amendment: {
    body: { changes: OTHER },
    from: ['active', ...SUSPENDED],
    to: (before) => before,
    published: { type: 'amended', body: { caused_by: 'debtor', changes: OTHER } },
    wrong: 'ZPAMN00',
  },
};
const CELLS = Object.entries(ACTS).flatMap(([action, expected]) =>
  SITUATIONS.map((situation) => ({ action, situation, expected })),
);

describe.each(CELLS)(
  '$action by the debtor of an agreement $situation',
  ({ action, situation, expected }) => {
    const isAllowed = expected.from.includes(situation);
    test(isAllowed ? 'is 202 and published' : `is 422 ${expected.wrong} and changes nothing`, async () => {
      const world = theWorld();
      const uid = await anAgreementIn(world, situation);
      const before = await historyOf(world, uid);
      const answer = await simulate(world, uid, { debtor_action: action, ...expected.body });
      expect(verdict(answer)).toBe(isAllowed ? 202 : expected.wrong);
      const { state } = await agreementOf(world, uid);
      expect(state).toBe(isAllowed ? expected.to(stateIn(situation)) : stateIn(situation));
      expect(await historyOf(world, uid)).toEqual(isAllowed ? [...before, expected.published] : before);
    });
  },
);

test.each([
  [{ debtor_action: 'reactivation', reason: 'customer_requested' }, 400],
  [{ debtor_action: 'reactivation', narrative: 'x' }, 400],
  [{ debtor_action: 'suspension', changes: OTHER }, 400],
  [{ debtor_action: 'suspension', reason: 'mandate_expired' }, 'ZPUNP00'],
  [{ debtor_action: 'cancellation', narrative: '' }, 'ZPUNP00'],
  [{ debtor_action: 'acceptance' }, 'ZPUNP00'],
  [{}, 'ZPUNP00'],
  [{ debtor_action: 'amendment' }, 'ZPUNP00'],
  [{ debtor_action: 'amendment', changes: {} }, 'ZPUNP00'],
  [{ debtor_action: 'amendment', changes: { description: 'Mine' } }, 400],
  [{ debtor_action: 'amendment', changes: { debtor: { party_name: 'Other' } } }, 400],
  [{ debtor_action: 'amendment', changes: account('200001-1234567890') }, 'ZPUNP00'],
  [{ debtor_action: 'amendment', changes: account('200003-777') }, 'ZPUNP00'],
  [{ debtor_action: 'amendment', changes: account('a@b.example', 'alias_email') }, 'ZPUNP00'],
  [{ debtor_action: 'amendment', changes: account('200001-000') }, 'ZPAGR12'],
  [{ debtor_action: 'amendment', changes: account('200001-999') }, 'ZPAGR13'],
  [{ debtor_action: 'amendment', changes: account('200001-12340001') }, 'ZPAMN03'],
])('%o is refused, %s', async (body, expected) => {
  const world = theWorld();
  const uid = await anActiveAgreement(world);
  expect(verdict(await simulate(world, uid, body))).toBe(expected);
  expect((await historyOf(world, uid)).map(({ type }) => type)).toEqual(['activated']);
});

test('the debtor’s new account is on the agreement at once, and its amendment is over', async () => {
  const world = await aWorld();
  const uid = await anActiveAgreement(world);
  await simulate(world, uid, { debtor_action: 'amendment', changes: OTHER });
  expect((await agreementOf(world, uid))['debtor']).toEqual({
    party_name: 'A Payer',
    ultimate_party_name: 'A Payer',
    account_identifier: { type: 'bban', value: '200001-777' },
  });
  expect((await world.caller.get(agreementPath(uid, 'amendment'))).status).toBe(404);
  expect(changesOf(world, 'payto_agreement_amendment')).toEqual([
    [null, 'pending', null],
    ['pending', 'applied', 'amended'],
  ]);
});

test('a new account is no longer the registered one', async () => {
  const world = theWorld();
  const uid = await anActiveAgreement(world);
  const payment_account_uid = await aRegisteredAccount(world);
  await world.caller.post(agreementPath(uid, 'add_identification'), { debtor: { payment_account_uid } });
  await simulate(world, uid, { debtor_action: 'amendment', changes: OTHER });
  expect((await agreementOf(world, uid))['debtor']).not.toHaveProperty('payment_account_uid');
});
