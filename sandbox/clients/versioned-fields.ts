// The fields of a client that not every version has (interface 9): where a version lacks one, the refusal says so.
import { refuse } from '../http/refusal.js';
import { isAtLeast, type ApiVersion } from '../http/version.js';

const CHANGED_IN = '20260901';

interface VersionedField {
  field: string;
  isKnownFrom: boolean;
  note: string;
}

const VERSIONED_FIELDS: readonly VersionedField[] = [
  { field: 'parent_client_id', isKnownFrom: true, note: `came with version ${CHANGED_IN}` },
  {
    field: 'risk_level',
    isKnownFrom: false,
    note: `was removed with version ${CHANGED_IN}, the risk is derived from merchant_category_code`,
  },
  {
    field: 'relationship',
    isKnownFrom: false,
    note: `was removed with version ${CHANGED_IN}, parent_client_id says where a client stands`,
  },
];

/** Refuses with 400, as any unknown field is, and says of each which version has it. */
export function refuseFieldsOfOtherVersions(body: unknown, version: ApiVersion): void {
  const isNew = isAtLeast(version, CHANGED_IN);
  const wrong = VERSIONED_FIELDS.filter(
    ({ field, isKnownFrom }) => isKnownFrom !== isNew && holds(body, field),
  );
  if (wrong.length === 0) return;
  const details = wrong.map(({ field, note }) => `${field} (on version ${version}: it ${note})`);
  throw refuse(400, 'Validation Failed', `Unknown field: ${details.join(', ')}`);
}

const holds = (body: unknown, field: string): boolean =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, field);
