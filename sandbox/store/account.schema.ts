// The provider's settings for the account: limits, permissions and scopes. The control API can change them. Data only.
import { z } from 'zod';
import { ApiVersion } from '../http/request.js';
import { SCOPES } from '../http/scopes.js';

const Count = z.int().min(0);

/** The limits of an account (docs/provider.md#limits). Null means no limit. We chose the numbers that are not documented. */
export const Limits = z.object({
  agreements_per_account_per_day: Count,
  /** Documented: 6 attempts in 24 hours. */
  agreements_per_debtor_per_day: Count,
  payments_daily_cents: Count.nullable(),
  payment_cents: Count.nullable(),
  alias_lookups_per_account_per_day: Count,
  alias_lookups_per_ip_per_day: Count,
  alias_lookups_per_requester_per_day: Count,
  account_validations_per_day: Count,
  account_validations_per_requester_per_day: Count,
  account_no_matches_per_day: Count,
  requester_no_matches_per_day: Count,
});
export type Limits = z.output<typeof Limits>;

export const Account = z.object({
  limits: Limits,
  /** Allows clients below the second level (docs/provider.md#limits). */
  deep_hierarchy: z.boolean(),
  /** Allows payments to name the debtor (docs/provider.md#payments-creation). */
  custom_debtor: z.boolean(),
  /** Calls with a lower version, or without one, are refused (docs/provider.md#versions). */
  minimum_version: ApiVersion.nullable(),
  /** The registered scopes of the application. A consent cannot include other scopes. */
  scopes: z.array(z.string()),
  /** How long a used refresh token returns the same token pair again. With 0 it never does. */
  grace_seconds: z.int().min(0),
});
export type Account = z.output<typeof Account>;

export const newAccount = (): Account => ({
  limits: {
    agreements_per_account_per_day: 10_000,
    agreements_per_debtor_per_day: 6,
    payments_daily_cents: null,
    payment_cents: null,
    alias_lookups_per_account_per_day: 10_000,
    alias_lookups_per_ip_per_day: 100,
    alias_lookups_per_requester_per_day: 20,
    account_validations_per_day: 10_000,
    account_validations_per_requester_per_day: 50,
    account_no_matches_per_day: 1000,
    requester_no_matches_per_day: 5,
  },
  deep_hierarchy: false,
  custom_debtor: false,
  minimum_version: null,
  scopes: [...SCOPES.keys()],
  grace_seconds: 0,
});
