// POST /payto/alias_resolution: the name behind an alias. Whatever is looked up counts, found or not.
import type { Engine } from '../engine.js';
import { TITLES } from '../http/error-codes.js';
import { registerOperation, type Answer } from '../http/operation.js';
import { Refusal, refusalFrom, refuseByCode } from '../http/refusal.js';
import type { Router } from '../http/responses.js';
import { count, usedUp, type DayLimit } from './day-limits.js';
import { ResolveAlias, type AliasSimulation } from './resolve-alias.schema.js';

const OPERATION = {
  name: 'resolve_alias',
  method: 'POST',
  path: '/payto/alias_resolution',
  scope: 'pay_to_aliases',
} as const;

const RETRY_AFTER_SECONDS = 30;

const ANSWERS: Record<AliasSimulation, () => Answer> = {
  alias_found: () => ({ status: 200, body: { data: { display_name: 'Sandbox User' } } }),
  alias_not_found: () => {
    throw refuseByCode('ZPADD01', 'The alias is not known to the addressing service');
  },
  service_unavailable: () => {
    const detail = 'The addressing service is down for the moment';
    throw new Refusal(503, [{ code: 'ZPADD98', title: TITLES.ZPADD98, detail }], {
      'Retry-After': String(RETRY_AFTER_SECONDS),
    });
  },
};

export function registerResolveAlias(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ body }) => {
    const parsed = ResolveAlias.safeParse(body);
    if (!parsed.success) throw refusalFrom(parsed.error);
    const limits = limitsOf(engine, parsed.data);
    const reached = usedUp(engine, limits);
    if (reached !== undefined) {
      throw refuseByCode(reached.code, `${reached.limit} look-ups in 24 hours are allowed`);
    }
    count(engine, limits);
    return ANSWERS[parsed.data.sandbox?.simulate ?? 'alias_found']();
  });
}

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
