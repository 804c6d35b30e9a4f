// Path parameters, query parameters and headers.
import { z } from 'zod';
import { OUTCOMES } from '../../domain/batch/rows.js';
import { ATTENTION_CODES } from '../../domain/attention/flags.js';
import { UidSchema } from '../../domain/agreement/mandate.schema.js';
import { NOT_NEAR, isNear } from '../../domain/time/near.js';

/**
 * The name of a parameter among those that several operations share, if another one has the usual name:
 * `.meta({ [PART_NAME]: 'connection_id' })` is `#/components/parameters/ConnectionIdParameter`.
 */
export const PART_NAME = 'x-part-name';

export const UidParams = z.strictObject({ uid: UidSchema });
export const connectionId = UidSchema.meta({
  description: 'The id of a connection, as `POST /v1/connections` answered it.',
  example: 'acme',
});
export const ConnectionParams = z.strictObject({ id: connectionId.meta({ [PART_NAME]: 'connection_id' }) });
export const aDay = z.iso
  .date({ error: 'expected a day as YYYY-MM-DD', abort: true })
  .refine(isNear, NOT_NEAR);

const day = aDay.meta({ description: 'A day as Sydney’s clocks count it.', example: '2026-10-01' });
export const DayParams = z.strictObject({ day });
export const StatementParams = z.strictObject({ uid: UidSchema, day });
export const ReconciliationQuery = z.strictObject({ connection: connectionId.optional() });
/** The id of a notification: type and id of its event, or a hash of them. */
export const NotificationParams = z.strictObject({
  notification: z
    .string()
    .regex(/^[\w.:~/-]{1,220}$/, 'expected the id of a notification')
    .meta({ description: 'The `id` of the notification, with its slash encoded as %2F.' }),
});
export const WebhookParams = z.strictObject({ connection: connectionId });

const idempotencyKey = (name: string, isNeeded: string) =>
  z
    .string()
    // HTTP joins repeated headers with a comma, so a key with a comma could be two keys.
    .regex(/^[ -+\--~]{1,255}$/, 'expected one key of 1 to 255 printable ASCII characters without a comma')
    .meta({
      description:
        `${isNeeded} A repeat with the same key is the same request. A request with the same key but another uid or body is refused ` +
        'with `idempotency_conflict`. Keys are scoped to the principal, method and path, and shared by all API keys of the principal.',
      example: 'order-77',
      [PART_NAME]: name,
    });
/** The documented spelling. Header names are case-insensitive. */
export const KEY_HEADER = 'Idempotency-Key';
export const KeyHeaders = z.object({ [KEY_HEADER]: idempotencyKey('required_key', 'Required.') });
/** For requests whose path or body may name the resource instead. */
export const IdempotencyHeaders = z.object({
  [KEY_HEADER]: idempotencyKey(
    'key_or_uid',
    'Required only if neither the path nor the body names the new resource.',
  ).optional(),
});

/** For commands about a resource that exists. */
export const OptionalKeyHeaders = z.object({
  [KEY_HEADER]: idempotencyKey(
    'optional_key',
    'Optional. Without it, each request is another one.',
  ).optional(),
});

export const APPROVAL_HEADER = 'Approval';
/** For requests that need a second principal with `DUAL_CONTROL=on`. */
export const ApprovalHeaders = z.object({
  [APPROVAL_HEADER]: z.string().optional().meta({
    description:
      'The id of the answer `approval_required`, with `DUAL_CONTROL=on`. Another principal sends it to approve the request, and then you send it to use the approval.',
  }),
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
    description:
      'How many seconds the API waits for the outcome before it answers. The answer has the present state if the time is over first: then poll, or listen for events.',
  });
/** Refuses all parameters, because an ignored parameter would mislead the caller. */
export const NoQuery = z.strictObject({});
export const WaitQuery = z.strictObject({ wait });
const dryRun = (description: string) =>
  z
    .enum(['true', 'false'])
    .optional()
    .transform((value) => value === 'true')
    .meta({ type: 'boolean', description });
export const PaymentQuery = z.strictObject({
  wait,
  dry_run: dryRun('Only checks whether the agreement’s terms allow the payment now. Nothing changes.'),
});
export const BatchQuery = z.strictObject({
  wait,
  dry_run: dryRun('Only checks each row. No row is started.'),
});

export const paging = {
  per_page: z
    .string()
    .regex(/^([1-9][0-9]?|1[0-9][0-9]|200)$/, 'expected a whole number, 1 to 200')
    .default('20')
    .transform(Number)
    .meta({
      type: 'integer',
      minimum: 1,
      maximum: 200,
      default: 20,
      description: 'How many items a page has.',
    }),
  cursor: z
    .string()
    .regex(/^[A-Za-z0-9_.-]{1,4000}$/, 'expected a cursor from links.next')
    .optional()
    .meta({
      description:
        'Where the page begins. `links.next` of the previous page contains it: follow that link, and do not make or change a cursor.',
    }),
};
export const PagingQuery = z.strictObject(paging);
export const AttentionParams = z.strictObject({
  uid: UidSchema,
  code: z.enum(ATTENTION_CODES).meta({ description: 'The `code` that a flag in `attention` has.' }),
});

export const OnboardingParams = z.strictObject({ id: UidSchema.meta({ [PART_NAME]: 'onboarding_id' }) });

export const BatchRowsQuery = PagingQuery.extend({
  outcome: z.enum(OUTCOMES).optional().meta({ description: 'Shows only rows with this outcome.' }),
});
