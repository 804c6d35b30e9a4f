// What callers may say outside a body: in the path, the query and the headers.
import { z } from 'zod';
import { UidSchema } from '../../domain/mandate.schema.js';

export const UidParams = z.strictObject({ uid: UidSchema });
const connectionId = UidSchema.meta({ description: 'The id of a connection.', example: 'acme' });
export const ConnectionParams = z.strictObject({ id: connectionId });
export const WebhookParams = z.strictObject({ connection: connectionId });

/** Names are case-insensitive on the wire; this one is how the documentation spells it. */
export const IdempotencyHeaders = z.object({
  'Idempotency-Key': z
    .string()
    .regex(/^[ -~]{1,255}$/, 'expected 1 to 255 printable ASCII characters')
    .optional()
    .meta({
      description:
        'Needed with every command but a look-up, and elsewhere where the body names no uid. The same key is the same ' +
        'request, however often it comes; with another request it is refused with `idempotency_conflict`.',
      example: 'order-77',
    }),
});

const wait = z
  .string()
  .regex(/^([0-9]|[12][0-9]|30)$/, 'expected whole seconds, 0 to 30')
  .transform(Number)
  .optional()
  .meta({
    type: 'integer', minimum: 0, maximum: 30, example: 10,
    description: 'Seconds to hold the answer until what is awaited is over.',
  }); // prettier-ignore
export const WaitQuery = z.strictObject({ wait });

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

export const AGREEMENT_STATES = [
  'pending', 'created', 'active', 'suspended', 'declined', 'expired', 'cancelled', 'failed', 'unknown',
] as const; // prettier-ignore
export const AWAITED = [
  'provider-acceptance', 'payer-decision', 'amendment-decision', 'action-outcome', 'look-up', 'reauthorisation', 'settlement', 'submission-outcome',
  'operator', 'consent', 'nothing',
] as const; // prettier-ignore
export const ACTION_KINDS = [
  'suspension', 'reactivation', 'cancellation', 'amendment', 'amendment_recall',
] as const; // prettier-ignore
export const ATTENTION_CODES = [
  'overdue', 'conflict', 'unknown_outcome', 'parked', 'needs_reauthorisation', 'strikes', 'orphan', 'forbidden',
] as const; // prettier-ignore

export const AttentionParams = z.strictObject({ uid: UidSchema, code: z.enum(ATTENTION_CODES) });

/** Closed lists and the uid's own alphabet: what passes can go into a visibility query as it is. */
export const AgreementsQuery = z.strictObject({
  state: z.enum(AGREEMENT_STATES).optional(),
  awaiting: z.enum(AWAITED).optional(),
  attention: z.enum(ATTENTION_CODES).optional(),
  connection: connectionId.optional(),
  ...paging,
});
export type AgreementsQuery = z.output<typeof AgreementsQuery>;
