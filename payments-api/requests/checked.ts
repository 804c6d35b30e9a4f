// The bodies, queries and path segments of our requests: built strictly, and checked before anything is sent.
import { isUid } from '../../domain/uid.js';
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

/** What callers may say to create a payment. Naming the debtor takes a permission of its own (docs/provider.md#payments-creation). */
export type NewPayment = { uid: string; debtor?: Party | null | undefined } & PaymentOrder;

/**
 * The body that creates an agreement (docs/provider.md#agreements-creation).
 * @throws PaymentsApiError `rejected`, naming the fields that cannot be sent.
 */
export function agreementRequest(request: NewAgreement, version: string): AgreementRequest {
  const creditor = withUltimateName(request.creditor);
  return requestBody('createAgreement', AgreementRequest, { ...request, creditor }, version);
}

/**
 * The body that creates a payment (docs/provider.md#payments-creation).
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

/** The provider asks for both names of an agreement's creditor, though they are mostly one (docs/provider.md#agreements-creation). */
function withUltimateName(creditor: Party | null | undefined): Party | null | undefined {
  if (!creditor) return creditor;
  return { ...creditor, ultimate_party_name: creditor.ultimate_party_name ?? creditor.party_name };
}

type Item = string | number | null | { from: number; to: number };
/** What a list may be narrowed by. Keys are camelCase here; on the wire they are snake_case, lists have commas, ranges a hyphen. */
export type Filter = Readonly<Record<string, string | number | readonly Item[] | undefined>>;

/**
 * The query of a list; empty where nothing narrows it.
 * @throws PaymentsApiError `rejected`, naming the filters that the provider does not document.
 */
export function queryOf<Narrowed extends Filter>(
  operation: string,
  schema: ZodType<Narrowed>,
  filter: Narrowed,
): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries<Filter[string]>(checked(operation, schema, filter))) {
    const text = [value ?? []].flat().map(written).join(',');
    if (text !== '') query.set(wireName(key), text);
  }
  return query.toString();
}

const wireName = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function written(item: Item): string {
  return typeof item === 'object' && item !== null ? `${item.from}-${item.to}` : String(item);
}

/**
 * The uid as a segment of a path.
 * @throws PaymentsApiError `rejected` for what is no uid; nothing has been sent then.
 */
export function uidSegment(operation: string, uid: string): string {
  if (isUid(uid)) return encodeURIComponent(uid);
  throw new PaymentsApiError(
    'rejected',
    `${operation}: expected a uid of 1 to 64 of A-Z a-z 0-9 _ ~ . - other than . and ..; met something else`,
  );
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The same for the ids that the provider gives out (docs/provider.md#float-accounts: UUIDs). */
export function uuidSegment(operation: string, id: string): string {
  if (UUID.test(id)) return id;
  throw new PaymentsApiError('rejected', `${operation}: expected a UUID; met something else`);
}
