import { z } from 'zod';

const text = z.string();
const uuid = z.uuid();
const cents = z.int();
const day = z.iso.date();
export const instant = z.iso.datetime({ offset: true });
const utc = z.iso.datetime();
const url = z.url({ protocol: /^https?$/ });
export const accountIdentifier = z.strictObject({ type: text, value: text });

const nextPage = text.regex(/^\/[\w/]+\?.*starting_after=/).optional();

export const one = <Shape extends z.ZodType>(shape: Shape) => z.strictObject({ data: shape });
export const pageOf = <Shape extends z.ZodType>(shape: Shape) =>
  z.strictObject({ data: z.array(shape), links: z.strictObject({ next: nextPage }) });
export const coreListOf = <Shape extends z.ZodType>(shape: Shape) => z.strictObject({ data: z.array(shape) });
export const NO_BODY = z.undefined();

const party = z.strictObject({
  party_name: text,
  ultimate_party_name: text.nullable(),
  account_identifier: accountIdentifier,
  payment_account_uid: text.optional(),
});

const terms = z.strictObject({
  type: text,
  frequency: text,
  count: z.int().nullable(),
  max_amount: cents.nullable(),
  amount: cents.nullable(),
  first_payment_amount: cents.nullable(),
  last_payment_amount: cents.nullable(),
  first_payment_date: day.nullable(),
  last_payment_date: day.nullable(),
});

const metadata = z.record(text, z.union([text, z.number(), z.boolean(), z.null()]));
const failure = z.strictObject({ code: text, title: text, detail: text });

export const agreement = z.strictObject({
  uid: text,
  state: z.enum(['pending', 'created', 'active', 'suspended', 'declined', 'expired', 'cancelled', 'failed']),
  state_reason: text.nullable(),
  state_caused_by: text,
  mms_agreement_id: text.regex(/^[\da-f]{32}$/).nullable(),
  created_at: instant,
  purpose: text,
  description: text,
  resolution_requested_before: utc.nullable(),
  cancel_if_unresolved: z.boolean().nullable(),
  validity_start_date: day.nullable(),
  validity_end_date: day.nullable(),
  payment_terms: terms,
  debtor: party,
  creditor: party.nullable(),
  initiator: z.strictObject({
    name: text,
    legal_name: text,
    abn: text.nullable(),
    acn: text.nullable(),
    client_id: text.nullable(),
  }),
  metadata: metadata.optional(),
  links: z.strictObject({ self: url }),
});
export const createdAgreement = agreement.extend({ id: text });
export const identifiedAgreement = agreement.extend({ debtor: party.required() });

export const payment = z.strictObject({
  uid: text,
  agreement_uid: text,
  state: z.enum(['created', 'submitting', 'pending', 'under_investigation', 'settled', 'failed']),
  amount: cents,
  last_payment: z.boolean().nullable(),
  priority: text,
  reference: text.nullable(),
  description: text.nullable(),
  creditor: z.strictObject({ name: text, account_identifier: accountIdentifier }),
  creditor_reference: text.nullable(),
  debtor: party.omit({ payment_account_uid: true }),
  failure: failure.extend({ retryable: z.boolean() }).nullable(),
  created_at: instant,
  source_payto_refund_uid: text.nullable(),
  metadata: metadata.optional(),
  links: z.strictObject({ self: url, agreement: url, source_refund: url.nullable() }),
});

export const refund = z.object({
  uid: text,
  original_payment_uid: text,
  state: z.enum(['created', 'processing', 'processed', 'failed']),
  refund_payment: z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('float_bank_payment'),
      float_bank_account_id: uuid,
      amount: cents,
      description: text,
    }),
    z.strictObject({
      type: z.literal('pay_to_payment'),
      agreement_uid: text,
      uid: text,
      amount: cents,
      description: text,
    }),
  ]),
  failure: failure.nullable(),
  created_at: instant,
  metadata: metadata.optional(),
  links: z.record(text, url),
});

export const amendment = z.strictObject({
  agreement_uid: text,
  changes: z.strictObject({
    description: text.optional(),
    validity_end_date: day.nullish(),
    payment_terms: terms.partial().optional(),
    creditor: party.partial().nullish(),
    initiator: z.looseObject({}).optional(),
    debtor: z.looseObject({}).optional(),
  }),
  resolution_requested_before: utc,
  state: z.enum(['pending', 'created', 'applied', 'declined', 'expired', 'failed', 'recalled']),
  actor: z.enum(['debtor', 'initiator']),
  failure: failure.nullable(),
  created_at: instant,
  links: z.strictObject({ agreement: url }),
});

const service = z.enum(['pending', 'active', 'suspended', 'off_boarded']).nullable();

export const activePayTo = z.strictObject({ payto: z.literal('active'), rtp: service, de: service });
export const client = z
  .object({
    id: text,
    parent_client_id: text.nullable(),
    type: z.enum(['business', 'individual']),
    legal_name: text,
    business_names: z.array(text),
    australian_business_number: text.nullable(),
    australian_company_number: text.nullable(),
    company_incorporation_date: day.nullable(),
    business_registration_date: day.nullable(),
    registered_address: text.nullable(),
    website_url: text.nullable(),
    merchant_category_code: text,
    contact_information: z
      .strictObject({ contact_name: text.nullable(), email: text.nullable(), phone: text.nullable() })
      .nullable(),
    primary_bank_account_bban: text.nullable(),
    services: z.strictObject({ payto: service, rtp: service, de: service }),
    risk_level: z.never().optional(),
    relationship: z.never().optional(),
  })
  .catchall(text.nullable());

export const counterparty = z.looseObject({
  identity: z.looseObject({ legal_name: text }).nullable(),
  payment_accounts: z.array(z.looseObject({ uid: text })).min(1),
});

export const aliasResolution = z.strictObject({ display_name: text });
export const accountValidation = z.strictObject({
  uid: text,
  outcome: z.strictObject({
    result: z.enum(['match', 'close_match', 'no_match', 'account_closed']),
    match_name: text.optional(),
    message: text.optional(),
  }),
  insights: z
    .strictObject({
      risk_score: z.number().optional(),
      is_joint: z.boolean(),
      suggested_payment_channels: z.array(text),
    })
    .optional(),
});

export const floatAccount = z.strictObject({
  id: uuid,
  account_type: text,
  branch_code: text,
  bank_name: text,
  account_number: text,
  status: text,
  title: text,
  available_balance: cents,
  payid_configs: z.array(
    z.strictObject({
      email_domain: text,
      pooling_state: text,
      max_pool_size: z.int(),
      current_pool_size: z.int(),
    }),
  ),
});
export const floatEntry = z.strictObject({
  id: uuid,
  created_at: utc,
  description: text,
  amount: cents,
  available_balance_after: cents,
  links: z.strictObject({ self: url }),
});

export const webhook = z.strictObject({ id: text, url, signature_secret: text, events: z.array(text) });
export const delivery = z.strictObject({
  id: text,
  event_type: text,
  state: z.enum(['pending', 'completed', 'retrying', 'failed']),
  response_status_code: z.int().nullable(),
  created_at: text.regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/),
  payload_data_summary: z.array(z.strictObject({ ref: text })),
});
export const wholeDelivery = delivery.extend({ webhook_id: text, payload: z.looseObject({}) });
export const redelivery = z.strictObject({ id: text, webhook_id: text, state: z.literal('pending') });

export const anything = z.looseObject({});

export const errors = z.union([
  z.strictObject({
    errors: z
      .array(
        z.strictObject({
          code: text.optional(),
          title: text.min(1),
          detail: text.min(1),
          links: z.strictObject({ about: url }).optional(),
          meta: z.strictObject({ resource_ref: text.optional(), resource_uid: text.optional() }).optional(),
          retryable: z.boolean().optional(),
        }),
      )
      .min(1),
    data: z.strictObject({ uid: text }).optional(),
  }),
  z.strictObject({ errors: text.min(1) }),
]);

const investigationEvent = z.looseObject({ id: z.uuid(), attributes: z.looseObject({ at: instant }) });
export const dispute = z.looseObject({
  id: z.uuid(),
  attributes: z.strictObject({
    raised_at: instant,
    state: z.enum(['open', 'awaiting_merchant', 'closed']),
  }),
  relationships: z.looseObject({ events: z.looseObject({ data: z.array(investigationEvent) }) }),
});
export const upload = z.looseObject({ id: z.uuid(), type: z.literal('uploads') });
export const reportLink = z.looseObject({
  attributes: z.looseObject({ download_link: z.strictObject({ url: z.url(), expires_at: instant }) }),
});
