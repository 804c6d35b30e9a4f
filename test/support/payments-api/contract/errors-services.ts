import {
  FLOAT_ID,
  activeAgreement,
  payer,
  paymentAfter,
  payoutAgreement,
  refundRequest,
  settledPayment,
  unique,
} from './requests.js';
import { refused, withLimits, type Refused } from './errors.js';
import type { PatchFloatAccount } from '../../../../sandbox/store/float-account.schema.js';
import type { NewRefund } from '../../../../payments-api/requests/intended.js';
import type { World } from './world.js';

type Paid = NewRefund['refund_payment'];
type Begun = (world: World) => Promise<string>;

const fromFloat = (overrides: object = {}): Paid => ({
  type: 'float_bank_payment',
  float_bank_account_id: FLOAT_ID,
  amount: 100,
  description: 'REFUND part',
  ...overrides,
});

const refunding =
  (begun: Begun, overrides: object = {}): Refused['bring'] =>
  async (world) => {
    const request = refundRequest(await begun(world), { refund_payment: fromFloat(overrides) });
    return world.api.createRefund(request, world.call);
  };

const fromSpoiltFloat =
  (patch: PatchFloatAccount): Refused['bring'] =>
  async (world) => {
    const { control } = world;
    const uid = await settledPayment(world);
    const { available_balance } = await world.api.getFloatAccount(FLOAT_ID, world.call);
    control.patchFloatAccount(FLOAT_ID, patch);
    try {
      return await refunding(() => Promise.resolve(uid))(world);
    } finally {
      const usual = { status: 'active', real_time: true } as const;
      control.patchFloatAccount(FLOAT_ID, { ...usual, available_balance: available_balance ?? 0 });
    }
  };

async function refundPayment(world: World): Promise<string> {
  const uid = unique('pay');
  const agreement_uid = await payoutAgreement(world);
  const refund_payment = { type: 'pay_to_payment', agreement_uid, uid, amount: 100, description: 'REFUND' };
  const request = refundRequest(await settledPayment(world));
  world.wire.interfere({ body: { refund_payment } });
  await world.api.createRefund(request, world.call);
  await world.control.advance(1);
  return uid;
}

const failedPayment: Begun = async (world) =>
  paymentAfter(world, 'insufficient_funds', await activeAgreement(world));

const paidByLongAlias: Begun = async (world) => {
  const account_identifier = { type: 'alias_email', value: `${'a'.repeat(130)}@payer.example` };
  return paymentAfter(
    world,
    'auto_settle',
    await activeAgreement(world, { debtor: { party_name: 'A Payer', account_identifier } }),
  );
};

const REFUNDS = {
  ZPREF00: refused('duplicate_uid', async (world) => {
    const request = refundRequest(await settledPayment(world));
    await world.api.createRefund(request, world.call);
    return world.api.createRefund(request, world.call);
  }),
  ZPREF01: refused(
    'unknown_resource',
    refunding(() => Promise.resolve('pay-of-nobody')),
  ),
  ZPREF02: refused('wrong_state', refunding(failedPayment)),
  ZPREF03: refused(
    'unknown_resource',
    refunding(settledPayment, { float_bank_account_id: '0195f1f0-7a11-7c00-8a00-f10a7acc9999' }),
  ),
  ZPREF04: refused('account_unusable', fromSpoiltFloat({ status: 'removed' })),
  ZPREF05: refused('account_unusable', fromSpoiltFloat({ real_time: false })),
  ZPREF06: refused('over_limit', refunding(settledPayment, { amount: 4201 })),
  ZPREF07: refused('insufficient_funds', fromSpoiltFloat({ available_balance: 0 })),
  ZPREF09: refused('terms_forbid', refunding(refundPayment)),
  ZPREF10: refused('invalid_request', refunding(paidByLongAlias)),
  ZPREF12: refused('invalid_request', async (world) => {
    const request = refundRequest(await settledPayment(world));
    world.wire.interfere({ body: { refund_payment: fromFloat({ description: 'part' }) } });
    return world.api.createRefund(request, world.call);
  }),
};

const simulating = ({ wire }: World, simulate: string | undefined): void => {
  if (simulate !== undefined) wire.interfere({ body: { sandbox: { simulate } } });
};

const resolving =
  (simulate?: string): Refused['bring'] =>
  async (world) => {
    simulating(world, simulate);
    const requester = { id: 'user-7', remote_ip: '192.0.2.7' };
    const request = { type: 'alias_email', value: 'payer@example.com', requester };
    return world.api.resolveAlias(request, world.call);
  };

const validating =
  (simulate?: string, account = payer()): Refused['bring'] =>
  async (world) => {
    simulating(world, simulate);
    const request = { uid: unique('cop'), ...account, requester: { id: 'user-7' } };
    return world.api.validateAccount(request, world.call);
  };

const limited = (act: Refused['bring'], limits: Parameters<typeof withLimits>[0]): Refused =>
  refused('limit', withLimits(limits, act));
const unconfirmed = (act: Refused['bring']): Refused => refused('unconfirmed', act);

const CHECKS = {
  ZPADD01: refused('alias_unknown', resolving('alias_not_found')),
  ZPADD02: limited(resolving(), { alias_lookups_per_account_per_day: 0 }),
  ZPADD03: limited(resolving(), { alias_lookups_per_ip_per_day: 0 }),
  ZPADD04: limited(resolving(), { alias_lookups_per_requester_per_day: 0 }),
  ZPADD98: refused('service_down', resolving('service_unavailable'), {
    status: 503,
    called: 'unavailable',
  }),
  ZCOPR00: unconfirmed(validating('unable_to_confirm')),
  ZCOPR01: unconfirmed(
    validating(undefined, { ...payer(), account_identifier: { type: 'bban', value: '100000-1234' } }),
  ),
  ZCOPR02: refused('account_unusable', validating('no_account_found'), {
    status: 404,
    called: 'not_found',
  }),
  ZCOPR04: limited(validating(), { account_no_matches_per_day: 0 }),
  ZCOPR05: limited(validating(), { requester_no_matches_per_day: 0 }),
  ZCOPR06: limited(validating(), { account_validations_per_day: 0 }),
  ZCOPR07: limited(validating(), { account_validations_per_requester_per_day: 0 }),
};

export const SERVICE_ROWS = { ...REFUNDS, ...CHECKS };
