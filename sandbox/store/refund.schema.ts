// What the provider keeps of refunds (docs/provider.md#refunds). No behaviour here.
import { z } from 'zod';
import { DelaySeconds } from '../http/wire.schema.js';
import { Metadata, tableOf } from './entities.schema.js';

export const RefundState = z.enum(['created', 'processing', 'processed', 'failed']);
export type RefundState = z.output<typeof RefundState>;

/** How a refund may end (docs/provider.md#provider-sandbox); of one that is paid by a PayTo payment its payment ends the same way. */
export const RefundSimulation = z.enum(['success', 'creditor_alias_not_found', 'creditor_account_closed']);
export type RefundSimulation = z.output<typeof RefundSimulation>;

export const RefundFailure = z.object({ code: z.string(), title: z.string(), detail: z.string() });
export type RefundFailure = z.output<typeof RefundFailure>;

const common = { amount: z.int(), description: z.string().nullable() };

/** From where the payer gets the money back. */
export const RefundPayment = z.discriminatedUnion('type', [
  z.object({ type: z.literal('float_bank_payment'), float_bank_account_id: z.string(), ...common }),
  z.object({ type: z.literal('pay_to_payment'), agreement_uid: z.string(), uid: z.string(), ...common }),
]);
export type RefundPayment = z.output<typeof RefundPayment>;

export const Refund = z.object({
  uid: z.string(),
  original_payment_uid: z.string(),
  /** Of the original payment: its webhooks go in the lane of that agreement. */
  agreement_uid: z.string(),
  state: RefundState,
  refund_payment: RefundPayment,
  failure: RefundFailure.nullable(),
  created_at: z.string(),
  metadata: Metadata.nullable(),
  script: z.object({ simulate: RefundSimulation, delay: DelaySeconds }),
});
export type Refund = z.output<typeof Refund>;

export const REFUND_TABLES = { refunds: tableOf(Refund) };

/** What time brings to a refund; `sandbox/tasks.ts` says what each does. */
export const REFUND_TASKS = ['process_refund', 'conclude_refund', 'follow_refund_payment'] as const;
