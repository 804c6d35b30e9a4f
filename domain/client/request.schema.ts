// What callers may say of a client (docs/provider.md#clients), in the provider's own field names.
import { z } from 'zod';
import { ResolveAttention } from '../agreement/action.schema.js';
import { answered } from '../provider/answer.schema.js';
import { isAbn, isAcn } from './business-number.js';
import { DateSchema, UidSchema, text } from '../agreement/mandate.schema.js';

const SERVICES = ['payto', 'rtp', 'de'] as const;

const Abn = z
  .string()
  .refine(isAbn, 'expected an ABN: 11 digits without spaces, whose check digits are right')
  .meta({ description: 'An ABN, 11 digits.', example: '53004085616' });
const Acn = z
  .string()
  .refine(isAcn, 'expected an ACN: 9 digits without spaces, whose check digit is right')
  .meta({ description: 'An ACN, 9 digits.', example: '004085616' });
const CategoryCode = z
  .string()
  .regex(/^\d{4}$/, 'expected a merchant category code of 4 digits')
  .meta({ description: 'Four digits, from which the provider derives a risk.', example: '7997' });

const clientId = text(64).meta({ description: 'The provider’s own id of a client.' });

const ContactInformation = z
  .strictObject({
    contact_name: text(140).optional(),
    email: z.email('expected an e-mail address').optional(),
    phone: text(30).optional(),
  })
  .meta({ id: 'ContactInformation' });

const changeable = {
  type: z.enum(['business', 'individual']).optional(),
  business_names: z.array(text(140)).max(50).optional(),
  company_incorporation_date: DateSchema.optional(),
  business_registration_date: DateSchema.optional(),
  website_url: z.url({ protocol: /^https?$/, error: 'expected an http or https URL' }).optional(),
  contact_information: ContactInformation.optional(),
  primary_bank_account_bban: z
    .string()
    .regex(/^\d{6}-[ -~]{1,28}$/, 'expected a branch code, a hyphen and an account number')
    .optional(),
};

const fixed = {
  australian_business_number: Abn.optional(),
  australian_company_number: Acn.optional(),
  merchant_category_code: CategoryCode,
  parent_client_id: clientId.optional().meta({
    description: 'The provider’s id of the client above it; left out, it stands beneath the primary client.',
  }),
};

const Services = z.array(z.enum(SERVICES)).max(SERVICES.length);

const Particulars = z.strictObject({ legal_name: text(140), ...fixed, ...changeable });

export const CreateClient = Particulars.extend({
  uid: UidSchema.optional().meta({
    description: 'Left out, it is derived from the connection and the Idempotency-Key.',
  }),
  connection: UidSchema.optional().meta({
    description: 'The connection it is on; may be left out where there is only one.',
  }),
  services: Services.meta({
    description: 'With `payto` among them: a client without it initiates no agreement.',
  }),
}).meta({ id: 'CreateClient' });

/** What a client is asked to be. */
export type ClientOrder = Omit<z.output<typeof CreateClient>, 'uid' | 'connection'>;

/** Named in the document, so that its refusal says more than that no such field is known. */
const stays = z.string().optional().meta({ description: 'Refused: it stays as the client was registered.' });

const STAYING = {
  australian_business_number: stays,
  australian_company_number: stays,
  merchant_category_code: stays,
  parent_client_id: stays,
};

export const UpdateClient = z
  .strictObject({
    legal_name: text(140).optional(),
    ...changeable,
    services: Services.optional().meta({ description: 'Added to those it has; none is taken away.' }),
    ...STAYING,
  })
  .refine((changes) => Object.keys(changes).length > 0, 'expected at least one change')
  .meta({ id: 'UpdateClient' });
type Update = z.output<typeof UpdateClient>;
export type ClientChanges = Omit<Update, keyof typeof STAYING>;

/** A field that the provider would not take, and what was expected instead. */
interface ClientFault {
  field: string;
  detail: string;
}

/** What would make a client that initiates no agreement. */
export function faultsOfOrder(order: ClientOrder): ClientFault[] {
  const { services, australian_business_number: abn, australian_company_number: acn } = order;
  const isServed = services.includes('payto');
  const isNumbered = abn !== undefined || acn !== undefined;
  return [
    ...(isServed
      ? []
      : [
          {
            field: 'services',
            detail: 'expected payto among them: without it every agreement is refused (ZCLT05)',
          },
        ]),
    ...(isNumbered
      ? []
      : [
          {
            field: 'australian_business_number',
            detail:
              'expected an ABN, or an australian_company_number: without either every agreement is refused (ZPAGR01)',
          },
        ]),
  ];
}

/** What stays as the client was registered (docs/provider.md#clients). */
export const faultsOfChanges = (changes: Update): ClientFault[] =>
  Object.keys(STAYING).flatMap((field) =>
    Object.hasOwn(changes, field)
      ? [
          {
            field,
            detail:
              'expected no change of it: it stays as the client was registered; register another client',
          },
        ]
      : [],
  );

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
