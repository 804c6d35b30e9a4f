// What can be made to go wrong, and where. No behaviour here.
import { z } from 'zod';
import { AGREEMENT_CALLS } from '../agreements/agreement.schema.js';
import { CLIENT_CALLS } from '../clients/client.schema.js';
import { CHECK_CALLS } from '../checks/check.schema.js';
import { FLOAT_CALLS } from '../float-accounts/float-account.schema.js';
import { IDENTITY_CALLS } from '../identity/identity.schema.js';
import { PAYMENT_CALLS } from '../payments/payment.schema.js';
import { REFUND_CALLS } from '../refunds/refund.schema.js';
import { WEBHOOK_CALLS } from '../webhooks/webhook.schema.js';

/** Every call that a fault can be set on, as the ledger names it. */
export const CALL_NAMES = [
  ...AGREEMENT_CALLS,
  ...PAYMENT_CALLS,
  ...REFUND_CALLS,
  ...CLIENT_CALLS,
  ...FLOAT_CALLS,
  ...CHECK_CALLS,
  ...WEBHOOK_CALLS,
  ...IDENTITY_CALLS,
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
