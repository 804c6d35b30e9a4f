// The ledger entries. Data only.
import { z } from 'zod';

const CallStatus = z.union([z.int(), z.literal('cut')]);

export const LedgerFact = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('call'),
    operation: z.string(),
    status: CallStatus,
    resource_uid: z.string().nullable(),
    fault: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('token'),
    grant_type: z.string().nullable(),
    /** `issued`, or the reason for a refusal: `code_reused`, `refresh_token_reused`, `invalid_client`, … */
    outcome: z.string(),
    status: CallStatus,
    grant: z.string().nullable(),
    generation: z.int().nullable(),
    fault: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('change'),
    /** The type of the changed resource: `payto_agreement`, `client`, `float_account`, … */
    resource_type: z.string(),
    resource_uid: z.string(),
    from: z.string().nullable(),
    to: z.string(),
    event_id: z.string().nullable(),
    event_type: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('webhook'),
    delivery_id: z.string(),
    event_id: z.string(),
    event_type: z.string(),
    resource_uid: z.string(),
    attempt: z.int(),
    /** Null if there was no response. */
    status: z.union([z.int(), z.null(), z.literal('lost')]),
    fault: z.string().nullable(),
  }),
]);
export type LedgerFact = z.output<typeof LedgerFact>;
export const LedgerKind = z.enum(LedgerFact.options.map(({ shape }) => shape.kind.value));

/** A numbered ledger entry. The first is 1. */
export const LedgerEntry = z.intersection(z.object({ seq: z.int(), at: z.string() }), LedgerFact);
export type LedgerEntry = z.output<typeof LedgerEntry>;
