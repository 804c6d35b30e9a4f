// The product's API as this room uses it: with a key, over HTTP, like any other backend.
import type { z } from 'zod';
import {
  AgreementAnswer,
  ConnectionAnswer,
  PaymentAnswer,
  PaymentsAnswer,
  TimelineAnswer,
} from './answers.schema.js';
import type { Agreement, Payment, TimelineFact } from './answers.schema.js';
import { callJson, type JsonCall } from './http.js';

export interface Api {
  url: string;
  beginConnection(id: string): Promise<z.output<typeof ConnectionAnswer>['data']>;
  getConnection(id: string): Promise<z.output<typeof ConnectionAnswer>['data']>;
  createAgreement(body: { uid: string }, waitSeconds: number): Promise<Agreement>;
  getAgreement(uid: string, waitSeconds?: number): Promise<Agreement>;
  getTimeline(uid: string): Promise<TimelineFact[]>;
  requestPayment(agreementUid: string, body: { uid: string }, waitSeconds: number): Promise<Payment>;
  getPayment(uid: string, waitSeconds?: number): Promise<Payment>;
  listPayments(agreementUid: string): Promise<string[]>;
}

/** @param signal ends every call that is under way. */
export function createApi(url: string, apiKey: string, signal: AbortSignal): Api {
  const call = async <Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    { headers, ...rest }: JsonCall = {},
  ): Promise<z.output<Schema>> =>
    callJson(`${url}${path}`, schema, {
      ...rest,
      signal,
      headers: { ...headers, authorization: `Bearer ${apiKey}` },
    });
  const agreements = '/v1/agreements';
  return {
    url,
    beginConnection: async (id) =>
      (await call('/v1/connections', ConnectionAnswer, { method: 'POST', body: { id } })).data,
    getConnection: async (id) => (await call(`/v1/connections/${id}`, ConnectionAnswer)).data,
    createAgreement: async (body, wait) =>
      (await call(`${agreements}?wait=${wait}`, AgreementAnswer, { method: 'POST', body })).data,
    getAgreement: async (uid, wait = 0) =>
      (await call(`${agreements}/${uid}?wait=${wait}`, AgreementAnswer)).data,
    getTimeline: async (uid) =>
      (await call(`${agreements}/${uid}/timeline?per_page=100`, TimelineAnswer)).data,
    requestPayment: async (agreement, body, wait) => {
      const request = { method: 'POST', body, headers: { 'idempotency-key': body.uid } } as const;
      return (await call(`${agreements}/${agreement}/payments?wait=${wait}`, PaymentAnswer, request)).data;
    },
    getPayment: async (uid, wait = 0) => (await call(`/v1/payments/${uid}?wait=${wait}`, PaymentAnswer)).data,
    listPayments: async (agreement) => {
      const { data } = await call(`${agreements}/${agreement}/payments?per_page=100`, PaymentsAnswer);
      return data.map(({ uid }) => uid);
    },
  };
}
