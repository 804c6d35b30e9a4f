// The request and answer schemas of a client (docs/provider.md#clients), with the provider's field names.
import { z } from 'zod';
import { ResolveAttention } from '../agreement/action.schema.js';
import { answered } from '../provider/answer.schema.js';
import { isAbn, isAcn } from './business-number.js';
import { DateSchema, UidSchema, text } from '../agreement/mandate.schema.js';

const SERVICES = ['payto', 'rtp', 'de'] as const;
export const CLIENT_TYPES = ['business', 'individual'] as const;
export const RISK_LEVELS = ['low', 'medium', 'high'] as const;

/** The provider sets no alphabet and no limit for these texts. Our limits keep requests small. */
const words = (max: number): z.ZodString => z.string().min(1).max(max);

const Abn = z
  .string()
  .refine(isAbn, 'expected an ABN: 11 digits without spaces, with valid check digits')
  .meta({
    description: 'The Australian Business Number (ABN), written as 11 digits.',
    example: '53004085616',
  });
const Acn = z
  .string()
  .refine(isAcn, 'expected an ACN: 9 digits without spaces, with a valid check digit')
  .meta({ description: 'An ACN, 9 digits. Requires `company_incorporation_date`.', example: '004085616' });
const CategoryCode = z
  .string()
  .regex(/^\d{4}$/, 'expected a merchant category code of 4 digits')
  .meta({
    description: 'A 4-digit code from the provider’s list. The provider derives a risk level from it.',
    example: '7997',
  });

const clientId = text(64).meta({ description: 'Names a client by the provider’s id.' });

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
  .meta({ id: 'ContactInformation', description: 'Every field is required with the service `rtp`.' });

const names = {
  legal_name: words(200),
  business_names: z.array(words(200)).min(1).max(50).meta({
    description: 'The names under which the business is registered. An individual gives the legal name.',
  }),
  registered_address: words(500).meta({ example: '1 Martin Place, Sydney NSW 2000' }),
};

const website = z.url({ protocol: /^https?$/, error: 'expected an http or https URL' });
const licence = words(64).optional();

const ofBusiness = 'Allowed only for a business.';

const Particulars = z.strictObject({
  type: z.enum(CLIENT_TYPES).meta({ description: 'An individual cannot initiate agreements.' }),
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
    description: 'The provider’s id of the client above it. Default: the primary client.',
  }),
});

export const CreateClient = Particulars.extend({
  uid: UidSchema.optional().meta({
    description: 'Default: derived from the connection and the Idempotency-Key.',
  }),
  connection: UidSchema.optional().meta({
    description: 'The connection of the client. Optional if there is only one.',
  }),
  services: z.array(z.enum(SERVICES)).max(SERVICES.length).meta({
    description:
      'Must include `payto`: a client without it cannot initiate agreements, and no service can be added later.',
  }),
}).meta({
  id: 'CreateClient',
  description:
    'A business also needs `australian_business_number`, `business_registration_date` and `website_url`. An individual has none of these, no ACN and no licence.',
});

/** The requested client. */
export type ClientOrder = Omit<z.output<typeof CreateClient>, 'uid' | 'connection'>;

const REGISTERED =
  'expected no change: this field is fixed at registration. Ask the provider to change it, or register another client';
const SERVICES_STAY =
  'expected no change of services: the provider’s API cannot add one to an existing client. Ask the provider to configure the service';

/** Listed in the schema, so that the refusal explains more than "unknown field". */
const stays = z.unknown().optional().meta({ description: 'Refused: this field is fixed at registration.' });

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

/** The five fields that the provider lets us change (docs/provider.md#clients). */
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

/** A field that the provider would refuse, and the expected value. */
interface ClientFault {
  pointer: string;
  detail: string;
}

/** Refuses a client without `payto`. The provider would accept it, but the client could never initiate an agreement. */
export const faultsOfOrder = ({ services }: Pick<ClientOrder, 'services'>): ClientFault[] =>
  services.includes('payto')
    ? []
    : [
        {
          pointer: '/services',
          detail:
            'expected payto among them: without it the provider refuses every agreement (ZCLT05), and no service can be added later',
        },
      ];

/** Refuses changes of fields that are fixed at registration (docs/provider.md#clients). */
export const faultsOfChanges = (changes: Update): ClientFault[] =>
  Object.keys(STAYING)
    .filter((field) => Object.hasOwn(changes, field))
    .map((field) => ({ pointer: `/${field}`, detail: field === 'services' ? SERVICES_STAY : REGISTERED }));

export const ResolveClientAttention = ResolveAttention.extend({
  client_id: clientId.optional().meta({
    description: 'With `adopt`: which of the matching clients is ours. Required if there is more than one.',
  }),
}).meta({ id: 'ResolveClientAttention' });

/** A client as the provider may return it. */
export const ClientAnswered = answered(Particulars.omit({ business_names: true }))
  .extend({ business_names: z.array(z.string()).nullish() })
  .meta({ id: 'ClientAnswered' });
export type ClientParticulars = z.output<typeof ClientAnswered>;
