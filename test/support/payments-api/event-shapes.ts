import { z } from 'zod';
import { accountIdentifier, instant } from './resource-shapes.js';
import type { PayToEventType } from '../../../tools/conform/events.js';

const text = z.string();
const uuid = z.uuid();

const reason = z.strictObject({ code: text, title: text, detail: text, narrative: text.nullish() });
const failure = z.strictObject({ code: text, title: text, detail: text });
const mms_agreement_id = text.nullish();
const caused_by = text.optional();

const bodyOf = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape).partial().nullable();
const none = z.null();
const failed = bodyOf({ failure });
const caused = bodyOf({ caused_by, reason });

export const BODIES = {
  'payto_agreement.activated': bodyOf({ mms_agreement_id }),
  'payto_agreement.declined': bodyOf({ mms_agreement_id, caused_by, reason }),
  'payto_agreement.expired': bodyOf({ mms_agreement_id }),
  'payto_agreement.failed': bodyOf({ reason, failure }),
  'payto_agreement.cancelled': caused,
  'payto_agreement.suspended': caused,
  'payto_agreement.reactivated': bodyOf({ caused_by }),
  'payto_agreement.cancellation_failed': failed,
  'payto_agreement.suspension_failed': failed,
  'payto_agreement.reactivation_failed': failed,
  'payto_agreement.amended': bodyOf({ caused_by, changes: z.looseObject({}) }),
  'payto_agreement.amendment_declined': bodyOf({ caused_by }),
  'payto_agreement.amendment_expired': none,
  'payto_agreement.amendment_failed': failed,
  'payto_agreement.amended_recalled': none,
  'payto_agreement.amendment_recalled': none,
  'payto_agreement.amendment_recall_failed': failed,
  'payto_payment.settled': none,
  'payto_payment.failed': bodyOf({ failure: failure.extend({ retryable: z.boolean() }) }),
  'payto_payment.pending': none,
  'payto_payment.under_investigation': none,
  'payto_refund.processed': none,
  'payto_refund.failed': z.looseObject({}).nullable(),
} as const satisfies Record<PayToEventType, z.ZodType>;

export const UNMATCHED_CREDIT = 'float_accounts.unmatched_credit.received';

const event = {
  id: uuid,
  resource_uid: text,
  resource_type: z.enum(['payto_agreement', 'payto_payment', 'payto_refund']),
  body: z.looseObject({}).nullable(),
  type: text,
};

export const historyEntry = z.strictObject({ ...event, published_at: z.iso.datetime() });

export const envelope = z.strictObject({
  data: z.strictObject({
    ...event,
    published_at: instant.regex(/\.\d{3}\+1[01]:00$/),
    resource_metadata: z.looseObject({}).optional(),
  }),
  links: z.strictObject({ resource: z.url({ protocol: /^https?$/ }) }),
});
export type Envelope = z.output<typeof envelope>;

export const unmatchedCredit = z.strictObject({
  data: z.strictObject({
    id: uuid,
    type: z.literal('FloatBankTransaction'),
    received_at: instant,
    amount: z.int(),
    description: text.nullish(),
    channel: z.enum(['new_payments_platform', 'direct_entry']),
    creditor: z.strictObject({
      id: uuid,
      type: z.literal('FloatBankAccount'),
      party_name: text,
      account_identifier: accountIdentifier.extend({ type: z.literal('bban') }),
      owner: z.strictObject({ id: uuid, type: z.literal('Account') }),
    }),
    debtor: z.strictObject({
      party_name: text,
      reference: text,
      account_identifier: accountIdentifier.extend({ type: z.literal('bban') }),
      description: text.optional(),
    }),
  }),
  event: z.strictObject({
    at: instant,
    type: z.literal(UNMATCHED_CREDIT),
    who: z.strictObject({
      account_id: uuid,
      account_type: z.literal('Account'),
      bank_account_id: uuid,
      bank_account_type: z.literal('BankAccount'),
    }),
  }),
});
