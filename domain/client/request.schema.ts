// What callers may say of a client (docs/provider.md#clients), in the provider's own field names.
import { z } from 'zod';
import { ResolveAttention } from '../agreement/action.schema.js';
import { answered } from '../provider/answer.schema.js';
import { isAbn, isAcn } from './business-number.js';
import { DateSchema, UidSchema, text } from '../agreement/mandate.schema.js';

const SERVICES = ['payto', 'rtp', 'de'] as const;
export const CLIENT_TYPES = ['business', 'individual'] as const;
export const RISK_LEVELS = ['low', 'medium', 'high'] as const;

/** The provider sets no alphabet and no limit for these texts; ours keep a request small. */
const words = (max: number): z.ZodString => z.string().min(1).max(max);

const Abn = z
  .string()
  .refine(isAbn, 'expected an ABN: 11 digits without spaces, whose check digits are right')
  .meta({ description: 'An ABN, 11 digits.', example: '53004085616' });
const Acn = z
  .string()
  .refine(isAcn, 'expected an ACN: 9 digits without spaces, whose check digit is right')
  .meta({ description: 'An ACN, 9 digits. Needs `company_incorporation_date`.', example: '004085616' });
const CategoryCode = z
  .string()
  .regex(/^\d{4}$/, 'expected a merchant category code of 4 digits')
  .meta({
    description: 'Four digits of the provider’s list, from which it derives a risk.',
    example: '7997',
  });

const clientId = text(64).meta({ description: 'The provider’s own id of a client.' });

const ContactInformation = z
  .strictObject({
    contact_name: words(140).optional(),
    email: z.email('expected an e-mail address').optional(),
    phone: z
      .string()
      .max(40)
      .regex(/^[\d\s\-+()]+$/, 'expected digits, spaces and + - ( ) only')
      .optional(),
  })
  .meta({ id: 'ContactInformation', description: 'Needed, all of it, with the service `rtp`.' });

const names = {
  legal_name: words(200),
  business_names: z
    .array(words(200))
    .min(1)
    .max(50)
    .meta({ description: 'Registered business names. For an individual, the legal name.' }),
  registered_address: words(500).meta({ example: '1 Martin Place, Sydney NSW 2000' }),
};

const website = z.url({ protocol: /^https?$/, error: 'expected an http or https URL' });
const licence = words(64).optional();

const ofBusiness = 'Of a business only.';

const Particulars = z.strictObject({
  type: z.enum(CLIENT_TYPES),
  ...names,
  merchant_category_code: CategoryCode,
  australian_business_number: Abn.optional(),
  australian_company_number: Acn.optional(),
  company_incorporation_date: DateSchema.optional(),
  business_registration_date: DateSchema.optional(),
  website_url: website.optional(),
  contact_information: ContactInformation.optional(),
  primary_bank_account_bban: z
    .string()
    .regex(/^\d{6}-[ -~]{1,28}$/, 'expected a branch code, a hyphen and an account number')
    .optional(),
  austrac_number: licence.meta({ description: ofBusiness }),
  australian_credit_licence: licence.meta({ description: ofBusiness }),
  australian_financial_services_licence: licence.meta({ description: ofBusiness }),
  risk_level: z.enum(RISK_LEVELS).optional().meta({
    description: 'Required before version 20260901 of the payments API, and refused from it on.',
  }),
  parent_client_id: clientId.optional().meta({
    description: 'The provider’s id of the client above it; left out, it stands beneath the primary client.',
  }),
});

export const CreateClient = Particulars.extend({
  uid: UidSchema.optional().meta({
    description: 'Left out, it is derived from the connection and the Idempotency-Key.',
  }),
  connection: UidSchema.optional().meta({
    description: 'The connection it is on; may be left out where there is only one.',
  }),
  services: z.array(z.enum(SERVICES)).max(SERVICES.length).meta({
    description:
      'With `payto` among them: a client without it initiates no agreement, and no service can be added later.',
  }),
}).meta({
  id: 'CreateClient',
  description:
    'A business also needs `australian_business_number`, `business_registration_date` and `website_url`; an individual has none of these, and neither an ACN nor a licence.',
});

/** What a client is asked to be. */
export type ClientOrder = Omit<z.output<typeof CreateClient>, 'uid' | 'connection'>;

const REGISTERED =
  'expected no change of it: it stays as the client was registered; ask the provider to change it, or register another client';
const SERVICES_STAY =
  'expected no change of services: the provider’s API adds none to a client that exists; ask the provider to configure the service';

/** Named in the document, so that its refusal says more than that no such field is known. */
const stays = z.unknown().optional().meta({ description: 'Refused: it stays as the client was registered.' });

const STAYING = {
  type: stays,
  merchant_category_code: stays,
  australian_business_number: stays,
  australian_company_number: stays,
  company_incorporation_date: stays,
  business_registration_date: stays,
  primary_bank_account_bban: stays,
  austrac_number: stays,
  australian_credit_licence: stays,
  australian_financial_services_licence: stays,
  risk_level: stays,
  parent_client_id: stays,
  services: stays,
};

/** The five fields that the provider takes (docs/provider.md#clients). */
export const UpdateClient = z
  .strictObject({
    legal_name: names.legal_name.optional(),
    business_names: names.business_names.optional(),
    registered_address: names.registered_address.optional(),
    website_url: website.optional(),
    contact_information: ContactInformation.optional(),
    ...STAYING,
  })
  .refine((changes) => Object.keys(changes).length > 0, 'expected at least one change')
  .meta({ id: 'UpdateClient' });
type Update = z.output<typeof UpdateClient>;
export type ClientChanges = Omit<Update, keyof typeof STAYING>;

/** A field that the provider would not take, and what was expected instead. */
interface ClientFault {
  pointer: string;
  detail: string;
}

/** What the provider takes, though it makes a client that initiates no agreement: no service can be added later. */
export const faultsOfOrder = ({ services }: Pick<ClientOrder, 'services'>): ClientFault[] =>
  services.includes('payto')
    ? []
    : [
        {
          pointer: '/services',
          detail:
            'expected payto among them: without it every agreement is refused (ZCLT05), and no service can be added later',
        },
      ];

/** What stays as the client was registered (docs/provider.md#clients). */
export const faultsOfChanges = (changes: Update): ClientFault[] =>
  Object.keys(STAYING)
    .filter((field) => Object.hasOwn(changes, field))
    .map((field) => ({ pointer: `/${field}`, detail: field === 'services' ? SERVICES_STAY : REGISTERED }));

export const ResolveClientAttention = ResolveAttention.extend({
  client_id: clientId.optional().meta({
    description: 'With `adopt`, which client of those that fit is ours; needed where there is more than one.',
  }),
}).meta({ id: 'ResolveClientAttention' });

/** A client as the provider may answer it. */
export const ClientAnswered = answered(Particulars.omit({ business_names: true }))
  .extend({ business_names: z.array(z.string()).nullish() })
  .meta({ id: 'ClientAnswered' });
export type ClientParticulars = z.output<typeof ClientAnswered>;
