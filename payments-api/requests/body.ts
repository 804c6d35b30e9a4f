// The bodies of our requests: built strictly, and checked against the version before anything is sent.
import { AgreementRequest } from './agreement.schema.js';
import { PaymentRequest } from './payment.schema.js';
import { PaymentsApiError } from '../errors.js';
import { refuseOtherVersions } from './version-rules.js';
import type { Mandate, Party, PaymentOrder } from '../../domain/mandate.js';
import type { ZodError, ZodType } from 'zod';

/** What callers may say to create an agreement: which of the initiator's fields, the version decides. */
export type NewAgreement = { uid: string } & Omit<Mandate, 'initiator'> & {
    initiator?: Mandate['initiator'] | AgreementRequest['initiator'];
  };

/** What callers may say to create a payment. Naming the debtor takes a permission of its own (facts 8.1). */
export type NewPayment = { uid: string; debtor?: Party | null | undefined } & PaymentOrder;

/**
 * The body that creates an agreement (facts 7.1).
 * @throws PaymentsApiError `rejected`, naming the fields that cannot be sent.
 */
export function agreementRequest(request: NewAgreement, version: string): AgreementRequest {
  const creditor = withUltimateName(request.creditor);
  return requestBody('createAgreement', AgreementRequest, { ...request, creditor }, version);
}

/**
 * The body that creates a payment (facts 8.1).
 * @throws PaymentsApiError `rejected`, naming the fields that cannot be sent.
 */
export function paymentRequest(request: NewPayment, version: string): PaymentRequest {
  return requestBody('createPayment', PaymentRequest, request, version);
}

/**
 * The body of a request, as the schema has it and the version takes it.
 * @throws PaymentsApiError `rejected`, naming the fields that cannot be sent; nothing has been sent then.
 */
export function requestBody<Body>(
  operation: string,
  schema: ZodType<Body>,
  request: object,
  version: string,
): Body {
  refuseOtherVersions(operation, request, version);
  return checked(operation, schema, request);
}

/**
 * What a caller gave, if it is as documented.
 * @throws PaymentsApiError `rejected`, naming fields and never their values.
 */
export function checked<Given>(operation: string, schema: ZodType<Given>, given: object): Given {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new PaymentsApiError(
    'rejected',
    `${operation}: expected a request as documented; met ${faultsIn(parsed.error).join(', ')}`,
  );
}

function faultsIn(error: ZodError): string[] {
  return error.issues.flatMap((issue) => {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : undefined;
    const paths = keys?.map((key) => [...issue.path, key]) ?? [issue.path];
    return paths.map((path) => `${path.join('.') || 'the whole'} (${issue.code})`);
  });
}

/** The provider asks for both names of an agreement's creditor, though they are mostly one (facts 7.1). */
function withUltimateName(creditor: Party | null | undefined): Party | null | undefined {
  if (!creditor) return creditor;
  return { ...creditor, ultimate_party_name: creditor.ultimate_party_name ?? creditor.party_name };
}
