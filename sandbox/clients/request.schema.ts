// The bodies of POST /clients and PATCH /clients/{id}, by version (docs/provider.md#clients, #versions).
import { z } from 'zod';
import { isAtLeast, type ApiVersion } from '../http/request.js';
import { Day } from '../http/wire.schema.js';
import { ServiceName, RiskLevel, type ClientType } from '../store/client.schema.js';
import { MerchantCategoryCode } from './merchant-categories.js';

const digits = (count: number) => z.string().regex(new RegExp(`^\\d{${count}}$`), `must be ${count} digits`);
const text = z.string().min(1, 'must be filled');

export const AustralianBusinessNumber = digits(11);

const ContactInformation = z.strictObject({
  contact_name: text.optional(),
  email: text.optional(),
  phone: z
    .string()
    .regex(/^[\d\s\-+()]+$/, 'must be a phone number')
    .optional(),
});

const everyone = {
  legal_name: text,
  /** For an individual this is the legal name. */
  business_names: z.array(text),
  merchant_category_code: MerchantCategoryCode,
  registered_address: text,
  contact_information: ContactInformation.optional(),
  primary_bank_account_bban: text.optional(),
};
const individual = {
  ...everyone,
  type: z.literal('individual'),
  services: z.array(ServiceName.exclude(['rtp'], 'must be payto or de for an individual')),
};
const business = {
  ...everyone,
  type: z.literal('business'),
  services: z.array(ServiceName),
  australian_business_number: AustralianBusinessNumber,
  business_registration_date: Day,
  website_url: text,
  australian_company_number: digits(9).optional(),
  company_incorporation_date: Day.optional(),
  australian_credit_licence: text.optional(),
  australian_financial_services_licence: text.optional(),
  austrac_number: text.optional(),
};

/** The documents mention `relationship` only as removed in 20260901. Earlier versions accept it and never return it. */
const legacy = { risk_level: RiskLevel, relationship: z.unknown().optional() };
const LegacyCreate = z
  .discriminatedUnion('type', [
    z.strictObject({ ...business, ...legacy }),
    z.strictObject({ ...individual, ...legacy }),
  ])
  .superRefine(checkTogether);

const current = { parent_client_id: z.string().min(1).max(64).nullish() };
const CurrentCreate = z
  .discriminatedUnion('type', [
    z.strictObject({ ...business, ...current }),
    z.strictObject({ ...individual, ...current }),
  ])
  .superRefine(checkTogether);

interface Together {
  services: readonly ServiceName[];
  contact_information?: z.output<typeof ContactInformation> | undefined;
  australian_company_number?: string | undefined;
  company_incorporation_date?: string | undefined;
}

/** Documented: Request to Pay requires all contact details, and a company number requires its incorporation date. */
function checkTogether(client: Together, context: z.RefinementCtx): void {
  const missing = (path: string[]): void => {
    context.addIssue({ code: 'custom', path, message: 'is missing' });
  };
  if (client.australian_company_number !== undefined && client.company_incorporation_date === undefined) {
    missing(['company_incorporation_date']);
  }
  if (!client.services.includes('rtp')) return;
  for (const field of ['contact_name', 'email', 'phone'] as const) {
    if (client.contact_information?.[field] === undefined) missing(['contact_information', field]);
  }
}

/** The fields that callers can change, in every version. */
export const UpdateClient = z
  .strictObject({
    business_names: everyone.business_names,
    contact_information: ContactInformation,
    legal_name: text,
    registered_address: text,
    website_url: text,
  })
  .partial();
export type UpdateClient = z.output<typeof UpdateClient>;

/** A create request in either version. Fields that a version or a type lacks are absent. */
export type CreateClient = Together & {
  type: z.output<typeof ClientType>;
  legal_name: string;
  business_names: string[];
  merchant_category_code: string;
  parent_client_id?: string | null | undefined;
  risk_level?: RiskLevel | undefined;
};

export function createClientSchema(version: ApiVersion): z.ZodType<CreateClient> {
  return isAtLeast(version, '20260901') ? CurrentCreate : LegacyCreate;
}
