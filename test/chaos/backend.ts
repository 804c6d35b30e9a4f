import { setTimeout as pause } from 'node:timers/promises';
import { answerOf, type PaytoClient } from '../../client/create.js';
import { FLOAT_ID } from '../support/sandbox/payments.js';
import { payoutOf, type Intent, type Refund } from './campaign.js';
import { CONNECTION } from './stack.js';

const AGAIN_MS = 1000;
const PACE_SECONDS = 2;
const SIX_HOURS_MS = 6 * 60 * 60 * 1000;
const ACCEPTED = 202;
const TOO_SOON = new Set(['payment_not_failed', 'payment_not_settled']);

export type Backend = ReturnType<typeof createBackend>;

export function createBackend(api: PaytoClient) {
  const keyed = (uid: string, key: string, wait = 0) => ({
    path: { uid },
    query: { wait },
    header: { 'Idempotency-Key': key },
  });
  return {
    async createAgreement(uid: string, index: number, isPayout: boolean): Promise<void> {
      const body = isPayout ? payoutAgreementOf(uid, index) : agreementOf(uid, index);
      await answerOf(api.POST('/v1/agreements', { body, params: { query: { wait: 0 } } }));
      for (;;) {
        const { data } = await answerOf(api.GET('/v1/agreements/{uid}', { params: { path: { uid } } }));
        if (data.state === 'active') return;
        await pause(AGAIN_MS);
      }
    },
    async pay({ uid, agreement, amount, failures, retriedBy }: Intent): Promise<void> {
      const submit_before = new Date(Date.now() + SIX_HOURS_MS).toISOString();
      const retry = { attempts: failures, every_seconds: 60 };
      const isByPolicy = failures > 0 && retriedBy === 'policy';
      const body = { uid, amount, submit_before, ...(isByPolicy && { retry }) };
      await answerOf(
        api.POST('/v1/agreements/{uid}/payments', { body, params: keyed(agreement, uid, PACE_SECONDS) }),
      );
    },
    async plan({ agreement, amount }: Intent, date: string): Promise<void> {
      const body = { schedule: { dates: [{ date, amount }] } };
      await answerOf(api.PUT('/v1/agreements/{uid}/plan', { body, params: { path: { uid: agreement } } }));
    },
    retry: (uid: string, attempt: number): Promise<boolean> =>
      untilTaken(() =>
        api.POST('/v1/payments/{uid}/retry', { body: {}, params: keyed(uid, `${uid}/${attempt}`) }),
      ),
    refund: (payment: string, refund: Refund): Promise<boolean> =>
      untilTaken(() =>
        api.POST('/v1/payments/{uid}/refunds', {
          body: { uid: refund.uid, refund_payment: refundPaymentOf(refund) },
          params: keyed(payment, refund.uid),
        }),
      ),
    attempts: async (uid: string): Promise<number> => {
      const { data } = await answerOf(api.GET('/v1/payments/{uid}', { params: { path: { uid } } }));
      return data.attempts.length;
    },
  };
}

interface Taken {
  error?: { code?: string };
  response: Response;
}

async function untilTaken(ask: () => Promise<Taken>): Promise<boolean> {
  for (;;) {
    const { error, response } = await ask();
    if (response.status === ACCEPTED) return true;
    const code = error?.code ?? '';
    if (code === 'refund_over_payment') return false;
    if (!TOO_SOON.has(code))
      throw new Error(`expected ${response.url} to accept the request; got ${response.status} ${code}`);
    await pause(AGAIN_MS);
  }
}

const refundPaymentOf = (refund: Refund) => {
  const { amount, paidUnder } = refund;
  const common = { amount, description: 'REFUND part' };
  return paidUnder === undefined
    ? { type: 'float_bank_payment' as const, float_bank_account_id: FLOAT_ID, ...common }
    : { type: 'pay_to_payment' as const, agreement_uid: paidUnder, uid: payoutOf(refund), ...common };
};

const agreementOf = (uid: string, index: number) => ({
  ...payoutAgreementOf(uid, index),
  creditor: {
    party_name: 'B Biller',
    ultimate_party_name: 'B Biller',
    account_identifier: { type: 'bban' as const, value: '200002-55550001' },
  },
});

const payoutAgreementOf = (uid: string, index: number) => ({
  uid,
  connection: CONNECTION,
  purpose: 'utility' as const,
  description: 'Plan 77',
  debtor: {
    party_name: 'A Payer',
    account_identifier: { type: 'bban' as const, value: `200001-${10_000_000 + index}` },
  },
  payment_terms: { type: 'variable' as const, frequency: 'adhoc' as const, max_amount: 25_000 },
});
