// API calls that only this demo makes: plans, retries, refunds, stops.
import { boundedClient, dataOf } from '../../api/client.js';
import type * as Schemas from '../../../client/create.js';

export type Payment = Schemas.Payment;
export type Plan = Schemas.Plan;
export type Refund = Schemas.Refund;

export interface PaymentCalls {
  putPlan(agreementUid: string, schedule: Schemas.PutPlan['schedule']): Promise<Plan>;
  getPlan(agreementUid: string): Promise<Plan>;
  getPayment(uid: string, waitSeconds?: number): Promise<Payment>;
  retry(uid: string, waitSeconds: number): Promise<Payment>;
  refund(paymentUid: string, body: Schemas.CreateRefund, waitSeconds: number): Promise<Refund>;
  stop(reason: string): Promise<void>;
  resume(reason: string): Promise<void>;
  /** The reasons for which payments are not sent; empty if no stop is active. */
  reasonsToStop(): Promise<string[]>;
}

/** @param signal aborts all pending calls. */
export function createPaymentCalls(url: string, apiKey: string, signal: AbortSignal): PaymentCalls {
  const client = boundedClient(url, apiKey, signal);
  const to = (uid: string) => ({ path: { uid } });
  return {
    putPlan: (uid, schedule) =>
      dataOf(client.PUT('/v1/agreements/{uid}/plan', { params: to(uid), body: { schedule, ...AS_USUAL } })),
    getPlan: (uid) => dataOf(client.GET('/v1/agreements/{uid}/plan', { params: to(uid) })),
    getPayment: (uid, wait = 0) =>
      dataOf(client.GET('/v1/payments/{uid}', { params: { ...to(uid), query: { wait } } })),
    retry: (uid, wait) => {
      const params = { ...to(uid), query: { wait }, header: { 'Idempotency-Key': `${uid}-again` } };
      return dataOf(client.POST('/v1/payments/{uid}/retry', { params, body: {} }));
    },
    refund: (uid, body, wait) =>
      dataOf(client.POST('/v1/payments/{uid}/refunds', { params: { ...to(uid), query: { wait } }, body })),
    stop: async (reason) => void (await dataOf(client.POST('/v1/stop', { body: { reason } }))),
    resume: async (reason) => void (await dataOf(client.POST('/v1/stop/resumption', { body: { reason } }))),
    reasonsToStop: async () => (await dataOf(client.GET('/v1/stop', {}))).stops.map(({ reason }) => reason),
  };
}

const AS_USUAL = { on_missed: 'skip', priority: 'unattended' } as const;
