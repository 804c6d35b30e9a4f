// The bodies of POST /clients and PATCH /clients/{id}, in each version of the API (interface 9, facts 17).
import { z } from 'zod';
import { isAtLeast, type ApiVersion } from '../http/version.js';
import { CHANGEABLE_FIELDS, FIXED_FIELDS } from './client-fields.schema.js';
import { RiskLevel } from './client.schema.js';

/** What a relationship is, no document says: whatever it is, it is taken, and comes back in no answer. */
const LEGACY_FIELDS = { relationship: z.unknown().optional() };

/** The risk is documented as required on 20260101; that the version before asks for it too is our reading. */
const LegacyCreate = z.strictObject({
  ...FIXED_FIELDS,
  ...CHANGEABLE_FIELDS,
  ...LEGACY_FIELDS,
  risk_level: RiskLevel,
});
const CurrentCreate = z.strictObject({
  ...FIXED_FIELDS,
  ...CHANGEABLE_FIELDS,
  parent_client_id: z.string().min(1).max(64).nullish(),
});

const fixed = z.never('cannot be updated').optional();
/** Documented, but for the last: no document tells of a client that moves in the hierarchy. */
const UNCHANGEABLE = {
  australian_business_number: fixed,
  australian_company_number: fixed,
  merchant_category_code: fixed,
  parent_client_id: fixed,
};
const CurrentUpdate = z.strictObject(CHANGEABLE_FIELDS).partial().extend(UNCHANGEABLE);
const LegacyUpdate = CurrentUpdate.extend({ ...LEGACY_FIELDS, risk_level: RiskLevel.optional() });

/** In either version's words; what a version does not know is absent. */
export type CreateClient = z.output<typeof CurrentCreate> & { risk_level?: RiskLevel | undefined };
export type UpdateClient = z.output<typeof CurrentUpdate> & { risk_level?: RiskLevel | undefined };

export function createClientSchema(version: ApiVersion): z.ZodType<CreateClient> {
  return isAtLeast(version, '20260901') ? CurrentCreate : LegacyCreate;
}

export function updateClientSchema(version: ApiVersion): z.ZodType<UpdateClient> {
  return isAtLeast(version, '20260901') ? CurrentUpdate : LegacyUpdate;
}
