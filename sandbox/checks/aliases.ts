// POST /payto/alias_resolution: resolves an alias to a name. Every look-up counts towards the limits, found or not.
import { z } from 'zod';
import { operation, type Answer } from '../calls/operation.js';
import type { Engine } from '../engine/parts.js';
import { DETAILS, TITLES } from '../http/error-codes.js';
import { Refusal, parseOrRefuse, refuseByCode } from '../http/refusal.js';
import { AccountType, RequestAccountIdentifier, Uid } from '../http/wire.schema.js';
import { count, usedUp, type DayLimit } from './limits.js';

// The body of POST /payto/alias_resolution (docs/provider.md#checks, #provider-sandbox).
const AliasSimulation = z.enum(['alias_found', 'alias_not_found', 'service_unavailable']);
type AliasSimulation = z.output<typeof AliasSimulation>;

const AliasType = AccountType.exclude(['bban']);

const ResolveAlias = z
  .strictObject({
    type: AliasType,
    value: z.string(),
    /** The end user who makes the look-up, and their address. */
    requester: z.strictObject({ id: Uid, remote_ip: z.union([z.ipv4(), z.ipv6()], 'must be an IP address') }),
    sandbox: z.strictObject({ simulate: AliasSimulation, display_name: z.string().optional() }).optional(),
  })
  .refine(({ type, value }) => RequestAccountIdentifier.safeParse({ type, value }).success, {
    path: ['value'],
    error: 'does not match its type',
  });
type ResolveAlias = z.output<typeof ResolveAlias>;

const RETRY_AFTER_SECONDS = 30;

const ANSWERS: Record<AliasSimulation, (displayName?: string) => Answer> = {
  alias_found: (displayName = 'Sandbox User') => ({
    status: 200,
    body: { data: { display_name: displayName } },
  }),
  alias_not_found: () => {
    throw refuseByCode('ZPADD01');
  },
  service_unavailable: () => {
    throw new Refusal(503, [{ code: 'ZPADD98', title: TITLES.ZPADD98, detail: DETAILS.ZPADD98 }], {
      'Retry-After': String(RETRY_AFTER_SECONDS),
    });
  },
};

/** An alias that is always unknown, for callers that cannot send the `sandbox` field. Specific to this sandbox. */
const UNKNOWN_ALIAS = 'unknown@payer.example';

const endingOf = ({ sandbox, value }: ResolveAlias): AliasSimulation =>
  sandbox?.simulate ?? (value === UNKNOWN_ALIAS ? 'alias_not_found' : 'alias_found');

export const resolveAlias = operation(
  { name: 'resolve_alias', method: 'POST', path: '/payto/alias_resolution', scope: 'pay_to_aliases' },
  ({ body }, engine) => {
    const request = parseOrRefuse(ResolveAlias, body);
    const limits = limitsOf(engine, request);
    const reached = usedUp(engine, limits);
    if (reached !== undefined) {
      throw refuseByCode(reached.code);
    }
    count(engine, limits);
    return ANSWERS[endingOf(request)](request.sandbox?.display_name);
  },
);

function limitsOf({ settings: { limits } }: Engine, { requester }: ResolveAlias): DayLimit[] {
  return [
    { key: 'alias/account', limit: limits.alias_lookups_per_account_per_day, code: 'ZPADD02' },
    { key: `alias/ip/${requester.remote_ip}`, limit: limits.alias_lookups_per_ip_per_day, code: 'ZPADD03' },
    {
      key: `alias/requester/${requester.id}`,
      limit: limits.alias_lookups_per_requester_per_day,
      code: 'ZPADD04',
    },
  ];
}
