// GET /payto/refunds: newest first, filtered by the original payment and the day of creation (facts 6).
import { z } from 'zod';
import type { Engine } from '../engine.js';
import { formatRefund } from './format-refund.js';
import { registerOperation } from '../http/operation.js';
import { pageOf, pagingParameters } from '../http/paging.js';
import { refusalFrom } from '../http/refusal.js';
import type { Refund } from './refund.schema.js';
import type { Router } from '../http/responses.js';
import { sydneyDay } from '../time/sydney.js';
import { Day } from '../http/wire.schema.js';

const OPERATION = {
  name: 'list_refunds',
  method: 'GET',
  path: '/payto/refunds',
  scope: 'pay_to_refunds',
} as const;

const Query = z.strictObject({
  ...pagingParameters,
  original_payment_uid: z.string().optional(),
  min_created_date: Day.optional(),
  max_created_date: Day.optional(),
});
type Query = z.output<typeof Query>;

export function registerListRefunds(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ path, query }) => {
    const parsed = Query.safeParse(query);
    if (!parsed.success) throw refusalFrom(parsed.error);
    const wanted = [...engine.store.refunds.values()].filter((it) => isWanted(it, parsed.data));
    const page = pageOf(wanted.toReversed(), ({ uid }) => uid, { path, query });
    const data = page.items.map((it) => formatRefund(it, engine.settings.baseUrl));
    return { status: 200, body: { data, links: page.links } };
  });
}

function isWanted({ original_payment_uid, created_at }: Refund, query: Query): boolean {
  const day = (): string => sydneyDay(Date.parse(created_at));
  return (
    (query.original_payment_uid ?? original_payment_uid) === original_payment_uid &&
    (query.min_created_date === undefined || day() >= query.min_created_date) &&
    (query.max_created_date === undefined || day() <= query.max_created_date)
  );
}
