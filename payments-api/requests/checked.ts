// Strict checks of bodies, queries and path segments before anything is sent.
import { isUid } from '../../domain/provider/uid.js';
import { PaymentsApiError } from '../errors.js';
import { dateFaults } from './date-rules.js';
import { faultsIn, type Circumstances, type RequestFault } from './fault.js';
import { versionFaults } from './version-rules.js';
import type { ZodType } from 'zod';

type Judged<Body> = { body: Body; faults?: undefined } | { faults: readonly RequestFault[] };

/** The body of a request after validation by schema and version, or all its faults. Pure. */
export function judged<Body>(
  operation: string,
  schema: ZodType<Body>,
  request: object,
  { version, now }: Circumstances,
): Judged<Body> {
  const parsed = schema.safeParse(request);
  const faults = [
    ...versionFaults(operation, request, version),
    ...(parsed.success ? [] : faultsIn(parsed.error)),
    ...dateFaults(operation, request, now()),
  ];
  return parsed.success && faults.length === 0 ? { body: parsed.data } : { faults };
}

/**
 * The body of a request after validation by schema and version.
 * @throws PaymentsApiError `rejected`, naming the invalid fields. Nothing was sent.
 */
export function requestBody<Body>(
  operation: string,
  schema: ZodType<Body>,
  request: object,
  circumstances: Circumstances,
): Body {
  const verdict = judged(operation, schema, request, circumstances);
  if (verdict.faults !== undefined) throw rejected(operation, verdict.faults);
  return verdict.body;
}

/** Version faults are quoted in full, because the caller must change the request. Of other faults only the places are listed. */
function rejected(operation: string, faults: readonly RequestFault[]): PaymentsApiError {
  const ofVersion = faults.filter(({ code }) => code === 'version').map(({ detail }) => detail);
  const places = faults.map(({ path, code }) => `${path.join('.') || 'the whole body'} (${code})`);
  const why =
    ofVersion.length > 0
      ? ofVersion.join('; ')
      : `expected a request as documented; found faults in ${places.join(', ')}`;
  return new PaymentsApiError('rejected', `${operation}: ${why}`);
}

/**
 * The caller's input after validation.
 * @throws PaymentsApiError `rejected`, naming fields but never their values.
 */
function checked<Given>(operation: string, schema: ZodType<Given>, given: object): Given {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw rejected(operation, faultsIn(parsed.error));
}

type Item = string | number | null | { from: number; to: number };
/** A list filter. Keys are camelCase here and snake_case on the wire; lists use commas, ranges a hyphen. */
export type Filter = Readonly<Record<string, string | number | readonly Item[] | undefined>>;

/**
 * The query of a list; empty without a filter.
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
 * The uid as a path segment.
 * @throws PaymentsApiError `rejected` for an invalid uid. Nothing was sent.
 */
export function uidSegment(operation: string, uid: string): string {
  if (isUid(uid)) return encodeURIComponent(uid);
  throw new PaymentsApiError(
    'rejected',
    `${operation}: expected a uid of 1 to 64 of A-Z a-z 0-9 _ ~ . - other than . and ..; received something else`,
  );
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The same for ids that the provider assigns (docs/provider.md#float-accounts: UUIDs). */
export function uuidSegment(operation: string, id: string): string {
  if (UUID.test(id)) return id;
  throw new PaymentsApiError('rejected', `${operation}: expected a UUID; received something else`);
}
