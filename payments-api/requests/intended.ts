// What callers ask for, as the provider takes it: built and checked by one function, for the client that is about to send it, and for the
// API before it is accepted at all.
import {
  ActionRequest,
  AgreementRequest,
  AmendmentRequest,
  IdentificationRequest,
} from './agreement.schema.js';
import { ClientChanges, ClientRequest, CounterpartyRequest } from './client.schema.js';
import { judged, requestBody } from './checked.js';
import { PaymentRequest, RefundRequest, RetryRequest } from './payment.schema.js';
import { valueAt } from './fault.js';
import { isObject } from '../answers/values.js';
import type { Circumstances, RequestFault } from './fault.js';
import type { Mandate, PaymentOrder } from '../../domain/agreement/mandate.js';
import type { RefundOrder } from '../../domain/refund/request.schema.js';
import type { ZodType } from 'zod';

/** What callers may say to create an agreement: which of the initiator's fields, the version decides. */
export type NewAgreement = { uid: string } & Omit<Mandate, 'initiator'> & {
    initiator?: Mandate['initiator'] | AgreementRequest['initiator'];
  };

/** What callers may say to create a payment. Naming the debtor takes a permission of its own (docs/provider.md#payments-creation). */
export type NewPayment = { uid: string; debtor?: PaymentRequest['debtor'] } & PaymentOrder;

/** What callers may say to retry a payment: the creditor's ultimate name may be left out. */
export interface NewRetry {
  creditor?: PaymentOrder['creditor'];
}

/** What callers may say to create a refund. */
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

const PAYS_A_CREDITOR: ReadonlySet<string> = new Set(['createAgreement', 'createPayment', 'retryPayment']);

/** With what the provider asks for though it can be concluded: both names of a creditor (docs/provider.md#agreements-creation), and null for a description. */
function completed(operation: IntendedOperation, request: object): object {
  if (operation === 'createRefund') return withDescription(request);
  const creditor = valueAt(request, ['creditor']);
  if (!PAYS_A_CREDITOR.has(operation) || !isObject(creditor)) return request;
  const { party_name, ultimate_party_name } = creditor;
  // Null is a value of a payment's: there is no ultimate creditor.
  const isNull = ultimate_party_name === null && operation !== 'createAgreement';
  const ultimate = isNull ? null : (ultimate_party_name ?? party_name);
  return { ...request, creditor: { ...creditor, ultimate_party_name: ultimate } };
}

/** Of a refund from a float account the description is asked for, and may be null (docs/provider.md#refunds). */
function withDescription(request: object): object {
  const paid = valueAt(request, ['refund_payment']);
  if (!isObject(paid) || paid['type'] !== 'float_bank_payment') return request;
  return { ...request, refund_payment: { ...paid, description: paid['description'] ?? null } };
}
