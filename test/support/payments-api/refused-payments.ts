import {
  DAY_SECONDS,
  FLOAT_ID,
  bban,
  biller,
  dayIn,
  fromFloat,
  paymentRequest,
  refundRequest,
  unique,
} from '../../../tools/conform/requests.js';
import {
  activeAgreement,
  paymentAfter,
  payoutAgreement,
  settledPayment,
  suspendedAgreement,
} from '../../../tools/conform/resources.js';
import { refused, withLimits, type Refused } from './refused-agreements.js';
import type { Meaning } from '../../../domain/provider/error-meaning.js';
import type { NewAgreement, NewPayment } from '../../../payments-api/requests/intended.js';
import type { PatchFloatAccount } from '../../../sandbox/store/float-account.schema.js';
import type { World } from './contract-world.js';

type Terms = NonNullable<NewAgreement['payment_terms']>;
type Prepare = (world: World) => Promise<string>;

const unknownUid: Prepare = () => Promise.resolve('of-nobody');
const HOUR_SECONDS = 60 * 60;

const paying =
  (prepare: Prepare, overrides: Partial<NewPayment> = {}): Refused['bring'] =>
  async (world) =>
    world.api.createPayment(paymentRequest(await prepare(world), overrides), world.call);

const withTerms =
  (terms: Terms | ((world: World) => Terms)): Prepare =>
  (world) =>
    activeAgreement(world, { payment_terms: typeof terms === 'function' ? terms(world) : terms });
const withDetails =
  (overrides: (world: World) => Partial<NewAgreement>): Prepare =>
  (world) =>
    activeAgreement(world, overrides(world));
const inDays =
  (days: number, prepare: Prepare): Prepare =>
  async (world) => {
    const uid = await prepare(world);
    await world.pass(days * DAY_SECONDS);
    return uid;
  };

const fixed = (terms: Terms = {}): Terms => ({ type: 'fixed', frequency: 'adhoc', amount: 4200, ...terms });
const balloon = (terms: Terms = {}): Terms => fixed({ type: 'balloon', ...terms });
const open = (terms: Terms = {}): Terms => ({ type: 'variable', frequency: 'adhoc', ...terms });

const forbidden = (prepare: Prepare, overrides?: Partial<NewPayment>): Refused =>
  refused('terms_forbid', paying(prepare, overrides));
const differs = (creditor: object): Refused =>
  refused('differs_from_agreement', paying(activeAgreement, { creditor: { ...biller(), ...creditor } }));
const limited = (meaning: Meaning, limits: Parameters<typeof withLimits>[0]): Refused =>
  refused(meaning, withLimits(limits, paying(activeAgreement)));

async function namingDebtor(world: World): Promise<unknown> {
  world.control.setOrganisation({ custom_debtor: true });
  try {
    return await paying(activeAgreement, { debtor: { party_name: 'Somebody Else' } })(world);
  } finally {
    world.control.setOrganisation({ custom_debtor: false });
  }
}

const PAYMENTS = {
  ZPPAY00: refused('duplicate_uid', async (world) =>
    paying(activeAgreement, { uid: await settledPayment(world) })(world),
  ),
  ZPPAY01: limited('limit', { payments_daily_cents: 100 }),
  ZPPAY02: limited('over_limit', { payment_cents: 100 }),
  ZPPAY03: refused('wrong_state', paying(suspendedAgreement)),
  ZPPAY04: differs({ party_name: 'Somebody Else' }),
  ZPPAY05: differs({ ultimate_party_name: 'Somebody Else' }),
  ZPPAY06: differs({ account_identifier: bban('200002-66660001') }),
  ZPPAY07: forbidden(
    inDays(
      3,
      withDetails((world) => ({ validity_end_date: dayIn(world, 1) })),
    ),
  ),
  ZPPAY08: forbidden(withDetails((world) => ({ validity_start_date: dayIn(world, 5) }))),
  ZPPAY09: forbidden(withTerms(balloon())),
  ZPPAY10: forbidden(activeAgreement, { last_payment: true }),
  ZPPAY11: refused('invalid_request', paying(payoutAgreement)),
  ZPPAY12: forbidden(activeAgreement, { amount: 25_001 }),
  ZPPAY13: forbidden(
    inDays(
      3,
      withTerms((world) => open({ last_payment_date: dayIn(world, 1) })),
    ),
  ),
  ZPPAY14: forbidden(withTerms((world) => fixed({ first_payment_date: dayIn(world, 5) }))),
  ZPPAY15: forbidden(withTerms(fixed()), { amount: 4201 }),
  ZPPAY16: forbidden(withTerms((world) => open({ first_payment_date: dayIn(world, 5) }))),
  ZPPAY17: forbidden(async (world) => {
    const uid = await withTerms(open({ frequency: 'monthly', count: 1 }))(world);
    await paymentAfter(world, 'auto_settle', uid);
    return uid;
  }),
  ZPPAY18: forbidden(withTerms(balloon({ first_payment_amount: 900 })), { last_payment: false }),
  ZPPAY19: forbidden(withTerms(balloon({ last_payment_amount: 900 })), { last_payment: true }),
  ZPPAY20: forbidden(
    withTerms((world) => balloon({ last_payment_date: dayIn(world, 5) })),
    { last_payment: true },
  ),
  ZPPAY21: forbidden(
    async (world) => {
      const uid = await withTerms(balloon())(world);
      await paymentAfter(world, 'auto_settle', uid, { last_payment: true });
      return uid;
    },
    { last_payment: false },
  ),
  ZPPAY22: refused('unknown_resource', paying(unknownUid)),
  ZPPAY23: refused('differs_from_agreement', namingDebtor),
  ZPPAY24: refused(
    'service_down',
    paying(withDetails(() => ({ creditor: { ...biller(), account_identifier: bban('100003-1234') } }))),
  ),
  ZPPAY25: refused('not_configured', paying(activeAgreement, { debtor: { party_name: 'Somebody Else' } })),
};

const failing = (world: World, agreementUid: string): Promise<string> =>
  paymentAfter(world, 'insufficient_funds', agreementUid);

const retry = async ({ api, call }: World, uid: string): Promise<void> => api.retryPayment(uid, {}, call);

async function retried(world: World, uid: string, times: number, everySeconds: number): Promise<string> {
  for (let done = 0; done < times; done += 1) {
    await world.pass(everySeconds);
    const { agreements, payments } = world.control.state();
    const { agreement_uid: agreementUid } = payments.find((payment) => payment.uid === uid) ?? {};
    const agreement = agreements.find((one) => one.uid === agreementUid);
    if (agreement?.state === 'suspended') world.control.actAsService(agreement.uid, 'service_reactivate');
    await retry(world, uid);
    await world.control.advance(1);
  }
  return uid;
}

const notRetried = (means: Meaning, prepare: Prepare): Refused =>
  refused(means, async (world) => retry(world, await prepare(world)));
const validUntil =
  (days: number): Prepare =>
  async (world) =>
    failing(world, await activeAgreement(world, { validity_end_date: dayIn(world, days) }));

async function failedRefundPayment(world: World): Promise<string> {
  const uid = unique('pay');
  world.control.scriptPayment(uid, { simulate: 'insufficient_funds' });
  const agreement_uid = await payoutAgreement(world);
  const paid = { type: 'pay_to_payment', agreement_uid, uid, amount: 100, description: 'REFUND' } as const;
  const request = refundRequest(await settledPayment(world), { refund_payment: paid });
  await world.api.createRefund(request, world.call);
  await world.control.advance(1);
  return uid;
}

const RETRIES = {
  ZPPRY00: [
    notRetried('wrong_state', settledPayment),
    notRetried('wrong_state', async (world) =>
      paymentAfter(world, 'debtor_account_closed', await activeAgreement(world)),
    ),
  ],
  ZPPRY01: notRetried('over_limit', async (world) =>
    retried(world, await failing(world, await activeAgreement(world)), 10, 6 * HOUR_SECONDS),
  ),
  ZPPRY02: notRetried('terms_forbid', inDays(3, validUntil(1))),
  ZPPRY03: notRetried('too_soon', async (world) =>
    retried(world, await failing(world, await activeAgreement(world)), 4, 60),
  ),
  ZPPRY04: notRetried('terms_forbid', async (world) => retried(world, await validUntil(0)(world), 4, 60)),
  ZPPRY05: refused('terms_forbid', async (world) => {
    const uid = await failedRefundPayment(world);
    return world.api.retryPayment(uid, { creditor: biller() }, world.call);
  }),
};

const refunding =
  (prepare: Prepare, overrides: object = {}): Refused['bring'] =>
  async (world) => {
    const request = refundRequest(await prepare(world), { refund_payment: fromFloat(overrides) });
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
  world.changeNext({ body: { refund_payment } });
  await world.api.createRefund(request, world.call);
  await world.control.advance(1);
  return uid;
}

const failedPayment: Prepare = async (world) =>
  paymentAfter(world, 'insufficient_funds', await activeAgreement(world));

const paidByLongAlias: Prepare = async (world) => {
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
  ZPREF01: refused('unknown_resource', refunding(unknownUid)),
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
    world.changeNext({ body: { refund_payment: fromFloat({ description: 'part' }) } });
    return world.api.createRefund(request, world.call);
  }),
};

export const PAYMENT_ROWS = { ...PAYMENTS, ...RETRIES, ...REFUNDS };
