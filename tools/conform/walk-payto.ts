// The requests of each PayTo method of our client: all its possible bodies.
import {
  ACCOUNTS,
  METADATA,
  NEW_TERMS,
  WHOLE_PAYMENT,
  WHY,
  agreementRequest,
  biller,
  dayIn,
  fromFloat,
  payer,
  paymentRequest,
  refundRequest,
  terms,
  unique,
  wholeAgreement,
  wholeAmendment,
} from './requests.js';
import {
  activeAgreement,
  agreementAfter,
  amendedAgreement,
  paymentAfter,
  payoutAgreement,
  registeredAccount,
  registeredClient,
  settledPayment,
  suspendedAgreement,
} from './resources.js';
import { LATEST, type World } from './world.js';
import type { Call, PaymentsApi } from '../../payments-api/client.js';
import type { PayerSimulation } from '../../sandbox/store/agreement.schema.js';
import type { PaymentSimulation } from '../../sandbox/store/payment.schema.js';

/** Sends one request and returns what our client read. */
export type Send = (api: PaymentsApi, call: Call) => Promise<unknown>;

/** Creates what the requests of a method need, and returns the requests. */
export type Step = (world: World) => Promise<Send[]> | Send[];

/** One request for each body, id or filter. */
export const sendEach = <Item>(
  items: readonly Item[],
  send: (api: PaymentsApi, item: Item, call: Call) => Promise<unknown>,
): Send[] => items.map((item) => async (api, call) => send(api, item, call));

export async function all<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

const created = (world: World) => ({ minCreatedDate: dayIn(world, -1), maxCreatedDate: dayIn(world, 1) });

/** All forms of the initiator that the version allows. */
async function initiatorsOf(world: World) {
  const name = 'Sandbox Biller';
  if (world.version === LATEST)
    return [{ name: 'Corner Gym', client_id: await registeredClient(world) }, { name }];
  const legal_name = 'Sandbox Biller Pty Ltd';
  return [
    { name, legal_name, abn: '51824753556' },
    { name, legal_name, acn: '824753556' },
  ];
}

/** Makes each of the resources, one after the other. */
async function each<Item, Made>(
  items: readonly Item[],
  make: (item: Item) => Promise<Made>,
): Promise<Made[]> {
  const results: Made[] = [];
  for (const item of items) results.push(await make(item));
  return results;
}

const AGREEMENT_STEPS = {
  createAgreement: async (world) => {
    const bodies = [
      agreementRequest({ creditor: null }),
      ...(await initiatorsOf(world)).map((initiator) => wholeAgreement(world, { initiator })),
      ...terms(world).map((payment_terms) => agreementRequest({ payment_terms })),
      ...ACCOUNTS.flatMap((account_identifier) => [
        agreementRequest({ debtor: { party_name: 'A Payer', account_identifier } }),
        agreementRequest({ creditor: { ...biller(), account_identifier } }),
      ]),
    ];
    return sendEach(bodies, async (api, body, call) => api.createAgreement(body, call));
  },
  getAgreement: async (world) => {
    const ends: PayerSimulation[] = ['debtor_accept', 'debtor_decline', 'agreement_service_unavailable'];
    const uids = await each(ends, async (end) => agreementAfter(world, end, { metadata: METADATA }));
    return sendEach(uids, async (api, uid, call) => api.getAgreement(uid, call));
  },
  listAgreements: async (world) => {
    await agreementAfter(world, 'debtor_decline', { metadata: METADATA, creditor: null });
    const state = ['active', 'declined'];
    const filter = { state, initiatorName: 'Sandbox Biller', ...created(world), perPage: 2 };
    return sendEach([filter, {}], async (api, one, call) => all(api.listAgreements(one, call)));
  },
  listAgreementPage: async (world) => {
    await agreementAfter(world, 'expire', { metadata: METADATA });
    return sendEach([['expired']], async (api, state, call) => api.listAgreementPage({ state }, call));
  },
  getAgreementHistory: async (world) => {
    const uids = [await suspendedAgreement(world), await agreementAfter(world, 'debtor_decline')];
    return sendEach(uids, async (api, uid, call) => api.getAgreementHistory(uid, call));
  },
  addIdentification: async (world) => {
    const debtor = payer();
    const uid = await activeAgreement(world, { debtor });
    const payment_account_uid = await registeredAccount(world, debtor.account_identifier);
    const body = { debtor: { payment_account_uid } };
    return sendEach([uid], async (api, one, call) => api.addIdentification(one, body, call));
  },
  cancelAgreement: async (world) => {
    const requests = await each([WHY, { reason: 'mandate_expired' }], async (why) => ({
      ...{ uid: await activeAgreement(world), why },
    }));
    return sendEach(requests, async (api, { uid, why }, call) => api.cancelAgreement(uid, why, call));
  },
  suspendAgreement: async (world) => {
    const requests = await each([WHY, { reason: 'customer_requested' }], async (why) => ({
      ...{ uid: await activeAgreement(world), why },
    }));
    return sendEach(requests, async (api, { uid, why }, call) => api.suspendAgreement(uid, why, call));
  },
  reactivateAgreement: async (world) =>
    sendEach([await suspendedAgreement(world)], async (api, uid, call) => api.reactivateAgreement(uid, call)),
  proposeAmendment: async (world) => {
    const ending = { validity_end_date: dayIn(world, 365) };
    const bodies = [{ changes: NEW_TERMS }, wholeAmendment(world), { changes: { description: 'Plan 78' } }];
    const requests = await each(bodies, async (body) => ({
      uid: await activeAgreement(world, ending),
      body,
    }));
    return sendEach(requests, async (api, { uid, body }, call) => api.proposeAmendment(uid, body, call));
  },
  getAmendment: async (world) =>
    sendEach([await amendedAgreement(world, 'ignore')], async (api, uid, call) =>
      api.getAmendment(uid, call),
    ),
  recallAmendment: async (world) => {
    const uid = await amendedAgreement(world, 'ignore');
    return sendEach([uid], async (api, one, call) => api.recallAmendment(one, call));
  },
} satisfies Partial<Record<keyof PaymentsApi, Step>>;

const PAYMENT_STEPS = {
  createPayment: async (world) => {
    const uid = await activeAgreement(world, { creditor: null });
    const balloon = { type: 'balloon', frequency: 'adhoc', amount: 4200 };
    const last = await activeAgreement(world, { payment_terms: balloon });
    const bodies = [
      paymentRequest(await activeAgreement(world)),
      paymentRequest(uid, WHOLE_PAYMENT),
      paymentRequest(uid, { ...WHOLE_PAYMENT, description: 'October' }),
      paymentRequest(last, { last_payment: true }),
      ...ACCOUNTS.map((account_identifier) =>
        paymentRequest(uid, { creditor: { ...biller(), account_identifier } }),
      ),
    ];
    return sendEach(bodies, async (api, body, call) => api.createPayment(body, call));
  },
  getPayment: async (world) => {
    const ends: PaymentSimulation[] = ['auto_settle', 'insufficient_funds', 'requires_investigation'];
    const uids = await each(ends, async (end) => paymentAfter(world, end, await activeAgreement(world)));
    return sendEach(uids, async (api, uid, call) => api.getPayment(uid, call));
  },
  listPayments: async (world) => {
    const agreementUid = await activeAgreement(world);
    for (const end of ['auto_settle', 'insufficient_funds', 'requires_investigation'] as const)
      await paymentAfter(world, end, agreementUid);
    const state = ['settled', 'failed'];
    const filter = { state, refunds: 'included', perPage: 1, ...created(world) } as const;
    const filters = [
      { agreementUid, ...filter },
      { agreementUid },
      { agreementInitiatorName: 'Sandbox Biller' },
    ];
    return sendEach(filters, async (api, one, call) => all(api.listPayments(one, call)));
  },
  listPaymentPage: async (world) => {
    const agreementUid = await activeAgreement(world);
    await paymentAfter(world, 'auto_settle', agreementUid);
    return sendEach([agreementUid], async (api, uid, call) =>
      api.listPaymentPage({ agreementUid: uid, state: ['settled'] }, call),
    );
  },
  retryPayment: async (world) => {
    const free = await activeAgreement(world, { creditor: null });
    const bound = await activeAgreement(world);
    const requests = [
      { uid: await paymentAfter(world, 'insufficient_funds', bound), body: {} },
      {
        uid: await paymentAfter(world, 'insufficient_funds', free, { creditor: biller() }),
        body: { creditor: biller() },
      },
    ];
    return sendEach(requests, async (api, { uid, body }, call) => api.retryPayment(uid, body, call));
  },
  createRefund: async (world) => {
    const agreement_uid = await payoutAgreement(world);
    const paid = { type: 'pay_to_payment', agreement_uid, amount: 100, description: 'October' } as const;
    const bodies = [
      { refund_payment: fromFloat() },
      { refund_payment: fromFloat(), metadata: METADATA },
      { refund_payment: fromFloat({ description: 'REFUND 🎉' }) },
      { refund_payment: paid },
      { refund_payment: { ...paid, uid: unique('pay'), description: 'October 🎉' } },
    ];
    const requests = await each(bodies, async (body) => refundRequest(await settledPayment(world), body));
    return sendEach(requests, async (api, request, call) => api.createRefund(request, call));
  },
  getRefund: async (world) => {
    const request = await refunded(world);
    return sendEach([request.uid], async (api, uid, call) => api.getRefund(uid, call));
  },
  listRefunds: async (world) => {
    const { original_payment_uid: originalPaymentUid } = await refunded(world);
    await world.api.createRefund(refundRequest(originalPaymentUid), world.call);
    const filter = { originalPaymentUid, ...created(world), perPage: 1 };
    return sendEach([filter], async (api, one, call) => all(api.listRefunds(one, call)));
  },
  listRefundPage: async (world) => {
    const { original_payment_uid: originalPaymentUid } = await refunded(world);
    return sendEach([{ originalPaymentUid }], async (api, one, call) => api.listRefundPage(one, call));
  },
} satisfies Partial<Record<keyof PaymentsApi, Step>>;

async function refunded(world: World) {
  const request = refundRequest(await settledPayment(world));
  await world.api.createRefund(request, world.call);
  await world.control.advance(1);
  return request;
}

export const PAYTO_STEPS = { ...AGREEMENT_STEPS, ...PAYMENT_STEPS };
