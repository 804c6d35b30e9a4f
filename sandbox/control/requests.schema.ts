// What the control routes take. Strict, so that a mistyped word is refused instead of doing nothing.
import { z } from 'zod';
import { Limits } from '../account.schema.js';
import { DelaySeconds } from '../entities.schema.js';
import { ServiceAction } from '../agreements/service-actions.js';
import { PayerSimulation } from '../agreements/agreement.schema.js';
import { ServiceName, ServiceStatus } from '../clients/client.schema.js';
import { PaymentOutcome, PaymentSimulation } from '../payments/payment.schema.js';
import { PayerAction } from '../agreements/payer.js';
import { SCOPES } from '../http/scopes.js';
import { ApiVersion } from '../http/version.js';

const A_YEAR_SECONDS = 366 * 24 * 60 * 60;

export const AdvanceClock = z.strictObject({ advance_seconds: z.number().min(0).max(A_YEAR_SECONDS) });

/** How the payer will answer an agreement that does not exist yet. */
export const ScriptPayer = z.strictObject({ simulate: PayerSimulation, delay: DelaySeconds.optional() });
export type ScriptPayer = z.output<typeof ScriptPayer>;

export const ScriptPayment = z.strictObject({ simulate: PaymentSimulation, delay: DelaySeconds.optional() });
export type ScriptPayment = z.output<typeof ScriptPayment>;

export const ActAsPayer = z.strictObject({ action: PayerAction });
export const ActAsService = z.strictObject({ action: ServiceAction });
export const ResolvePayment = z.strictObject({ outcome: PaymentOutcome });

export const SetClientService = z.strictObject({ service: ServiceName, status: ServiceStatus });
export const SetMerchantCategory = z.strictObject({ merchant_category_code: z.string() });

/** Of both: what is not named stays as it is. */
export const SetLimits = z.strictObject(Limits.shape).partial();
export type SetLimits = z.output<typeof SetLimits>;
export const SetOrganisation = z
  .strictObject({
    deep_hierarchy: z.boolean(),
    custom_debtor: z.boolean(),
    minimum_version: ApiVersion.nullable(),
  })
  .partial();
export type SetOrganisation = z.output<typeof SetOrganisation>;

/** What the application is registered for from now on. Consents that were given stay as they were. */
export const SetApplication = z.strictObject({
  scopes: z.array(z.string().refine((scope) => SCOPES.has(scope), 'must be a scope of the provider')).min(1),
});
export const SetOAuth = z.strictObject({ grace_seconds: z.int().min(0).max(300) });
export const SetSeed = z.strictObject({
  seed: z.union([z.string().min(1).max(200), z.number().transform(String)]),
});

export const SetWebhook = z
  .strictObject({ url: z.url({ protocol: /^https?$/ }).optional(), secret: z.string().min(1).optional() })
  .refine(({ url, secret }) => url !== undefined || secret !== undefined, 'must hold url, secret or both');

export const RevokeGrants = z.strictObject({ grant: z.string().optional() });

/** `operation` is of calls alone, `resource_uid` of what is about a resource. */
export const LedgerFilter = z.strictObject({
  kind: z.enum(['call', 'token', 'change', 'webhook']).optional(),
  operation: z.string().optional(),
  resource_uid: z.string().optional(),
});
export type LedgerFilter = z.output<typeof LedgerFilter>;
export const LedgerQuery = LedgerFilter.extend({ since: z.coerce.number().int().min(0).optional() });
export const Nothing = z.strictObject({});
