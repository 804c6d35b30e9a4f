// Each action of the payer and of the scheme changes exactly the states that allow it, and is published.
import { expect, test } from 'vitest';
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

type Action = PayerAction | ServiceAction;
type Effect = [from: readonly Situation[], to: string, type: string, body: object];

const ACCEPTED = [
  'active',
  'suspended by initiator',
  'suspended by debtor',
  'suspended by zepto_system',
] as const;
const schemeId: unknown = expect.stringMatching(/^[a-f0-9]{12}1[a-f0-9]{3}[89ab][a-f0-9]{15}$/);
const SCHEME_ID = { mms_agreement_id: schemeId };
const BY_PAYER = { caused_by: 'debtor', reason: aReason('MD16', 'Requested by the payer.') };
const byScheme = (code: string) => ({ caused_by: 'zepto_system', reason: aReason(code) });

// prettier-ignore
const EFFECTS: Record<Exclude<Action, 'accept_amendment' | 'decline_amendment'>, Effect> = {
  accept: [['created'], 'active', 'activated', SCHEME_ID],
  decline: [['created'], 'declined', 'declined', { ...SCHEME_ID, ...BY_PAYER }],
  suspend: [['active'], 'suspended', 'suspended', BY_PAYER],
  reactivate: [['suspended by debtor'], 'active', 'reactivated', { caused_by: 'debtor' }],
  cancel: [['created', ...ACCEPTED], 'cancelled', 'cancelled', BY_PAYER],
  expire: [['created'], 'expired', 'expired', SCHEME_ID],
  service_suspend: [['active'], 'suspended', 'suspended', byScheme('MSUC')],
  service_reactivate: [['suspended by zepto_system'], 'active', 'reactivated', { caused_by: 'zepto_system' }],
  service_cancel: [['created', ...ACCEPTED], 'cancelled', 'cancelled', byScheme('MD07')],
};

const ACTIONS = new Map<Action, (world: World, uid: string) => void>([
  ...PayerAction.options.map(
    (action) =>
      [
        action,
        ({ control }: World, uid: string) => {
          control.actAsPayer(uid, action);
        },
      ] as const,
  ),
  ...ServiceAction.options.map(
    (action) =>
      [
        action,
        ({ control }: World, uid: string) => {
          control.actAsService(uid, action);
        },
      ] as const,
  ),
]);

const NONE: Effect = [[], '', '', {}];
const effectOf = (action: Action): Effect =>
  action in EFFECTS ? EFFECTS[action as keyof typeof EFFECTS] : NONE;

test.each(SITUATIONS)('an agreement that is %s changes only by the allowed actions', async (situation) => {
  const world = theWorld();
  const unchanged = await anAgreementIn(world, situation);
  const before = [await agreementOf(world, unchanged), await historyOf(world, unchanged)];
  for (const [action, act] of ACTIONS) {
    const [from, to, type, body] = effectOf(action);
    if (from.includes(situation)) {
      const uid = await anAgreementIn(world, situation);
      act(world, uid);
      const after = [await stateOf(world, uid), (await historyOf(world, uid)).at(-1)];
      expect(after, action).toEqual([to, { type, body }]);
    } else {
      const refusal = `${action}.* agreement ${unchanged}: its state is ${stateIn(situation)}, caused by`;
      expect(() => {
        act(world, unchanged);
      }, action).toThrow(new RegExp(refusal));
    }
  }
  expect([await agreementOf(world, unchanged), await historyOf(world, unchanged)]).toEqual(before);
});
