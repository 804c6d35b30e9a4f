// What the payer, a bank or the scheme does to an agreement: from which state, and what is told of it.
import { describe, expect, test } from 'vitest';
import {
  agreementOf,
  anAgreementIn,
  aReason,
  SITUATIONS,
  stateIn,
  stateOf,
  toldOf,
  type Situation,
} from './agreement-requests.js';
import { anActiveAgreement, aWorld, type World } from './world.js';
import { PayerAction } from '../../sandbox/payer/actions.js';
import { ServiceAction } from '../../sandbox/agreements/life.js';

const STANDING = [
  'active',
  'suspended by initiator',
  'suspended by debtor',
  'suspended by service_system',
] as const;
const asked = aReason('MD16', 'Requested by the payer.');
const schemeId: unknown = expect.stringMatching(/^[0-9a-f]{12}1[0-9a-f]{19}$/);
const SCHEME_ID = { mms_agreement_id: schemeId };

interface Turn {
  from: readonly Situation[];
  to: string;
  told: { type: string; body: object };
}

const PAYERS: Record<PayerAction, Turn> = {
  accept: { from: ['created'], to: 'active', told: { type: 'activated', body: SCHEME_ID } },
  decline: {
    from: ['created'],
    to: 'declined',
    told: { type: 'declined', body: { ...SCHEME_ID, caused_by: 'debtor', reason: asked } },
  },
  suspend: {
    from: ['active'],
    to: 'suspended',
    told: { type: 'suspended', body: { caused_by: 'debtor', reason: asked } },
  },
  reactivate: {
    from: ['suspended by debtor'],
    to: 'active',
    told: { type: 'reactivated', body: { caused_by: 'debtor' } },
  },
  cancel: {
    from: ['created', ...STANDING],
    to: 'cancelled',
    told: { type: 'cancelled', body: { caused_by: 'debtor', reason: asked } },
  },
  // Without an amendment there is none to decide; with one, see amendments.test.ts.
  accept_amendment: { from: [], to: '', told: { type: '', body: {} } },
  decline_amendment: { from: [], to: '', told: { type: '', body: {} } },
};

const SERVICES: Record<ServiceAction, Turn> = {
  expire: { from: ['created'], to: 'expired', told: { type: 'expired', body: SCHEME_ID } },
  service_suspend: {
    from: ['active'],
    to: 'suspended',
    told: { type: 'suspended', body: { caused_by: 'service_system', reason: aReason('MSUC') } },
  },
  service_reactivate: {
    from: ['suspended by service_system'],
    to: 'active',
    told: { type: 'reactivated', body: { caused_by: 'service_system' } },
  },
  service_cancel: {
    from: ['created', ...STANDING],
    to: 'cancelled',
    told: { type: 'cancelled', body: { caused_by: 'service_system', reason: aReason('MD07') } },
  },
};

const CELLS = SITUATIONS.flatMap((situation) => [
  ...PayerAction.options.map((action) => ({
    action,
    situation,
    turn: PAYERS[action],
    act: ({ control }: World, uid: string) => {
      control.actAsPayer(uid, action);
    },
  })),
  ...ServiceAction.options.map((action) => ({
    action,
    situation,
    turn: SERVICES[action],
    act: ({ control }: World, uid: string) => {
      control.actAsService(uid, action);
    },
  })),
]);

describe.each(CELLS)('$action of an agreement $situation', ({ action, situation, turn, act }) => {
  if (turn.from.includes(situation)) {
    test(`makes it ${turn.to} and is told`, async () => {
      const world = await aWorld();
      const uid = await anAgreementIn(world, situation);
      act(world, uid);
      expect(await stateOf(world, uid)).toBe(turn.to);
      expect((await toldOf(world, uid)).at(-1)).toEqual(turn.told);
    });
  } else {
    test('is refused and changes nothing', async () => {
      const world = await aWorld();
      const uid = await anAgreementIn(world, situation);
      const before = [await agreementOf(world, uid), await toldOf(world, uid)];
      expect(() => {
        act(world, uid);
      }).toThrow(new RegExp(`${action}.* agreement ${uid}: it is ${stateIn(situation)}, caused by`));
      expect([await agreementOf(world, uid), await toldOf(world, uid)]).toEqual(before);
    });
  }
});

test('that a payer gave no answer may arrive as a decline with NOAS', async () => {
  const world = await aWorld();
  world.control.scriptPayer('agr-silent', { simulate: 'no_answer' });
  const uid = await anActiveAgreement(world, { uid: 'agr-silent' });
  expect(await agreementOf(world, uid)).toMatchObject({ state: 'declined', state_reason: 'NOAS' });
  expect((await toldOf(world, uid)).at(-1)).toMatchObject({
    type: 'declined',
    body: { caused_by: 'debtor', reason: { code: 'NOAS' } },
  });
});

test('why an agreement is as it is: a code in the current version, an object in those before', async () => {
  const world = await aWorld();
  const uid = await anAgreementIn(world, 'suspended by debtor');
  expect((await agreementOf(world, uid))['state_reason']).toBe('MD16');
  for (const version of ['20260101', '20250101']) {
    const { data } = await world.caller.get(`/payto/agreements/${uid}`, { 'Service-API-Version': version });
    expect(data['state_reason']).toEqual({
      code: 'MD16',
      title: 'Requested by customer',
      detail: 'The customer asked for it.',
    });
  }
});
