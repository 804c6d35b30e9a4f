// GET /payto/agreements: newest first, filtered by state, initiator and day of creation.
import { z } from 'zod';
import type { Engine } from '../engine.js';
import { AgreementState, type Agreement } from './agreement.schema.js';
import { formatAgreement } from './format-agreement.js';
import { registerOperation } from '../http/operation.js';
import { pageOf, pagingParameters } from '../http/paging.js';
import { refusalFrom } from '../http/refusal.js';
import type { Router } from '../http/responses.js';
import { sydneyDay } from '../time/sydney.js';
import { Day } from '../http/wire.schema.js';

const OPERATION = {
  name: 'list_agreements',
  method: 'GET',
  path: '/payto/agreements',
  scope: 'pay_to_agreements',
} as const;

const Query = z.strictObject({
  ...pagingParameters,
  state: z
    .string()
    .transform((list) => list.split(','))
    .pipe(z.array(AgreementState))
    .optional(),
  initiator_name: z.string().optional(),
  min_created_date: Day.optional(),
  max_created_date: Day.optional(),
});
type Query = z.output<typeof Query>;

export function registerListAgreements(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ path, query, version }) => {
    const parsed = Query.safeParse(query);
    if (!parsed.success) throw refusalFrom(parsed.error);
    const wanted = [...engine.store.agreements.values()].filter((it) => isWanted(it, parsed.data));
    const page = pageOf(wanted.toReversed(), ({ uid }) => uid, { path, query });
    const data = page.items.map((it) => formatAgreement(it, engine.settings.baseUrl, version));
    return { status: 200, body: { data, links: page.links } };
  });
}

function isWanted({ state, initiator, created_at }: Agreement, query: Query): boolean {
  const day = (): string => sydneyDay(Date.parse(created_at));
  return (
    (query.state?.includes(state) ?? true) &&
    (query.initiator_name === undefined || query.initiator_name === initiator.name) &&
    (query.min_created_date === undefined || day() >= query.min_created_date) &&
    (query.max_created_date === undefined || day() <= query.max_created_date)
  );
}
