// Query parameters of the lists: filters, sort and page.
import { z } from 'zod';
import { UNANSWERED } from '../../domain/agreement/reminder.js';
import { AGREEMENT_STATES } from '../../domain/agreement/events.js';
import { UidSchema } from '../../domain/agreement/mandate.schema.js';
import { ATTENTION_CODES } from '../../domain/attention/flags.js';
import { AWAITED } from '../../domain/attention/awaiting.js';
import { CLIENT_STATES } from '../../domain/client/lifecycle.js';
import { COUNTERPARTY_STATES } from '../../domain/counterparty/lifecycle.js';
import { CREDIT_STATES } from '../../domain/float/credit.js';
import { FLOAT_ACCOUNT_STATES } from '../../domain/float/account.js';
import { ONBOARDING_STEPS } from '../../domain/onboarding/steps.js';
import { PAYMENT_STATES } from '../../domain/payment/lifecycle.js';
import { REFUND_STATES } from '../../domain/refund/lifecycle.js';
import { CONNECTION_STATUSES } from '../../workflows/connection/contract.js';
import { BATCH_STATES } from '../../workflows/batch/contract.js';
import type { SORTS } from '../../records/lists.js';
import { NOT_NEAR, aDay, connectionId, isNear, paging } from './parameters.schema.js';

/** `unknown` is our own state: adopted, but the provider did not know the uid for a whole day. */
export const VIEW_STATES = [...AGREEMENT_STATES, 'unknown'] as const;
export const PAYMENT_VIEW_STATES = [...PAYMENT_STATES, 'unknown'] as const;
export const REFUND_VIEW_STATES = [...REFUND_STATES, 'unknown'] as const;
export const CLIENT_VIEW_STATES = [...CLIENT_STATES, 'unknown'] as const;
export const COUNTERPARTY_VIEW_STATES = [...COUNTERPARTY_STATES, 'unknown'] as const;
/** The current step, or the final state. */
export const ONBOARDING_PLACES = [...ONBOARDING_STEPS, 'done', 'abandoned'] as const;

const instant = (description: string) =>
  z.iso
    .datetime({ error: 'expected an RFC 3339 instant in UTC, ending in Z', abort: true })
    .refine(isNear, NOT_NEAR)
    .transform((text) => new Date(text).toISOString())
    .optional()
    .meta({ description, example: '2026-10-01T00:00:00Z' });

const cents = (description: string) =>
  z
    .string()
    .regex(/^(0|[1-9][0-9]{0,14})$/, 'expected whole cents')
    .transform(Number)
    .optional()
    .meta({ type: 'integer', minimum: 0, description });

const sort = (names: readonly (typeof SORTS)[number][]) =>
  z
    .enum(names.flatMap((name): string[] => [name, `-${name}`]))
    .default('-created')
    .meta({
      description:
        'The order. A minus sign means: largest or latest first. `settled` leaves out what has not settled.',
    });

const listed = <State extends string>(states: readonly State[]) => ({
  state: z.enum(states).optional(),
  awaiting: z.enum(AWAITED).optional(),
  attention: z.enum(ATTENTION_CODES).optional(),
  connection: connectionId.optional(),
  created_from: instant(
    'Requested at or after this time. If it was found at the provider, the time when we first saw it.',
  ),
  created_until: instant('Requested before this time.'),
  updated_from: instant('Last changed at or after this time.'),
  updated_until: instant('Last changed before this time.'),
  sort: sort(['created']),
  ...paging,
});

const client = UidSchema.optional().meta({
  description: 'The provider’s id of the initiating client.',
  example: '0195e5a4-0000-7000-8000-000000000002',
});
const amounts = {
  amount_min: cents('At least this amount, in cents.'),
  amount_max: cents('At most this amount, in cents.'),
};
const settled = {
  settled_from: instant('Settled at or after this time. For a refund: processed.'),
  settled_until: instant('Settled before this time. For a refund: processed.'),
};
const metadata = {
  metadata_key: z.string().min(1).max(64).optional().meta({
    description: 'A key of the metadata. Needs `metadata_value`.',
  }),
  metadata_value: z.string().max(2048).optional().meta({
    description: 'The value of this key, exactly. Numbers and booleans as text.',
  }),
};
const PAIR = 'expected metadata_key and metadata_value together';
const isPair = (query: { metadata_key?: string | undefined; metadata_value?: string | undefined }): boolean =>
  (query.metadata_key === undefined) === (query.metadata_value === undefined);

export const AgreementsQuery = z
  .strictObject({
    ...listed(VIEW_STATES),
    client,
    ...amounts,
    ...metadata,
    unanswered: z.enum(UNANSWERED).optional().meta({
      description: 'Only agreements in state `created` whose payer has not answered for at least this long.',
    }),
  })
  .refine(isPair, { error: PAIR, path: ['metadata_value'] });

const ofPayments = {
  state: z.enum(PAYMENT_VIEW_STATES).optional(),
  connection: connectionId.optional(),
  agreement: UidSchema.optional(),
  client,
};
export const PaymentsQuery = z
  .strictObject({
    ...listed(PAYMENT_VIEW_STATES),
    ...ofPayments,
    ...amounts,
    ...settled,
    ...metadata,
    reference: z.string().min(1).max(35).optional().meta({ description: 'The reference, exactly.' }),
    sort: sort(['created', 'amount', 'settled']),
  })
  .refine(isPair, { error: PAIR, path: ['metadata_value'] });

export const RefundsQuery = z
  .strictObject({
    ...listed(REFUND_VIEW_STATES),
    payment: UidSchema.optional(),
    ...amounts,
    ...settled,
    ...metadata,
    sort: sort(['created', 'amount']),
  })
  .refine(isPair, { error: PAIR, path: ['metadata_value'] });

export const ConnectionsQuery = z.strictObject(listed(CONNECTION_STATUSES));
export const ClientsQuery = z.strictObject({ ...listed(CLIENT_VIEW_STATES), client });
export const CounterpartiesQuery = z.strictObject(listed(COUNTERPARTY_VIEW_STATES));
export const OnboardingsQuery = z.strictObject(listed(ONBOARDING_PLACES));
export const FloatAccountsQuery = z.strictObject(listed(FLOAT_ACCOUNT_STATES));
export const UnmatchedCreditsQuery = z.strictObject({
  ...listed(CREDIT_STATES),
  ...amounts,
  sort: sort(['created', 'amount']),
});
export const NotificationsQuery = z.strictObject(listed(['open', 'acknowledged']));
export const FloatEntriesQuery = z.strictObject({
  from: instant('At or after this time, by the provider’s clock.'),
  until: instant('Before this time.'),
  type: z.enum(['credit', 'debit']).optional(),
  matched: z
    .enum(['true', 'false'])
    .optional()
    .transform((value) => (value === undefined ? undefined : value === 'true'))
    .meta({
      type: 'boolean',
      description: 'Whether a payment, a refund or the decision `matched` explains the entry.',
    }),
  amount_min: cents('At least this amount, in cents and without the sign.'),
  amount_max: cents('At most this amount, in cents and without the sign.'),
  ...paging,
});
export const BatchesQuery = z.strictObject(listed(BATCH_STATES));

const day = (description: string) => aDay.optional().meta({ description, example: '2026-10-01' });
export const SummaryQuery = z.strictObject({
  ...ofPayments,
  from: day('The first day in Sydney. Default: 31 days before `until`.'),
  until: day('The day after the last one in Sydney. Default: tomorrow.'),
});

export const AuditQuery = z.strictObject({
  action: z
    .string()
    .regex(/^[A-Za-z]{1,64}$/, 'expected an operationId')
    .optional()
    .meta({ example: 'stopPayments' }),
  principal: z.string().min(1).max(64).optional(),
  target: z.string().min(1).max(256).optional().meta({ description: 'The path of the request, exactly.' }),
  from: instant('At or after this time.'),
  until: instant('Before this time.'),
  ...paging,
});

/** The filters of all lists. */
export type ListQuery = Readonly<Record<string, string | number | undefined>> & {
  per_page: number;
  sort: string;
  cursor?: string | undefined;
};
