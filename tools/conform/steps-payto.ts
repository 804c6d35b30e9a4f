// One step for each PayTo method of our client: all its possible bodies, with the required resources.
import {
  ACCOUNTS,
  WHOLE_PAYMENT,
  WHY,
  agreement,
  amendment,
  bban,
  biller,
  fromFloat,
  payment,
  refund,
  terms,
  unique,
  wholeAgreement,
  dayIn,
  METADATA,
} from './bodies.js';
import type { ActionScript } from '../../sandbox/store/action.schema.js';
import type { NewAgreement } from '../../payments-api/requests/intended.js';
import type { PayerSimulation } from '../../sandbox/store/agreement.schema.js';
import type { PaymentSimulation } from '../../sandbox/store/payment.schema.js';
import type { PaymentsApi } from '../../payments-api/client.js';
import type { World } from './world.js';

export type Step = (world: World) => Promise<void>;

/** Returns the agreement's uid after its payer has followed the script. */
export async function agreed(
  { api, call, control }: World,
  simulate: PayerSimulation = 'debtor_accept',
  overrides: Partial<NewAgreement> = {},
): Promise<string> {
  const request = agreement(overrides);
  control.scriptPayer(request.uid, { simulate });
  await api.createAgreement(request, call);
  await control.advance(1);
  return request.uid;
}

export async function suspended(world: World): Promise<string> {
  const uid = await agreed(world);
  await world.api.suspendAgreement(uid, WHY, world.call);
  await world.control.advance(1);
  return uid;
}

/** Returns the uid of the agreement. */
export async function amended(
  world: World,
  simulate: Extract<ActionScript, { action: 'amendment' }>['simulate'],
): Promise<string> {
  const uid = await agreed(world);
  world.control.scriptAction(uid, { action: 'amendment', simulate });
  await world.api.proposeAmendment(uid, { changes: { payment_terms: { max_amount: 40_000 } } }, world.call);
  await world.control.advance(1);
  return uid;
}

export async function paid(
  world: World,
  simulate: PaymentSimulation = 'auto_settle',
  agreementUid?: string,
): Promise<string> {
  const request = payment(agreementUid ?? (await agreed(world)));
  world.control.scriptPayment(request.uid, { simulate });
  await world.api.createPayment(request, world.call);
  await world.control.advance(1);
  return request.uid;
}

export async function drained(list: AsyncIterable<unknown>): Promise<void> {
  for await (const item of list) if (item === undefined) throw new Error('expected an item; found none');
}

const created = (world: World) => ({ minCreatedDate: dayIn(world, -1), maxCreatedDate: dayIn(world, 1) });

export const PAYTO_STEPS = {
  createAgreement: async (world) => {
    const initiator = { name: 'Sandbox Biller', legal_name: 'Sandbox Biller Pty Ltd', acn: '824753556' };
    const bodies = [
      agreement({ creditor: null }),
      wholeAgreement(world),
      wholeAgreement(world, { initiator }),
      ...terms(world).map((payment_terms) => agreement({ payment_terms })),
      ...ACCOUNTS.map((account_identifier) =>
        agreement({ debtor: { party_name: 'A Payer', account_identifier } }),
      ),
      ...ACCOUNTS.map((account_identifier) => agreement({ creditor: { ...biller(), account_identifier } })),
    ];
    await everyOne(bodies, async (body) => world.api.createAgreement(body, world.call));
  },
  getAgreement: async (world) => {
    const simulations: PayerSimulation[] = [
      'debtor_accept',
      'debtor_decline',
      'agreement_service_unavailable',
    ];
    for (const simulate of simulations)
      await world.api.getAgreement(await agreed(world, simulate, { metadata: METADATA }), world.call);
  },
  listAgreements: async (world) => {
    const filter = {
      state: ['active', 'declined'],
      initiatorName: 'Sandbox Biller',
      ...created(world),
      perPage: 2,
    };
    await drained(world.api.listAgreements(filter, world.call));
    await drained(world.api.listAgreements({}, world.call));
  },
  listAgreementPage: async (world) => {
    await world.api.listAgreementPage({}, world.call);
  },
  getAgreementHistory: async (world) => {
    await world.api.getAgreementHistory(await suspended(world), world.call);
    await world.api.getAgreementHistory(await agreed(world, 'debtor_decline'), world.call);
  },
  addIdentification: async (world) => {
    const account = bban();
    const debtor = { party_name: 'A Payer', account_identifier: account };
    const uid = await agreed(world, 'debtor_accept', { debtor });
    const { payment_accounts: accounts } = await world.later.createCounterparty(
      { payment_accounts: [{ account_identifier: account }] },
      world.call,
    );
    const identified = { debtor: { payment_account_uid: accounts?.[0]?.uid ?? '' } };
    await world.later.addIdentification(uid, identified, world.call);
  },
  cancelAgreement: async (world) => {
    await everyOne([WHY, { reason: 'mandate_expired' }], async (why) =>
      world.api.cancelAgreement(await agreed(world), why, world.call),
    );
  },
  suspendAgreement: async (world) => {
    await everyOne([WHY, { reason: 'customer_requested' }], async (why) =>
      world.api.suspendAgreement(await agreed(world), why, world.call),
    );
  },
  reactivateAgreement: async (world) => world.api.reactivateAgreement(await suspended(world), world.call),
  proposeAmendment: async (world) => {
    const ending = { validity_end_date: dayIn(world, 365) };
    await everyOne([amendment(world), { changes: { description: 'Plan 78' } }], async (request) =>
      world.api.proposeAmendment(await agreed(world, 'debtor_accept', ending), request, world.call),
    );
  },
  getAmendment: async (world) => {
    await world.api.getAmendment(await amended(world, 'ignore'), world.call);
  },
  recallAmendment: async (world) => world.api.recallAmendment(await amended(world, 'ignore'), world.call),
  createPayment: async (world) => {
    const uid = await agreed(world, 'debtor_accept', { creditor: null });
    const balloon = { type: 'balloon', frequency: 'adhoc', amount: 4200 };
    const last = await agreed(world, 'debtor_accept', { payment_terms: balloon });
    const bodies = [
      payment(await agreed(world)),
      payment(uid, WHOLE_PAYMENT),
      payment(uid, { ...WHOLE_PAYMENT, description: 'October' }),
      payment(last, { last_payment: true }),
      ...ACCOUNTS.map((account_identifier) =>
        payment(uid, { creditor: { ...biller(), account_identifier } }),
      ),
    ];
    await everyOne(bodies, async (body) => world.api.createPayment(body, world.call));
  },
  getPayment: async (world) => {
    for (const simulate of ['auto_settle', 'insufficient_funds', 'requires_investigation'] as const)
      await world.api.getPayment(await paid(world, simulate), world.call);
  },
  listPayments: async (world) => {
    const agreementUid = await agreed(world);
    await paid(world, 'auto_settle', agreementUid);
    const filter = {
      state: ['settled', 'failed'],
      refunds: 'included',
      perPage: 2,
      ...created(world),
    } as const;
    await drained(world.api.listPayments({ agreementUid, ...filter }, world.call));
    await drained(world.api.listPayments({ agreementInitiatorName: 'Sandbox Biller' }, world.call));
  },
  listPaymentPage: async (world) => {
    await world.api.listPaymentPage({}, world.call);
  },
  retryPayment: async (world) => {
    await world.api.retryPayment(await paid(world, 'insufficient_funds'), {}, world.call);
    const free = await agreed(world, 'debtor_accept', { creditor: null });
    const failing = payment(free, { creditor: biller() });
    world.control.scriptPayment(failing.uid, { simulate: 'insufficient_funds' });
    await world.api.createPayment(failing, world.call);
    await world.control.advance(1);
    await world.api.retryPayment(failing.uid, { creditor: biller() }, world.call);
  },
  createRefund: async (world) => {
    const owner = { party_name: 'B Biller', account_identifier: bban('200002-77770001') };
    const agreement_uid = await agreed(world, 'debtor_accept', { debtor: owner, creditor: null });
    const taken = { type: 'pay_to_payment', agreement_uid, amount: 100, description: 'October' } as const;
    const bodies = [
      { refund_payment: fromFloat('REFUND part') },
      { refund_payment: fromFloat('REFUND part'), metadata: METADATA },
      { refund_payment: fromFloat('REFUND 🎉') },
      { refund_payment: taken },
      { refund_payment: { ...taken, uid: unique('pay'), description: 'October 🎉' } },
    ];
    await everyOne(bodies, async (body) =>
      world.api.createRefund({ ...refund(await paid(world)), ...body }, world.call),
    );
  },
  getRefund: async (world) => {
    const request = { ...refund(await paid(world)), refund_payment: fromFloat('REFUND it') };
    await world.api.createRefund(request, world.call);
    await world.api.getRefund(request.uid, world.call);
  },
  listRefunds: async (world) => {
    const originalPaymentUid = await paid(world);
    const request = { ...refund(originalPaymentUid), refund_payment: fromFloat('REFUND it') };
    await world.api.createRefund(request, world.call);
    await drained(world.api.listRefunds({ originalPaymentUid, ...created(world) }, world.call));
  },
  listRefundPage: async (world) => {
    await world.api.listRefundPage({}, world.call);
  },
} satisfies Partial<Record<keyof PaymentsApi, Step>>;

/** @throws AggregateError of all failures, after all attempts. */
export async function everyOne<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    await act(item).catch((error: unknown) => {
      failures.push(error);
    });
  }
  if (failures.length > 0) throw new AggregateError(failures);
}
