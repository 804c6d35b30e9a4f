import { all } from '../loopback.js';
import * as shapes from './shapes.js';
import {
  NEW_TERMS,
  WHY,
  activeAgreement,
  agreementAfter,
  agreementRequest,
  amendedAgreement,
  paymentAfter,
  paymentRequest,
  registeredClient,
  suspendedAgreement,
} from './requests.js';
import { agreementSnapshot, dated, nothing, paymentSnapshot, step, utc, type Step } from './walk.js';
import { historyEntry } from './event-shapes.js';
import { REFUNDS } from './walk-refunds.js';
import type { PaymentsApi } from '../../../../payments-api/client.js';

const AGREEMENT = '/payto/agreements/{}';
const SAID = { metadata: { order: '77', paid: true, count: 3, none: null } };

const AGREEMENTS = {
  createAgreement: step({
    line: 'POST /payto/agreements',
    operation: 'create_agreement',
    scope: 'pay_to_agreements',
    status: 201,
    prepare: async (world) => {
      const client_id = await registeredClient(world);
      const request = agreementRequest({ ...SAID, initiator: { name: 'Corner Gym', client_id } });
      return (call) => world.api.createAgreement(request, call);
    },
    answer: shapes.one(shapes.createdAgreement),
    makes: ({ data: { id, ...agreement } }) => {
      if (id === agreement.uid) throw new Error('expected an id other than our uid');
      return agreementSnapshot(agreement);
    },
  }),
  getAgreement: step({
    line: `GET ${AGREEMENT}`,
    operation: 'get_agreement',
    scope: 'pay_to_agreements',
    status: 200,
    prepare: async (world) => {
      const uid = await agreementAfter(world, 'debtor_decline', SAID);
      return (call) => world.api.getAgreement(uid, call);
    },
    answer: shapes.one(shapes.agreement),
    makes: ({ data }) => agreementSnapshot(data),
  }),
  listAgreements: step({
    line: 'GET /payto/agreements',
    operation: 'list_agreements',
    scope: 'pay_to_agreements',
    status: 200,
    prepare: async (world) => {
      await agreementAfter(world, 'expire', { ...SAID, creditor: null });
      return (call) => all(world.api.listAgreements({ state: ['expired'] }, call));
    },
    answer: shapes.pageOf(shapes.agreement),
    makes: ({ data }) => data.map(agreementSnapshot),
  }),
  listAgreementPage: step({
    line: 'GET /payto/agreements',
    operation: 'list_agreements',
    scope: 'pay_to_agreements',
    status: 200,
    prepare: async (world) => {
      await agreementAfter(world, 'expire', SAID);
      return (call) => world.api.listAgreementPage({ state: ['expired'] }, call);
    },
    answer: shapes.pageOf(shapes.agreement),
    makes: ({ data }) => ({ items: data.map(agreementSnapshot), unreadable: 0, next: undefined }),
  }),
  getAgreementHistory: step({
    line: `GET ${AGREEMENT}/history`,
    operation: 'agreement_history',
    scope: 'pay_to_agreements',
    status: 200,
    prepare: async (world) => {
      const uid = await activeAgreement(world);
      world.control.actAsPayer(uid, 'suspend');
      return async (call) => {
        const facts = await world.api.getAgreementHistory(uid, call);
        return facts.map(({ id, type, publishedAt }) => ({ id, type, publishedAt }));
      };
    },
    answer: shapes.pageOf(historyEntry),
    makes: ({ data }) =>
      data.map(({ id, type, published_at }, at) => {
        const bare = type.replace('payto_agreement.', '');
        if (bare !== ['suspended', 'activated'][at]) throw new Error('expected the newest event first');
        return { id, type: bare, publishedAt: utc(published_at) };
      }),
  }),
  addIdentification: step({
    line: `POST ${AGREEMENT}/add_identification`,
    operation: 'add_identification',
    scope: 'pay_to_agreements',
    status: 200,
    prepare: async (world) => {
      const uid = await activeAgreement(world);
      const { mandate } = await world.api.getAgreement(uid, world.call);
      const account = mandate.debtor?.account_identifier ?? undefined;
      const { payment_accounts } = await world.api.createCounterparty(
        { payment_accounts: [{ account_identifier: account ?? { type: 'bban', value: 'none' } }] },
        world.call,
      );
      const debtor = { payment_account_uid: payment_accounts?.[0]?.uid ?? '' };
      return (call) => world.api.addIdentification(uid, { debtor }, call);
    },
    answer: shapes.one(shapes.agreement),
    makes: ({ data }) => {
      if (data.debtor.payment_account_uid === undefined)
        throw new Error('expected the debtor to have its account uid');
      return agreementSnapshot(data);
    },
  }),
};

const accepted = { status: 202, answer: shapes.NO_BODY, makes: nothing } as const;

const ACTIONS = {
  cancelAgreement: step({
    ...accepted,
    line: `POST ${AGREEMENT}/cancellation`,
    operation: 'cancel_agreement',
    scope: 'pay_to_cancellations',
    prepare: async (world) => {
      const uid = await activeAgreement(world);
      return (call) => world.api.cancelAgreement(uid, WHY, call);
    },
  }),
  suspendAgreement: step({
    ...accepted,
    line: `POST ${AGREEMENT}/suspension`,
    operation: 'suspend_agreement',
    scope: 'pay_to_suspensions',
    prepare: async (world) => {
      const uid = await activeAgreement(world);
      return (call) => world.api.suspendAgreement(uid, WHY, call);
    },
  }),
  reactivateAgreement: step({
    ...accepted,
    line: `POST ${AGREEMENT}/reactivation`,
    operation: 'reactivate_agreement',
    scope: 'pay_to_reactivations',
    prepare: async (world) => {
      const uid = await suspendedAgreement(world);
      return (call) => world.api.reactivateAgreement(uid, call);
    },
  }),
  proposeAmendment: step({
    ...accepted,
    line: `POST ${AGREEMENT}/amendment`,
    operation: 'amend_agreement',
    scope: 'pay_to_amendments',
    prepare: async (world) => {
      const uid = await activeAgreement(world);
      return (call) => world.api.proposeAmendment(uid, { changes: NEW_TERMS }, call);
    },
  }),
  getAmendment: step({
    line: `GET ${AGREEMENT}/amendment`,
    operation: 'get_amendment',
    scope: 'pay_to_amendments',
    status: 200,
    prepare: async (world) => {
      const uid = await amendedAgreement(world, 'ignore');
      return (call) => world.api.getAmendment(uid, call);
    },
    answer: shapes.one(shapes.amendment),
    makes: ({ data }) => ({
      ...dated(data),
      resolution_requested_before: utc(data.resolution_requested_before),
    }),
  }),
  recallAmendment: step({
    ...accepted,
    line: `POST ${AGREEMENT}/amendment/recall`,
    operation: 'recall_amendment',
    scope: 'pay_to_amendment_recalls',
    prepare: async (world) => {
      const uid = await amendedAgreement(world, 'ignore');
      return (call) => world.api.recallAmendment(uid, call);
    },
  }),
};

const PAYMENTS = {
  createPayment: step({
    line: 'POST /payto/payments',
    operation: 'create_payment',
    scope: 'pay_to_payments',
    status: 201,
    prepare: async (world) => {
      const request = paymentRequest(await activeAgreement(world), { metadata: { run: 7 } });
      return (call) => world.api.createPayment(request, call);
    },
    answer: shapes.one(shapes.payment),
    makes: ({ data }) => paymentSnapshot(data),
  }),
  getPayment: step({
    line: 'GET /payto/payments/{}',
    operation: 'get_payment',
    scope: 'pay_to_payments',
    status: 200,
    prepare: async (world) => {
      const uid = await paymentAfter(world, 'insufficient_funds', await activeAgreement(world));
      return (call) => world.api.getPayment(uid, call);
    },
    answer: shapes.one(shapes.payment),
    makes: ({ data }) => paymentSnapshot(data),
  }),
  listPayments: step({
    line: 'GET /payto/payments',
    operation: 'list_payments',
    scope: 'pay_to_payments',
    status: 200,
    prepare: async (world) => {
      const agreementUid = await activeAgreement(world);
      await paymentAfter(world, 'auto_settle', agreementUid);
      await paymentAfter(world, 'requires_investigation', agreementUid);
      return (call) => all(world.api.listPayments({ agreementUid }, call));
    },
    answer: shapes.pageOf(shapes.payment),
    makes: ({ data }) => data.map(paymentSnapshot),
  }),
  listPaymentPage: step({
    line: 'GET /payto/payments',
    operation: 'list_payments',
    scope: 'pay_to_payments',
    status: 200,
    prepare: async (world) => {
      const agreementUid = await activeAgreement(world);
      await paymentAfter(world, 'auto_settle', agreementUid);
      return (call) => world.api.listPaymentPage({ agreementUid, state: ['settled'] }, call);
    },
    answer: shapes.pageOf(shapes.payment),
    makes: ({ data }) => ({ items: data.map(paymentSnapshot), unreadable: 0, next: undefined }),
  }),
  retryPayment: step({
    ...accepted,
    line: 'POST /payto/payments/{}/retry',
    operation: 'retry_payment',
    scope: 'pay_to_payments',
    prepare: async (world) => {
      const uid = await paymentAfter(world, 'insufficient_funds', await activeAgreement(world));
      return (call) => world.api.retryPayment(uid, {}, call);
    },
  }),
};

export const PAYTO_STEPS = {
  ...AGREEMENTS,
  ...ACTIONS,
  ...PAYMENTS,
  ...REFUNDS,
} satisfies Partial<Record<keyof PaymentsApi, Step>>;
