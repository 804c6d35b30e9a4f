// One rule for what shall go wrong, as it is kept, and the calls that a rule can be about. No behaviour here.
import { z } from 'zod';
import { AGREEMENT_CALLS } from '../agreements/agreement.schema.js';
import { CLIENT_CALLS } from '../clients/client.schema.js';
import { CHECK_CALLS } from '../checks/check.schema.js';
import { FLOAT_CALLS } from '../float-accounts/float-account.schema.js';
import { IDENTITY_CALLS } from '../identity/identity.schema.js';
import { PAYMENT_CALLS } from '../payments/payment.schema.js';
import { REFUND_CALLS } from '../refunds/refund.schema.js';
import { WEBHOOK_CALLS } from '../webhooks/webhook.schema.js';
import { FaultAction, FaultParameters } from './actions.schema.js';

/** The calls of the API, as the ledger names them. */
export const API_CALLS = [
  ...AGREEMENT_CALLS,
  ...PAYMENT_CALLS,
  ...REFUND_CALLS,
  ...CLIENT_CALLS,
  ...FLOAT_CALLS,
  ...CHECK_CALLS,
  ...WEBHOOK_CALLS,
  ...IDENTITY_CALLS,
] as const;
export type CallName = (typeof API_CALLS)[number];

/** `*` is every call of the API; the authorisation server and webhooks are meant by their names alone. */
export const FaultPlace = z.enum([...API_CALLS, '*', 'token', 'webhook']);
export type FaultPlace = z.output<typeof FaultPlace>;

export const Fault = z.object({
  id: z.string(),
  /** Counted from 1 since the faults were last cleared: with the seed it decides which calls a share meets. */
  number: z.int(),
  on: FaultPlace,
  do: FaultAction,
  /** How often it still happens; null until it is removed. */
  times: z.int().nullable(),
  /** Of the calls that fit, how many it meets: 1 is every one. */
  share: z.number(),
  /** How many calls have fitted so far. */
  fitted: z.int(),
  resource_uid: z.string().nullable(),
  ...FaultParameters.shape,
});
export type Fault = z.output<typeof Fault>;
