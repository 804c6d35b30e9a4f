// What we send about clients and counterparties (docs/provider.md#clients and #counterparties). No rule for their texts is documented.
import { z } from 'zod';
import { AccountIdentifier, open, uid, word } from './parts.schema.js';

/** Fields that stay as they were when the client was made (docs/provider.md#clients). */
const FIXED = {
  australian_business_number: open.nullish(),
  australian_company_number: open.nullish(),
  merchant_category_code: open.nullish(),
};

const CHANGEABLE = {
  type: word.nullish(),
  legal_name: open.nullish(),
  business_names: z.array(open).nullish(),
  company_incorporation_date: open.nullish(),
  business_registration_date: open.nullish(),
  registered_address: z.json().optional(),
  website_url: open.nullish(),
  contact_information: z
    .strictObject({ contact_name: open.nullish(), email: open.nullish(), phone: open.nullish() })
    .nullish(),
  primary_bank_account_bban: open.nullish(),
  services: z.array(word).optional(),
  parent_client_id: word.nullish(),
  risk_level: word.nullish(),
  relationship: z.json().optional(),
};

/** Licence numbers are documented, the names of their fields are not: any field with `licence` in its name is one. */
interface Licences {
  [field: `${string}licence${string}`]: string | null | undefined;
}
const LICENCE = /licence/;

function closed<Shape extends z.ZodRawShape>(shape: Shape): z.ZodType<z.output<z.ZodObject<Shape>>> {
  return z
    .object(shape)
    .catchall(open.nullish())
    .check(({ value, issues }) => {
      const keys = Object.keys(value).filter((key) => !Object.hasOwn(shape, key) && !LICENCE.test(key));
      if (keys.length > 0) issues.push({ code: 'unrecognized_keys', keys, input: value });
    });
}

export const ClientRequest = closed({ ...FIXED, ...CHANGEABLE });
export type ClientRequest = z.output<typeof ClientRequest> & Licences;

export const ClientChanges = closed(CHANGEABLE);
export type ClientChanges = z.output<typeof ClientChanges> & Licences;

/** How an identity was verified; of the methods only `third_party_provider` is published. */
const Verification = z.strictObject({
  method: word,
  provider_name: open.optional(),
  reference: open.optional(),
  verified_at: z.iso.datetime({ offset: true }).optional(),
});

/**
 * The body that creates a counterparty. The provider publishes what it consists of (docs/provider.md#counterparties), not the names of all its
 * fields: those of the verifications and of the accounts are inferred (docs/provider.md#identification), here alone.
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
