// What callers ask of an agreement, of payments and of a counterparty, as the provider takes it: built and checked by one function, for the client
// that is about to send it, and for the API before it is accepted at all.
import {
  ActionRequest,
  AgreementRequest,
  AmendmentRequest,
  IdentificationRequest,
} from './agreement.schema.js';
import { CounterpartyRequest } from './client.schema.js';
import { judged, requestBody } from './checked.js';
import { PaymentRequest, RefundRequest } from './payment.schema.js';
import { valueAt } from './fault.js';
import { isObject } from '../answers/values.js';
import type { Circumstances, RequestFault } from './fault.js';
import type { Mandate, PaymentOrder } from '../../domain/agreement/mandate.js';
import type { ZodType } from 'zod';

/** What callers may say to create an agreement: which of the initiator's fields, the version decides. */
export type NewAgreement = { uid: string } & Omit<Mandate, 'initiator'> & {
    initiator?: Mandate['initiator'] | AgreementRequest['initiator'];
  };

/** What callers may say to create a payment. Naming the debtor takes a permission of its own (docs/provider.md#payments-creation). */
export type NewPayment = { uid: string; debtor?: PaymentRequest['debtor'] } & PaymentOrder;

interface Requests {
  createAgreement: NewAgreement;
  createPayment: NewPayment;
  createRefund: RefundRequest;
  suspendAgreement: ActionRequest;
  cancelAgreement: ActionRequest;
  proposeAmendment: AmendmentRequest;
  addIdentification: IdentificationRequest;
  createCounterparty: CounterpartyRequest;
}
interface Bodies extends Omit<Requests, 'createAgreement' | 'createPayment'> {
  createAgreement: AgreementRequest;
  createPayment: PaymentRequest;
}
export type IntendedOperation = keyof Requests;

const SCHEMAS: { readonly [Name in IntendedOperation]: ZodType<Bodies[Name]> } = {
  createAgreement: AgreementRequest,
  createPayment: PaymentRequest,
  createRefund: RefundRequest,
  suspendAgreement: ActionRequest,
  cancelAgreement: ActionRequest,
  proposeAmendment: AmendmentRequest,
  addIdentification: IdentificationRequest,
  createCounterparty: CounterpartyRequest,
};

/** What is to be done at the provider: the operation with what the caller said. */
export type Intended = {
  [Name in IntendedOperation]: { operation: Name; request: Requests[Name] };
}[IntendedOperation];

/** Every reason why the provider would not take this; none where it may be sent. Pure. */
export const faultsOf = (
  { operation, request }: Intended,
  circumstances: Circumstances,
): readonly RequestFault[] =>
  judged<unknown>(operation, SCHEMAS[operation], completed(operation, request), circumstances).faults ?? [];

/**
 * The body that carries it out.
 * @throws PaymentsApiError `rejected`, naming the fields that cannot be sent; nothing has been sent then.
 */
export const bodyOf = <Name extends IntendedOperation>(
  operation: Name,
  request: Requests[Name],
  circumstances: Circumstances,
): Bodies[Name] => requestBody(operation, SCHEMAS[operation], completed(operation, request), circumstances);

/** The provider asks for both names of an agreement's creditor, though they are mostly one (docs/provider.md#agreements-creation). */
function completed(operation: IntendedOperation, request: object): object {
  const creditor = valueAt(request, ['creditor']);
  if (operation !== 'createAgreement' || !isObject(creditor)) return request;
  const { party_name, ultimate_party_name } = creditor;
  return { ...request, creditor: { ...creditor, ultimate_party_name: ultimate_party_name ?? party_name } };
}
