// What callers may say outside a body: in the path, the query and the headers.
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
    // HTTP joins two headers of one name by a comma: with one in a key, it could not be known which of the two was meant.
    .regex(/^[ -+\--~]{1,255}$/, 'expected one key of 1 to 255 printable ASCII characters without a comma')
    .meta({
      description:
        `${isNeeded} The same key is the same request, however often it comes. An agreement, a payment or a command that has ` +
        'another uid or another body than the first with this key is refused with `idempotency_conflict`. The key is the ' +
        'caller’s own: known by principal, method and path, whichever of its API keys the principal used.',
      example: 'order-77',
    });
/** Names are case-insensitive on the wire; this one is how the documentation spells it. */
export const KEY_HEADER = 'Idempotency-Key';
export const KeyHeaders = z.object({ [KEY_HEADER]: idempotencyKey('Needed.') });
/** Where the path or the body may say what is asked for instead. */
export const IdempotencyHeaders = z.object({
  [KEY_HEADER]: idempotencyKey('Needed only where neither path nor body names what is asked for.').optional(),
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
    description: 'Seconds to delay the answer until what is awaited is over.',
  });
/** A parameter that is not read was meant for something. */
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
      description:
        'Only judge by the agreement’s terms whether it would be admitted now; nothing is changed.',
    }),
});
export const BatchQuery = z.strictObject({
  wait,
  dry_run: z
    .enum(['true', 'false'])
    .optional()
    .transform((value) => value === 'true')
    .meta({ type: 'boolean', description: 'Only judge each row; none is started.' }),
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
    .meta({ description: 'Opaque, from `links.next`.' }),
};
export const PagingQuery = z.strictObject(paging);
export const TimelineQuery = PagingQuery.extend({
  from: z.enum(['beginning']).optional().meta({
    description:
      'Where to begin, without a cursor: with the first fact of all; left out, with the first that is kept.',
  }),
});

/** `unknown` is ours: adopted, and the provider did not know it in a whole day. */
export const VIEW_STATES = [...AGREEMENT_STATES, 'unknown'] as const;
export const PAYMENT_VIEW_STATES = [...PAYMENT_STATES, 'unknown'] as const;
export const REFUND_VIEW_STATES = [...REFUND_STATES, 'unknown'] as const;

export const AttentionParams = z.strictObject({ uid: UidSchema, code: z.enum(ATTENTION_CODES) });

/** Closed lists, the uid's own alphabet, and instants: what passes can go into a visibility query as it is. */
const listed = <State extends string>(states: readonly State[]) => ({
  state: z.enum(states).optional(),
  awaiting: z.enum(AWAITED).optional(),
  attention: z.enum(ATTENTION_CODES).optional(),
  connection: connectionId.optional(),
  client: UidSchema.optional().meta({
    description: 'The provider’s id of the client that initiates them.',
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
    description: 'Asked for then or later. Of one that was found at the provider: first heard of here.',
    example: '2026-10-01T00:00:00Z',
  }),
  created_until: instant.meta({
    description: 'Asked for before then.',
    example: '2026-11-01T00:00:00Z',
  }),
};

export const AgreementsQuery = z.strictObject({
  ...listed(VIEW_STATES),
  unanswered: z.enum(UNANSWERED).optional().meta({
    description:
      'Only agreements in state `created` whose payer was asked so long ago, or longer, and has not decided.',
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
/** Temporal's lists know nothing of a counterparty's state: what waits for a person is flagged. */
export const CounterpartiesQuery = z
  .strictObject(listed(COUNTERPARTY_VIEW_STATES))
  .omit({ state: true, client: true });

/** The step that it is at, or how it ended. */
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
  outcome: z.enum(OUTCOMES).optional().meta({ description: 'Only rows that have it.' }),
});

/** What any of these lists may be asked for. */
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
