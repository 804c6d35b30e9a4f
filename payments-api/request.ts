// The bodies of our requests: built strictly, and checked against the version before anything is sent.
import { AgreementRequest, PaymentRequest } from './request.schema.js';
import { PaymentsApiError } from './errors.js';
import { refuseRemovedFields } from './version-rules.js';
import { uidSegment } from './uid.js';
import type { Mandate, Party, PaymentOrder } from '../domain/mandate.js';
import type { ZodType } from 'zod';

/**
 * The body that creates an agreement (facts 7.1).
 * @throws PaymentsApiError `rejected`, naming the fields that cannot be sent.
 */
export function agreementRequest(request: { uid: string } & Mandate, version: string): AgreementRequest {
  const operation = 'createAgreement';
  uidSegment(operation, request.uid);
  refuseRemovedFields(operation, request, version);
  return built(operation, AgreementRequest, { ...request, creditor: withUltimateName(request.creditor) });
}

/**
 * The body that creates a payment (facts 8.1).
 * @throws PaymentsApiError `rejected`, naming the fields that cannot be sent.
 */
export function paymentRequest(request: { uid: string } & PaymentOrder): PaymentRequest {
  const operation = 'createPayment';
  uidSegment(operation, request.uid);
  return built(operation, PaymentRequest, request);
}

/** The provider asks for both names of an agreement's creditor, though they are mostly one (facts 7.1). */
function withUltimateName(creditor: Party | null | undefined): Party | null | undefined {
  if (!creditor) return creditor;
  return { ...creditor, ultimate_party_name: creditor.ultimate_party_name ?? creditor.party_name };
}

function built<Body>(operation: string, schema: ZodType<Body>, request: object): Body {
  const parsed = schema.safeParse(request);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => {
    const keys =
      issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
    return keys.map((path) => `${path.join('.')} (${issue.code})`).join(', ');
  });
  throw new PaymentsApiError(
    'rejected',
    `${operation}: expected a request as documented; met ${faults.join(', ')}`,
  );
}
