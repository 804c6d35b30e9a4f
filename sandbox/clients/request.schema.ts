// The bodies of POST /clients and PATCH /clients/{id}, in each version of the API (docs/provider.md#versions, #differences).
import { z } from 'zod';
import { isAtLeast, type ApiVersion } from '../http/request.js';
import { asciiText, Day } from '../http/wire.schema.js';
import { ClientType, ServiceName, RiskLevel } from '../store/client.schema.js';

// What callers may say of a client, field by field (docs/provider.md#clients).
// The documents give the names but for those of the licence numbers, and no length of any text: these are our reading.
const digits = (count: number) => z.string().regex(new RegExp(`^\\d{${count}}$`), `must be ${count} digits`);

export const AustralianBusinessNumber = digits(11);
export const MerchantCategoryCode = digits(4);

const licence = asciiText(35).nullish();

/** Said when the client is registered; afterwards only the provider changes them (docs/provider.md#clients). */
export const FIXED_FIELDS = {
  australian_business_number: AustralianBusinessNumber.nullish(),
  australian_company_number: digits(9).nullish(),
  merchant_category_code: MerchantCategoryCode,
};

export const CHANGEABLE_FIELDS = {
  type: ClientType.optional(),
  legal_name: asciiText(140),
  business_names: z.array(asciiText(140)).max(50).nullish(),
  company_incorporation_date: Day.nullish(),
  business_registration_date: Day.nullish(),
  registered_address: asciiText(280).nullish(),
  website_url: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).nullish(),
  contact_information: z
    .strictObject({
      contact_name: asciiText(140).nullish(),
      email: z.email('must be an e-mail address').nullish(),
      phone: z
        .string()
        .regex(/^[\d\s()+-]{3,30}$/, 'must be a phone number')
        .nullish(),
    })
    .nullish(),
  primary_bank_account_bban: z
    .string()
    .regex(/^\d{6}-[ -~]{1,28}$/, 'must be a branch code, a hyphen and an account number')
    .nullish(),
  australian_credit_licence: licence,
  australian_financial_services_licence: licence,
  austrac_number: licence,
  services: z.array(ServiceName).optional(),
};

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
/** Documented, but for the last: no document describes a client that moves in the hierarchy. */
const UNCHANGEABLE = {
  australian_business_number: fixed,
  australian_company_number: fixed,
  merchant_category_code: fixed,
  parent_client_id: fixed,
};
const CurrentUpdate = z.strictObject(CHANGEABLE_FIELDS).partial().extend(UNCHANGEABLE);
const LegacyUpdate = CurrentUpdate.extend({ ...LEGACY_FIELDS, risk_level: RiskLevel.optional() });

/** As either version has it; what a version does not know is absent. */
export type CreateClient = z.output<typeof CurrentCreate> & { risk_level?: RiskLevel | undefined };
export type UpdateClient = z.output<typeof CurrentUpdate> & { risk_level?: RiskLevel | undefined };

export function createClientSchema(version: ApiVersion): z.ZodType<CreateClient> {
  return isAtLeast(version, '20260901') ? CurrentCreate : LegacyCreate;
}

export function updateClientSchema(version: ApiVersion): z.ZodType<UpdateClient> {
  return isAtLeast(version, '20260901') ? CurrentUpdate : LegacyUpdate;
}
