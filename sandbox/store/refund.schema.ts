// The provider's records of refunds (docs/provider.md#refunds). Data only.
import { z } from 'zod';
import { DelaySeconds } from '../http/wire.schema.js';
import { Metadata, tableOf } from './entities.schema.js';

export const RefundState = z.enum(['created', 'processing', 'processed', 'failed']);
export type RefundState = z.output<typeof RefundState>;

/** The outcomes of a refund (docs/provider.md#provider-sandbox). If a PayTo payment pays the refund, the payment ends the same way. */
export const RefundSimulation = z.enum(['success', 'creditor_alias_not_found', 'creditor_account_closed']);
export type RefundSimulation = z.output<typeof RefundSimulation>;

export const RefundFailure = z.object({ code: z.string(), title: z.string(), detail: z.string() });
export type RefundFailure = z.output<typeof RefundFailure>;

const common = { amount: z.int(), description: z.string().nullable() };

/** The source of the money for the payer. */
export const RefundPayment = z.discriminatedUnion('type', [
  z.object({ type: z.literal('float_bank_payment'), float_bank_account_id: z.string(), ...common }),
  z.object({ type: z.literal('pay_to_payment'), agreement_uid: z.string(), uid: z.string(), ...common }),
]);
export type RefundPayment = z.output<typeof RefundPayment>;

export const Refund = z.object({
  uid: z.string(),
  original_payment_uid: z.string(),
  /** The agreement of the original payment. The refund's webhooks use its lane. */
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

/** The scheduled tasks of a refund; see `sandbox/tasks.ts`. */
export const REFUND_TASKS = ['process_refund', 'conclude_refund', 'follow_refund_payment'] as const;
