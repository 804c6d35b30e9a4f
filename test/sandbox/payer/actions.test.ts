import { describe, expect, test } from 'vitest';
import { ServiceAction } from '../../../sandbox/agreements/life.js';
import { PayerAction } from '../../../sandbox/payer/actions.js';
import {
  agreementOf,
  anAgreementIn,
  aReason,
  SITUATIONS,
  stateIn,
  stateOf,
  historyOf,
  type Situation,
} from '../../support/sandbox/agreements.js';
import { aSharedWorld, type World } from '../../support/sandbox/world.js';

const theWorld = aSharedWorld();

const STANDING = [
  'active',
  'suspended by initiator',
  'suspended by debtor',
  'suspended by zepto_system',
] as const;
const asked = aReason('MD16', 'Requested by the payer.');
const schemeId: unknown = expect.stringMatching(/^[a-f0-9]{12}1[a-f0-9]{3}[89ab][a-f0-9]{15}$/);
const SCHEME_ID = { mms_agreement_id: schemeId };

interface Act {
  from: readonly Situation[];
  to: string;
  published: { type: string; body: object };
}

const PAYERS: Record<PayerAction, Act> = {
  accept: { from: ['created'], to: 'active', published: { type: 'activated', body: SCHEME_ID } },
  decline: {
    from: ['created'],
    to: 'declined',
    published: { type: 'declined', body: { ...SCHEME_ID, caused_by: 'debtor', reason: asked } },
  },
  suspend: {
    from: ['active'],
    to: 'suspended',
    published: { type: 'suspended', body: { caused_by: 'debtor', reason: asked } },
  },
  reactivate: {
    from: ['suspended by debtor'],
    to: 'active',
    published: { type: 'reactivated', body: { caused_by: 'debtor' } },
  },
  cancel: {
    from: ['created', ...STANDING],
    to: 'cancelled',
    published: { type: 'cancelled', body: { caused_by: 'debtor', reason: asked } },
  },
  accept_amendment: { from: [], to: '', published: { type: '', body: {} } },
  decline_amendment: { from: [], to: '', published: { type: '', body: {} } },
};

const SERVICES: Record<ServiceAction, Act> = {
  expire: { from: ['created'], to: 'expired', published: { type: 'expired', body: SCHEME_ID } },
  service_suspend: {
    from: ['active'],
    to: 'suspended',
    published: { type: 'suspended', body: { caused_by: 'zepto_system', reason: aReason('MSUC') } },
  },
  service_reactivate: {
    from: ['suspended by zepto_system'],
    to: 'active',
    published: { type: 'reactivated', body: { caused_by: 'zepto_system' } },
  },
  service_cancel: {
    from: ['created', ...STANDING],
    to: 'cancelled',
    published: { type: 'cancelled', body: { caused_by: 'zepto_system', reason: aReason('MD07') } },
  },
};

const CELLS = SITUATIONS.flatMap((situation) => [
  ...PayerAction.options.map((action) => ({
    action,
    situation,
    expected: PAYERS[action],
    act: ({ control }: World, uid: string) => {
      control.actAsPayer(uid, action);
    },
  })),
  ...ServiceAction.options.map((action) => ({
    action,
    situation,
    expected: SERVICES[action],
    act: ({ control }: World, uid: string) => {
      control.actAsService(uid, action);
    },
  })),
]);

describe.each(CELLS)('$action while $situation', ({ action, situation, expected, act }) => {
  if (expected.from.includes(situation)) {
    test(`changes it to ${expected.to} and is published`, async () => {
      const world = theWorld();
      const uid = await anAgreementIn(world, situation);
      act(world, uid);
      expect(await stateOf(world, uid)).toBe(expected.to);
      expect((await historyOf(world, uid)).at(-1)).toEqual(expected.published);
    });
  } else {
    test('is refused and changes nothing', async () => {
      const world = theWorld();
      const uid = await anAgreementIn(world, situation);
      const before = [await agreementOf(world, uid), await historyOf(world, uid)];
      expect(() => {
        act(world, uid);
      }).toThrow(new RegExp(`${action}.* agreement ${uid}: its state is ${stateIn(situation)}, caused by`));
      expect([await agreementOf(world, uid), await historyOf(world, uid)]).toEqual(before);
    });
  }
});
