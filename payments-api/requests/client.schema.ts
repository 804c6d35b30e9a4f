// Bodies of client and counterparty requests (docs/provider.md#clients and #counterparties).
import { z } from 'zod';
import { isCategoryCode } from '../../domain/client/category-codes.js';
import { CLIENT_TYPES, RISK_LEVELS } from '../../domain/client/request.schema.js';
import { AccountIdentifier, date, open, uid, word } from './parts.schema.js';

const NAMES = {
  legal_name: open,
  business_names: z.array(open),
  registered_address: open,
};

const Contact = z.strictObject({
  contact_name: open.optional(),
  email: open.optional(),
  phone: z
    .string()
    .regex(/^[\d\s\-+()]+$/, 'expected digits, spaces and + - ( ) only')
    .optional(),
});

/** The fields that only a business has. */
const OF_BUSINESS = {
  australian_business_number: z.string().regex(/^\d{11}$/, 'expected 11 digits'),
  business_registration_date: date,
  website_url: open,
  australian_company_number: z
    .string()
    .regex(/^\d{9}$/, 'expected 9 digits')
    .optional(),
  company_incorporation_date: date.optional(),
  austrac_number: open.optional(),
  australian_credit_licence: open.optional(),
  australian_financial_services_licence: open.optional(),
};
const REQUIRED_OF_BUSINESS = [
  'australian_business_number',
  'business_registration_date',
  'website_url',
] as const;

/** docs/provider.md#clients. `typeFaults` checks the fields of each type. */
export const ClientRequest = z
  .strictObject({
    type: z.enum(CLIENT_TYPES),
    ...NAMES,
    merchant_category_code: z
      .string()
      .refine(isCategoryCode, 'expected a merchant category code that the provider lists, such as 7997'),
    services: z.array(word),
    ...z.object(OF_BUSINESS).partial().shape,
    contact_information: Contact.optional(),
    primary_bank_account_bban: open.optional(),
    risk_level: z.enum(RISK_LEVELS).optional(),
    parent_client_id: word.optional(),
  })
  .superRefine((client, context) => {
    for (const { field, message } of typeFaults(client))
      context.addIssue({ code: 'custom', path: [field], message });
  });
export type ClientRequest = z.output<typeof ClientRequest>;

function typeFaults(client: {
  [field: string]: unknown;
  type: (typeof CLIENT_TYPES)[number];
  services: string[];
}): { field: string; message: string }[] {
  const { type, services, australian_company_number: acn, company_incorporation_date: incorporated } = client;
  const has = (field: string): boolean => client[field] !== undefined;
  const missing = REQUIRED_OF_BUSINESS.filter((field) => type === 'business' && !has(field));
  const extra = Object.keys(OF_BUSINESS).filter((field) => type === 'individual' && has(field));
  const contact = z.object({ contact_name: open, email: open, phone: open });
  const isReachable = contact.safeParse(client['contact_information']).success;
  return [
    ...missing.map((field) => ({ field, message: 'expected a value, because the client is a business' })),
    ...extra.map((field) => ({ field, message: 'expected no value, because the client is an individual' })),
    ...(acn !== undefined && incorporated === undefined
      ? [
          {
            field: 'company_incorporation_date',
            message: 'expected a date, because there is an australian_company_number',
          },
        ]
      : []),
    ...(services.includes('rtp') && !isReachable
      ? [
          {
            field: 'contact_information',
            message: 'expected a contact_name, email and phone, because the services include rtp',
          },
        ]
      : []),
  ];
}

/** The five fields that can change (docs/provider.md#clients). */
export const ClientChanges = z
  .strictObject({ ...NAMES, website_url: open, contact_information: Contact })
  .partial();
export type ClientChanges = z.output<typeof ClientChanges>;

/** The verification of an identity. The only published method is `third_party_provider`. */
const Verification = z.strictObject({
  method: word,
  provider_name: open.optional(),
  reference: open.optional(),
  verified_at: z.iso.datetime({ offset: true }).optional(),
});

/**
 * The body that creates a counterparty. The provider publishes its content (docs/provider.md#counterparties), but not all field
 * names. The names for verifications and accounts are inferred (docs/provider.md#identification), only here.
 */
export const CounterpartyRequest = z.strictObject({
  identity: z.strictObject({ legal_name: open, verification: Verification.optional() }).optional(),
  payment_accounts: z
    .array(
      z.strictObject({
        uid: uid.optional(),
        account_identifier: AccountIdentifier,
        verification: Verification.optional(),
      }),
    )
    .min(1),
});
export type CounterpartyRequest = z.output<typeof CounterpartyRequest>;
