// What the sandbox keeps beside the provider's resources: tasks, deliveries, faults, tokens and the ledger.
// Schemas, not only types, because a saved store is read back through them. No behaviour here.
import { z } from 'zod';
import { ResourceType } from './entities.schema.js';

/** Something that happens at a time on the sandbox's clock. Data, so that it survives a restart. */
export const Task = z.object({
  due_at: z.number(),
  kind: z.enum([
    'submit_agreement',
    'answer_agreement',
    'expire_agreement',
    'cancel_unresolved_agreement',
    'submit_payment',
    'progress_payment',
    'send_webhook',
  ]),
  uid: z.string(),
});
export type Task = z.output<typeof Task>;
export type TaskKind = Task['kind'];

export const Delivery = z.object({
  id: z.string(),
  request_id: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  resource_uid: z.string(),
  agreement_uid: z.string(),
  payload: z.string(),
  state: z.enum(['queued', 'held', 'retrying', 'completed', 'failed', 'lost']),
  held_by: z.enum(['delay', 'reorder']).nullable(),
  /** How many times it still has to be posted in one go; more than one only by the `repeat` fault. */
  copies: z.int(),
  attempts: z.int(),
  response_status_code: z.int().nullable(),
  first_attempt_at: z.number().nullable(),
  created_at: z.string(),
});
export type Delivery = z.output<typeof Delivery>;

export const CALL_NAMES = [
  'create_agreement',
  'get_agreement',
  'list_agreements',
  'agreement_history',
  'create_payment',
  'get_payment',
  'token',
] as const;
export type CallName = (typeof CALL_NAMES)[number];

export const BEFORE_COMMIT = ['error_500_before', 'cut_before_commit'] as const;
export const AFTER_COMMIT = ['error_500_after_commit', 'cut_after_commit'] as const;
export const ON_WEBHOOK = ['lose', 'delay', 'repeat', 'reorder'] as const;

export const Fault = z.object({
  id: z.string(),
  on: z.enum([...CALL_NAMES, 'webhook']),
  do: z.enum([...BEFORE_COMMIT, ...AFTER_COMMIT, ...ON_WEBHOOK]),
  /** How often it still happens; null until it is removed. */
  times: z.int().nullable(),
  resource_uid: z.string().nullable(),
  delay_seconds: z.int(),
  copies: z.int(),
});
export type Fault = z.output<typeof Fault>;
export type FaultAction = Fault['do'];

export const Grant = z.object({
  id: z.string(),
  scopes: z.array(z.string()),
  /** How many token pairs it has had. */
  generation: z.int(),
  revoked: z.boolean(),
});
export type Grant = z.output<typeof Grant>;

/** Keyed by the hash of the code, as tokens are by theirs: a saved store holds no secret. */
export const AuthorisationCode = z.object({
  redirect_uri: z.string(),
  scopes: z.array(z.string()),
  expires_at: z.number(),
  used: z.boolean(),
});
export type AuthorisationCode = z.output<typeof AuthorisationCode>;

export const Token = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('access'), grant: z.string(), expires_at: z.number() }),
  z.object({ kind: z.literal('refresh'), grant: z.string(), used: z.boolean() }),
]);
export type Token = z.output<typeof Token>;

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
    /** `issued`, or why not: `code_reused`, `refresh_token_reused`, `invalid_client`, … */
    outcome: z.string(),
    status: CallStatus,
    grant: z.string().nullable(),
    generation: z.int().nullable(),
    fault: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('change'),
    resource_type: ResourceType,
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
    /** null: no response came. */
    status: z.union([z.int(), z.null(), z.literal('lost')]),
  }),
]);
export type LedgerFact = z.output<typeof LedgerFact>;

/** One line of the truth, numbered from 1. */
export const LedgerEntry = z.intersection(z.object({ seq: z.int(), at: z.string() }), LedgerFact);
export type LedgerEntry = z.output<typeof LedgerEntry>;
