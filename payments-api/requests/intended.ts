// Builds and checks requests to the provider. The client uses it before sending, and the API before it accepts a request,
// so both apply the same rules.
import {
  ActionRequest,
  AgreementRequest,
  AmendmentRequest,
  IdentificationRequest,
} from './agreement.schema.js';
import { ClientChanges, ClientRequest, CounterpartyRequest } from './client.schema.js';
import { judged, requestBody } from './checked.js';
import { PaymentRequest, RefundRequest, RetryRequest } from './payment.schema.js';
import { valueAt, type Circumstances, type RequestFault } from './fault.js';
import { isObject } from '../answers/values.js';
import type { Mandate, PaymentOrder } from '../../domain/agreement/mandate.js';
import type { RefundOrder } from '../../domain/refund/request.schema.js';
import type { ZodType } from 'zod';

/** The caller's input for an agreement. The version decides the permitted fields of the initiator. */
export type NewAgreement = { uid: string } & Omit<Mandate, 'initiator'> & {
    initiator?: Mandate['initiator'] | AgreementRequest['initiator'];
  };

/** The caller's input for a payment. Setting the debtor requires a special permission (docs/provider.md#payments-creation). */
export type NewPayment = { uid: string; debtor?: PaymentRequest['debtor'] } & PaymentOrder;

/** The caller's input for a retry. The creditor's ultimate name is optional. */
export interface NewRetry {
  creditor?: PaymentOrder['creditor'];
}

/** The caller's input for a refund. */
export type NewRefund = { uid: string; metadata?: RefundRequest['metadata'] | undefined } & Pick<
  RefundOrder,
  'original_payment_uid' | 'refund_payment'
>;

interface Requests {
  createAgreement: NewAgreement;
  createPayment: NewPayment;
  retryPayment: NewRetry;
  createRefund: NewRefund;
  suspendAgreement: ActionRequest;
  cancelAgreement: ActionRequest;
  proposeAmendment: AmendmentRequest;
  addIdentification: IdentificationRequest;
  createClient: ClientRequest;
  updateClient: ClientChanges;
  createCounterparty: CounterpartyRequest;
}
interface Bodies extends Omit<
  Requests,
  'createAgreement' | 'createPayment' | 'retryPayment' | 'createRefund'
> {
  createRefund: RefundRequest;
  createAgreement: AgreementRequest;
  createPayment: PaymentRequest;
  retryPayment: RetryRequest;
}
export type IntendedOperation = keyof Requests;

const SCHEMAS: { readonly [Name in IntendedOperation]: ZodType<Bodies[Name]> } = {
  createAgreement: AgreementRequest,
  createPayment: PaymentRequest,
  retryPayment: RetryRequest,
  createRefund: RefundRequest,
  suspendAgreement: ActionRequest,
  cancelAgreement: ActionRequest,
  proposeAmendment: AmendmentRequest,
  addIdentification: IdentificationRequest,
  createClient: ClientRequest,
  updateClient: ClientChanges,
  createCounterparty: CounterpartyRequest,
};

/** A planned request: the operation with the caller's input. */
export type Intended = {
  [Name in IntendedOperation]: { operation: Name; request: Requests[Name] };
}[IntendedOperation];

/** All reasons for which the provider would refuse this; empty if it may be sent. Pure. */
export const faultsOf = (
  { operation, request }: Intended,
  circumstances: Circumstances,
): readonly RequestFault[] =>
  judged<unknown>(operation, SCHEMAS[operation], completed(operation, request), circumstances).faults ?? [];

/**
 * The body of the request.
 * @throws PaymentsApiError `rejected`, naming the invalid fields. Nothing was sent.
 */
export const bodyOf = <Name extends IntendedOperation>(
  operation: Name,
  request: Requests[Name],
  circumstances: Circumstances,
): Bodies[Name] => requestBody(operation, SCHEMAS[operation], completed(operation, request), circumstances);

const PAYS_A_CREDITOR: ReadonlySet<string> = new Set(['createAgreement', 'createPayment', 'retryPayment']);

/** Adds required values that can be derived: both names of a creditor (docs/provider.md#agreements-creation), and null for a description. */
function completed(operation: IntendedOperation, request: object): object {
  if (operation === 'createRefund') return withDescription(request);
  const creditor = valueAt(request, ['creditor']);
  if (!PAYS_A_CREDITOR.has(operation) || !isObject(creditor)) return request;
  const { party_name, ultimate_party_name } = creditor;
  // For a payment, null is a value: there is no ultimate creditor.
  const isNull = ultimate_party_name === null && operation !== 'createAgreement';
  const ultimate = isNull ? null : (ultimate_party_name ?? party_name);
  return { ...request, creditor: { ...creditor, ultimate_party_name: ultimate } };
}

/** A refund from a float account requires a description, which may be null (docs/provider.md#refunds). */
function withDescription(request: object): object {
  const paid = valueAt(request, ['refund_payment']);
  if (!isObject(paid) || paid['type'] !== 'float_bank_payment') return request;
  return { ...request, refund_payment: { ...paid, description: paid['description'] ?? null } };
}
