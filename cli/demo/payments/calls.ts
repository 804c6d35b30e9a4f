// API calls that only this demo makes: plans, retries, refunds, stops.
import { boundedClient, dataOf } from '../../api/client.js';
import type * as Schemas from '../../../client/create.js';

export type Payment = Schemas.Payment;
export type Plan = Schemas.Plan;
export type Refund = Schemas.Refund;

export type PaymentCalls = ReturnType<typeof createPaymentCalls>;

/** @param signal aborts all pending calls. */
export function createPaymentCalls(url: string, apiKey: string, signal: AbortSignal) {
  const client = boundedClient(url, apiKey, signal);
  const to = (uid: string) => ({ path: { uid } });
  return {
    putPlan: (uid: string, schedule: Schemas.PutPlan['schedule']): Promise<Plan> =>
      dataOf(client.PUT('/v1/agreements/{uid}/plan', { params: to(uid), body: { schedule, ...AS_USUAL } })),
    getPlan: (uid: string): Promise<Plan> =>
      dataOf(client.GET('/v1/agreements/{uid}/plan', { params: to(uid) })),
    getPayment: (uid: string, wait = 0): Promise<Payment> =>
      dataOf(client.GET('/v1/payments/{uid}', { params: { ...to(uid), query: { wait } } })),
    retry: (uid: string, wait: number): Promise<Payment> => {
      const params = { ...to(uid), query: { wait }, header: { 'Idempotency-Key': `${uid}-again` } };
      return dataOf(client.POST('/v1/payments/{uid}/retry', { params, body: {} }));
    },
    refund: (uid: string, body: Schemas.CreateRefund, wait: number): Promise<Refund> =>
      dataOf(client.POST('/v1/payments/{uid}/refunds', { params: { ...to(uid), query: { wait } }, body })),
    stop: async (reason: string) => void (await dataOf(client.POST('/v1/stop', { body: { reason } }))),
    resume: async (reason: string) =>
      void (await dataOf(client.POST('/v1/stop/resumption', { body: { reason } }))),
    /** The reasons for which payments are not sent; empty if no stop is active. */
    reasonsToStop: async () => (await dataOf(client.GET('/v1/stop', {}))).stops.map(({ reason }) => reason),
  };
}

const AS_USUAL = { on_missed: 'skip', on_holiday: 'same', priority: 'unattended' } as const;
