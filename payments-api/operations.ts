// The provider's operations as data (interface 4.3, facts 4): what to ask, and how to read a good answer. Pure.
// In:  payments-api/client.ts asks for one of them.
// Out: payments-api/request.ts builds bodies, snapshot.ts and event.ts translate answers.
import { agreementFrom, paymentFrom } from './snapshot.js';
import { agreementRequest, paymentRequest } from './request.js';
import { historyFact } from './event.js';
import { isObject } from './json.js';
import { malformed } from './judge.js';
import { uidSegment } from './uid.js';
import type { AgreementSnapshot, PaymentSnapshot } from '../domain/snapshot.js';
import type { Fact } from '../domain/fact.js';
import type { Fallback } from './snapshot.js';
import type { Mandate, PaymentOrder } from '../domain/mandate.js';
import type { PagedOperation } from './paging.js';
import type { Question } from './http.js';

/** A question and the reading of its answer; `read` throws PaymentsApiError `malformed` only. */
export interface Operation<Result> extends Question {
  read: (json: unknown) => Result;
}

/** A state to take where the answer names none: what a 201 normally shows (facts 7.3, 8.2), or nothing we know. */
const ACCEPTED_AGREEMENT = 'pending';
const ACCEPTED_PAYMENT = 'created';
const UNSAID = 'unknown';

export function createAgreement(
  request: { uid: string } & Mandate,
  version: string,
): Operation<AgreementSnapshot> {
  const name = 'createAgreement';
  const body = agreementRequest(request, version);
  const read = reader(name, agreementFrom, { uid: request.uid, state: ACCEPTED_AGREEMENT });
  return { name, method: 'POST', path: '/payto/agreements', body, read };
}

export function getAgreement(uid: string): Operation<AgreementSnapshot> {
  const name = 'getAgreement';
  const path = `/payto/agreements/${uidSegment(name, uid)}`;
  return { name, method: 'GET', path, read: reader(name, agreementFrom, { uid, state: UNSAID }) };
}

/** @param filter `perPage` 1 to 100 (facts 6); `state` as the provider writes them. */
export function listAgreements(filter: {
  state?: string[] | undefined;
  perPage?: number | undefined;
}): PagedOperation<AgreementSnapshot> {
  const query = new URLSearchParams();
  if (filter.state !== undefined && filter.state.length > 0) query.set('state', filter.state.join(','));
  if (filter.perPage !== undefined) query.set('per_page', String(filter.perPage));
  const readItem = (item: unknown) => agreementFrom(item, { state: UNSAID });
  return {
    name: 'listAgreements',
    method: 'GET',
    path: '/payto/agreements',
    query: query.toString(),
    readItem,
  };
}

export function getAgreementHistory(uid: string, receivedAt: string): PagedOperation<Fact> {
  const name = 'getAgreementHistory';
  const path = `/payto/agreements/${uidSegment(name, uid)}/history`;
  const readItem = (item: unknown) => historyFact(item, { receivedAt, authenticated: true });
  return { name, method: 'GET', path, query: 'per_page=100', readItem };
}

export function createPayment(request: { uid: string } & PaymentOrder): Operation<PaymentSnapshot> {
  const name = 'createPayment';
  const body = paymentRequest(request);
  const read = reader(name, paymentFrom, { uid: request.uid, state: ACCEPTED_PAYMENT });
  return { name, method: 'POST', path: '/payto/payments', body, read };
}

export function getPayment(uid: string): Operation<PaymentSnapshot> {
  const name = 'getPayment';
  const path = `/payto/payments/${uidSegment(name, uid)}`;
  return { name, method: 'GET', path, read: reader(name, paymentFrom, { uid, state: UNSAID }) };
}

/** Reads the one resource under `data`. */
function reader<Result>(
  operation: string,
  from: (data: unknown, fallback: Fallback) => Result | undefined,
  fallback: Fallback,
): (json: unknown) => Result {
  return (json) => {
    const result = isObject(json) ? from(json['data'], fallback) : undefined;
    if (result === undefined)
      throw malformed(operation, `data to be the resource ${fallback.uid}`, 'something else');
    return result;
  };
}
