// What the control routes take. Strict, so that a mistyped field is refused instead of doing nothing.
import { z } from 'zod';
import { ServiceAction } from '../agreements/life.js';
import {
  DEFAULTS,
  FaultParameters,
  ON_ANSWER,
  ON_READ,
  ON_TOKEN,
  ON_WEBHOOK,
} from '../faults/actions.schema.js';
import { API_CALLS } from '../faults/rule.schema.js';
import type { NewFault } from '../faults/selection.js';
import { ApiVersion } from '../http/request.js';
import { SCOPES } from '../http/scopes.js';
import { DelaySeconds, Uid } from '../http/wire.schema.js';
import { PayerAction } from '../payer/actions.js';
import { Limits } from '../store/account.schema.js';
import { PayerSimulation } from '../store/agreement.schema.js';
import { ServiceName, ServiceStatus } from '../store/client.schema.js';
import { LedgerKind } from '../store/ledger.schema.js';
import { PaymentOutcome, PaymentSimulation } from '../store/payment.schema.js';

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
  kind: LedgerKind.optional(),
  operation: z.string().optional(),
  resource_uid: z.string().optional(),
});
export type LedgerFilter = z.output<typeof LedgerFilter>;
export const LedgerQuery = LedgerFilter.extend({ since: z.coerce.number().int().min(0).optional() });
export const Nothing = z.strictObject({});

// What the control routes take as a fault. Strict: a rule that could never do anything is refused, not kept.
const aboutAny = {
  /** Without it, until it is removed. */
  times: z.int().min(1).optional(),
  /** Of the calls or events that fit; 1 is each of them. */
  share: z.number().gt(0).max(1).optional(),
  /** `resource`: the same calls of a resource are met whatever comes between them, and in whatever order. */
  share_by: z.enum(['order', 'resource']).optional(),
  /** A resource's uid; of a webhook also its agreement's, of a token call the grant's id. */
  resource_uid: Uid.optional(),
  ...FaultParameters.shape,
};

/** A rule for what shall go wrong. Each action knows its own parameters: any other is refused. */
export const AddFault = z
  .discriminatedUnion('on', [
    z.strictObject({ on: z.literal('webhook'), do: z.enum(ON_WEBHOOK), ...aboutAny }),
    z.strictObject({ on: z.literal('token'), do: z.enum([...ON_ANSWER, ...ON_TOKEN]), ...aboutAny }),
    z.strictObject({ on: z.enum([...API_CALLS, '*']), do: z.enum([...ON_ANSWER, ...ON_READ]), ...aboutAny }),
  ])
  .superRefine((rule, context) => {
    for (const name of Object.keys(FaultParameters.shape)) {
      if (!(name in rule) || name in DEFAULTS[rule.do]) continue;
      context.addIssue({ code: 'custom', path: [name], message: `means nothing to ${rule.do}` });
    }
  });
export type AddFault = z.output<typeof AddFault>;

/** The whole rule, with what holds where nothing was said. */
export function faultFrom(asked: AddFault): NewFault {
  const { on, do: action, times = null, share = 1, share_by = 'order', resource_uid = null } = asked;
  const parameters = Object.fromEntries(
    Object.entries(DEFAULTS[action]).map(([name, usual]: [string, unknown]) => {
      const given: unknown = Reflect.get(asked, name);
      return [name, given === undefined ? usual : given];
    }),
  );
  return { ...FaultParameters.parse(parameters), on, do: action, times, share, share_by, resource_uid };
}
