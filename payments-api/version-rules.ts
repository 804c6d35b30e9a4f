// What a version of the provider's API no longer takes (interface 7, 9), so that we refuse it before it is sent.
// A rule is a row: nothing else changes when the provider removes another field.
import { PaymentsApiError } from './errors.js';
import { isObject } from './json.js';

interface Rule {
  operation: string;
  /** Where the field stands in the request, as in `initiator.abn`. */
  field: string;
  /** The first version, 8 digits, that rejects it. */
  removedIn: string;
  useInstead: string;
}

const RULES: readonly Rule[] = ['abn', 'acn', 'legal_name'].map((name) => ({
  operation: 'createAgreement',
  field: `initiator.${name}`,
  removedIn: '20260901',
  useInstead: 'initiator.client_id (and initiator.name, as registered on that client)',
}));

/**
 * Refuses a request that this version of the provider's API would reject.
 * @throws PaymentsApiError `rejected`, naming the field, the version and what to use; nothing has been sent.
 */
export function refuseRemovedFields(operation: string, request: object, version: string): void {
  const broken = RULES.find(
    (rule) => rule.operation === operation && version >= rule.removedIn && holds(request, rule.field),
  );
  if (broken === undefined) return;
  throw new PaymentsApiError(
    'rejected',
    `${operation}: expected no ${broken.field} on version ${version}; met one; use ${broken.useInstead} instead`,
  );
}

function holds(request: unknown, field: string): boolean {
  let value = request;
  for (const key of field.split('.'))
    value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value !== undefined;
}
