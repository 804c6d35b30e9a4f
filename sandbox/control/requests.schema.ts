// The request bodies of the control API. Strict, so that a misspelt field is refused instead of ignored.
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

export const SetClock = z.strictObject({ now: z.iso.datetime() });
export const OmitFromReport = z.strictObject({ omitted: z.boolean() });

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

/** In `SetLimits` and `SetOrganisation`, omitted fields do not change. */
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

/** The registered scopes of the application from now on. Earlier consents do not change. */
export const SetApplication = z.strictObject({
  scopes: z.array(z.string().refine((scope) => SCOPES.has(scope), 'must be a scope of the provider')).min(1),
});
export const SetOAuth = z.strictObject({ grace_seconds: z.int().min(0).max(300) });
export const SetSeed = z.strictObject({
  seed: z.union([z.string().min(1).max(200), z.number().transform(String)]),
});

export const SetWebhook = z
  .strictObject({ url: z.url({ protocol: /^https?$/ }).optional(), secret: z.string().min(1).optional() })
  .refine(({ url, secret }) => url !== undefined || secret !== undefined, 'must contain url, secret or both');

export const RevokeGrants = z.strictObject({ grant: z.string().optional() });

/** Only calls have an `operation`. Only entries about a resource have a `resource_uid`. */
export const LedgerFilter = z.strictObject({
  kind: LedgerKind.optional(),
  operation: z.string().optional(),
  resource_uid: z.string().optional(),
});
export type LedgerFilter = z.output<typeof LedgerFilter>;
export const LedgerQuery = LedgerFilter.extend({ since: z.coerce.number().int().min(0).optional() });
export const Nothing = z.strictObject({});

// The body that adds a fault. Strict: a rule that could never apply is refused.
const aboutAny = {
  /** How many times the fault applies. If absent, until it is removed. */
  times: z.int().min(1).optional(),
  /** The share of matching calls or events that the fault affects; 1 affects all. */
  share: z.number().gt(0).max(1).optional(),
  /** `resource` draws per resource, so that the order of calls to other resources does not change the draws. */
  share_by: z.enum(['order', 'resource']).optional(),
  /** A resource's uid. For a webhook also its agreement's uid, for a token call the grant's id. */
  resource_uid: Uid.optional(),
  ...FaultParameters.shape,
};

/** A fault rule. Each action has its own parameters and refuses all others. */
export const AddFault = z
  .discriminatedUnion('on', [
    z.strictObject({ on: z.literal('webhook'), do: z.enum(ON_WEBHOOK), ...aboutAny }),
    z.strictObject({ on: z.literal('token'), do: z.enum([...ON_ANSWER, ...ON_TOKEN]), ...aboutAny }),
    z.strictObject({ on: z.enum([...API_CALLS, '*']), do: z.enum([...ON_ANSWER, ...ON_READ]), ...aboutAny }),
  ])
  .superRefine((rule, context) => {
    for (const name of Object.keys(FaultParameters.shape)) {
      if (!(name in rule) || name in DEFAULTS[rule.do]) continue;
      context.addIssue({ code: 'custom', path: [name], message: `is not a parameter of ${rule.do}` });
    }
  });
export type AddFault = z.output<typeof AddFault>;

/** The complete rule, with defaults for omitted fields. */
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
