// What the control routes take. Strict, so that a mistyped script or fault is refused instead of doing nothing.
import { z } from 'zod';
import { DelaySeconds } from '../entities.schema.js';
import { PayerSimulation } from '../agreements/agreement.schema.js';
import { PaymentSimulation } from '../payments/payment.schema.js';
import { AFTER_COMMIT, BEFORE_COMMIT, CALL_NAMES, ON_WEBHOOK, type Fault } from '../faults/fault.schema.js';
import { PayerAction } from '../agreements/payer.js';
import { Uid } from '../http/wire.schema.js';

const A_YEAR_SECONDS = 366 * 24 * 60 * 60;
const DEFAULT_DELAY_SECONDS = 60;

export const AdvanceClock = z.strictObject({ advance_seconds: z.number().min(0).max(A_YEAR_SECONDS) });

/** How the payer will answer an agreement that does not exist yet. */
export const ScriptPayer = z.strictObject({ simulate: PayerSimulation, delay: DelaySeconds.optional() });
export type ScriptPayer = z.output<typeof ScriptPayer>;

export const ScriptPayment = z.strictObject({ simulate: PaymentSimulation, delay: DelaySeconds.optional() });
export type ScriptPayment = z.output<typeof ScriptPayment>;

export const ActAsPayer = z.strictObject({ action: PayerAction });

const aboutAnyFault = { times: z.int().min(1).optional(), resource_uid: Uid.optional() };

/** A rule for what shall go wrong; without `times` until it is removed. */
export const AddFault = z.discriminatedUnion('on', [
  z.strictObject({
    on: z.literal('webhook'),
    do: z.enum(ON_WEBHOOK),
    ...aboutAnyFault,
    delay_seconds: z.int().min(0).max(A_YEAR_SECONDS).optional(),
    copies: z.int().min(1).max(10).optional(),
  }),
  z.strictObject({
    on: z.enum(CALL_NAMES),
    do: z.enum([...BEFORE_COMMIT, ...AFTER_COMMIT]),
    ...aboutAnyFault,
  }),
]);
export type AddFault = z.output<typeof AddFault>;

export function faultFrom(rule: AddFault): Omit<Fault, 'id'> {
  const isOnWebhook = rule.on === 'webhook';
  return {
    on: rule.on,
    do: rule.do,
    times: rule.times ?? null,
    resource_uid: rule.resource_uid ?? null,
    delay_seconds: (isOnWebhook ? rule.delay_seconds : undefined) ?? DEFAULT_DELAY_SECONDS,
    copies: (isOnWebhook ? rule.copies : undefined) ?? 1,
  };
}

export const SetWebhook = z
  .strictObject({ url: z.url({ protocol: /^https?$/ }).optional(), secret: z.string().min(1).optional() })
  .refine(({ url, secret }) => url !== undefined || secret !== undefined, 'must hold url, secret or both');

export const RevokeGrants = z.strictObject({ grant: z.string().optional() });
export const LedgerQuery = z.strictObject({ since: z.coerce.number().int().min(0).optional() });
export const Nothing = z.strictObject({});
