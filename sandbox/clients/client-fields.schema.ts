// What callers may say of a client, field by field (interface 2.8, facts 15).
// The documents give the names but for those of the licence numbers, and no length of any text: these are our reading.
import { z } from 'zod';
import { asciiText, Day } from '../http/wire.schema.js';
import { ClientType, ServiceName } from './client.schema.js';

const digits = (count: number) => z.string().regex(new RegExp(`^\\d{${count}}$`), `must be ${count} digits`);

export const AustralianBusinessNumber = digits(11);
export const MerchantCategoryCode = digits(4);

const licence = asciiText(35).nullish();

/** Said when the client is registered; afterwards only the provider changes them (facts 15). */
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
