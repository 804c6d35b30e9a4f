// Path parameters, query parameters and headers.
import { z } from 'zod';
import { OUTCOMES } from '../../domain/batch/rows.js';
import { CLIENT_STATES } from '../../domain/client/lifecycle.js';
import { COUNTERPARTY_STATES } from '../../domain/counterparty/lifecycle.js';
import { UNANSWERED } from '../../domain/agreement/reminder.js';
import type { Unanswered } from '../../domain/agreement/reminder.js';
import { AGREEMENT_STATES } from '../../domain/agreement/events.js';
import { ATTENTION_CODES } from '../../domain/attention/flags.js';
import { AWAITED } from '../../domain/attention/awaiting.js';
import type { AttentionCode } from '../../domain/attention/flags.js';
import type { AwaitingWhat } from '../../domain/attention/awaiting.js';
import { UidSchema } from '../../domain/agreement/mandate.schema.js';
import { ONBOARDING_STEPS } from '../../domain/onboarding/steps.js';
import { PAYMENT_STATES } from '../../domain/payment/lifecycle.js';
import { REFUND_STATES } from '../../domain/refund/lifecycle.js';

export const UidParams = z.strictObject({ uid: UidSchema });
const connectionId = UidSchema.meta({ description: 'The id of a connection.', example: 'acme' });
export const ConnectionParams = z.strictObject({ id: connectionId });
export const WebhookParams = z.strictObject({ connection: connectionId });

const idempotencyKey = (isNeeded: string) =>
  z
    .string()
    // HTTP joins repeated headers with a comma, so a key with a comma could be two keys.
    .regex(/^[ -+\--~]{1,255}$/, 'expected one key of 1 to 255 printable ASCII characters without a comma')
    .meta({
      description:
        `${isNeeded} A repeat with the same key is the same request. A request with the same key but another uid or body is refused ` +
        'with `idempotency_conflict`. Keys are scoped to the principal, method and path, and shared by all API keys of the principal.',
      example: 'order-77',
    });
/** The documented spelling. Header names are case-insensitive. */
export const KEY_HEADER = 'Idempotency-Key';
export const KeyHeaders = z.object({ [KEY_HEADER]: idempotencyKey('Required.') });
/** For requests whose path or body may name the resource instead. */
export const IdempotencyHeaders = z.object({
  [KEY_HEADER]: idempotencyKey(
    'Required only if neither the path nor the body names the new resource.',
  ).optional(),
});

const wait = z
  .string()
  .regex(/^([0-9]|[12][0-9]|30)$/, 'expected whole seconds, 0 to 30')
  .transform(Number)
  .optional()
  .meta({
    type: 'integer',
    minimum: 0,
    maximum: 30,
    example: 10,
    description: 'Seconds to wait for the outcome before the response is sent.',
  });
/** Refuses all parameters, because an ignored parameter would mislead the caller. */
export const NoQuery = z.strictObject({});
export const WaitQuery = z.strictObject({ wait });
export const PaymentQuery = z.strictObject({
  wait,
  dry_run: z
    .enum(['true', 'false'])
    .optional()
    .transform((value) => value === 'true')
    .meta({
      type: 'boolean',
      description: 'Only check whether the agreement’s terms allow the payment now. Nothing changes.',
    }),
});
export const BatchQuery = z.strictObject({
  wait,
  dry_run: z
    .enum(['true', 'false'])
    .optional()
    .transform((value) => value === 'true')
    .meta({ type: 'boolean', description: 'Only check each row. No row is started.' }),
});

const paging = {
  per_page: z
    .string()
    .regex(/^([1-9][0-9]?|100)$/, 'expected a whole number, 1 to 100')
    .default('20')
    .transform(Number)
    .meta({ type: 'integer', minimum: 1, maximum: 100, default: 20 }),
  cursor: z
    .string()
    .regex(/^[A-Za-z0-9_.-]{1,4000}$/, 'expected a cursor from links.next')
    .optional()
    .meta({ description: 'Opaque position of a page, from `links.next`.' }),
};
export const PagingQuery = z.strictObject(paging);
export const TimelineQuery = PagingQuery.extend({
  from: z.enum(['beginning']).optional().meta({
    description:
      'The first page: `beginning` starts at the very first fact. The default is the first stored fact. Ignored with a cursor.',
  }),
});

/** `unknown` is our own state: adopted, but the provider did not know the uid for a whole day. */
export const VIEW_STATES = [...AGREEMENT_STATES, 'unknown'] as const;
export const PAYMENT_VIEW_STATES = [...PAYMENT_STATES, 'unknown'] as const;
export const REFUND_VIEW_STATES = [...REFUND_STATES, 'unknown'] as const;

export const AttentionParams = z.strictObject({ uid: UidSchema, code: z.enum(ATTENTION_CODES) });

/** Only closed lists, uids and instants, so that valid values are safe in a visibility query. */
const listed = <State extends string>(states: readonly State[]) => ({
  state: z.enum(states).optional(),
  awaiting: z.enum(AWAITED).optional(),
  attention: z.enum(ATTENTION_CODES).optional(),
  connection: connectionId.optional(),
  client: UidSchema.optional().meta({
    description: 'The provider’s id of the initiating client.',
    example: '0195e5a4-0000-7000-8000-000000000002',
  }),
  ...paging,
});

const instant = z.iso
  .datetime('expected an RFC 3339 instant in UTC, ending in Z')
  .transform((text) => new Date(text).toISOString())
  .optional();
const created = {
  created_from: instant.meta({
    description:
      'Requested at or after this time. If it was found at the provider, the time when we first saw it.',
    example: '2026-10-01T00:00:00Z',
  }),
  created_until: instant.meta({
    description: 'Requested before this time.',
    example: '2026-11-01T00:00:00Z',
  }),
};

export const AgreementsQuery = z.strictObject({
  ...listed(VIEW_STATES),
  unanswered: z.enum(UNANSWERED).optional().meta({
    description: 'Only agreements in state `created` whose payer has not answered for at least this long.',
  }),
});
export const PaymentsQuery = z.strictObject({
  ...listed(PAYMENT_VIEW_STATES),
  agreement: UidSchema.optional(),
  ...created,
});
export const RefundsQuery = z.strictObject({ ...listed(REFUND_VIEW_STATES), ...created });

export const CLIENT_VIEW_STATES = [...CLIENT_STATES, 'unknown'] as const;
export const ClientsQuery = z.strictObject(listed(CLIENT_VIEW_STATES));
export const COUNTERPARTY_VIEW_STATES = [...COUNTERPARTY_STATES, 'unknown'] as const;
/** No search attribute contains a counterparty's state. Filter by attention flag instead. */
export const CounterpartiesQuery = z
  .strictObject(listed(COUNTERPARTY_VIEW_STATES))
  .omit({ state: true, client: true });

/** The current step, or the final state. */
export const ONBOARDING_PLACES = [...ONBOARDING_STEPS, 'done', 'abandoned'] as const;
const { client: _, ...ofOnboardings } = listed(ONBOARDING_PLACES);
export const OnboardingsQuery = z.strictObject(ofOnboardings);
export const OnboardingParams = z.strictObject({ id: UidSchema });

export const BatchesQuery = z.strictObject({
  awaiting: z.enum(AWAITED).optional(),
  attention: z.enum(ATTENTION_CODES).optional(),
  connection: connectionId.optional(),
  ...paging,
});
export const BatchRowsQuery = PagingQuery.extend({
  outcome: z.enum(OUTCOMES).optional().meta({ description: 'Only rows with this outcome.' }),
});

/** The filters of all lists. */
export interface ListQuery<State extends string> {
  state?: State | undefined;
  awaiting?: AwaitingWhat | undefined;
  attention?: AttentionCode | undefined;
  connection?: string | undefined;
  agreement?: string | undefined;
  client?: string | undefined;
  unanswered?: Unanswered | undefined;
  created_from?: string | undefined;
  created_until?: string | undefined;
  per_page: number;
  cursor?: string | undefined;
}
