// Payments under an agreement: created and read (interface 4.3, facts 8).
// In:  payments-api/client.ts.
// Out: payments-api/request.ts builds bodies, snapshot.ts translates answers.
import { paymentFrom } from '../snapshot.js';
import { paymentRequest } from '../request.js';
import { resource } from '../operation.js';
import { uidSegment } from '../uid.js';
import type { Asking } from '../operation.js';
import type { Call } from '../http.js';
import type { PaymentOrder } from '../../domain/mandate.js';
import type { PaymentSnapshot } from '../../domain/snapshot.js';

export interface PaymentOperations {
  /** POST /payto/payments. Amounts in cents. A taken uid is `rejected` with ZPPAY00 (facts 13). */
  createPayment(request: { uid: string } & PaymentOrder, call: Call): Promise<PaymentSnapshot>;
  /** GET /payto/payments/{uid} (interface 4.3). */
  getPayment(uid: string, call: Call): Promise<PaymentSnapshot>;
}

/** What a 201 normally shows (facts 8.2), to take where the answer names no state. */
const ACCEPTED = 'created';
const UNSAID = 'unknown';

export function paymentOperations({ ask }: Asking): PaymentOperations {
  return {
    createPayment: async (request, call) => {
      const name = 'createPayment';
      const body = paymentRequest(request);
      const read = resource(name, paymentFrom, { uid: request.uid, state: ACCEPTED });
      return ask({ name, method: 'POST', path: '/payto/payments', body, read }, call);
    },
    getPayment: async (uid, call) => {
      const name = 'getPayment';
      const read = resource(name, paymentFrom, { uid, state: UNSAID });
      return ask({ name, method: 'GET', path: `/payto/payments/${uidSegment(name, uid)}`, read }, call);
    },
  };
}
