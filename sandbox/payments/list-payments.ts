// GET /payto/payments: newest first, filtered by state, agreement, initiator, day of creation and refunds (facts 6).
import { z } from 'zod';
import type { Engine } from '../engine.js';
import { formatPayment } from './format-payment.js';
import { PaymentState, type Payment } from './payment.schema.js';
import { registerOperation } from '../http/operation.js';
import { pageOf, pagingParameters } from '../http/paging.js';
import { refusalFrom } from '../http/refusal.js';
import type { Router } from '../http/responses.js';
import { sydneyDay } from '../time/sydney.js';
import { Day } from '../http/wire.schema.js';

const OPERATION = {
  name: 'list_payments',
  method: 'GET',
  path: '/payto/payments',
  scope: 'pay_to_payments',
} as const;

const Query = z.strictObject({
  ...pagingParameters,
  state: z
    .string()
    .transform((list) => list.split(','))
    .pipe(z.array(PaymentState))
    .optional(),
  agreement_uid: z.string().optional(),
  agreement_initiator_name: z.string().optional(),
  min_created_date: Day.optional(),
  max_created_date: Day.optional(),
  /** What holds without it is not documented: the payments of refunds are included. */
  refunds: z.enum(['included', 'excluded', 'only']).default('included'),
});
type Query = z.output<typeof Query>;

export function registerListPayments(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ path, query, version }) => {
    const parsed = Query.safeParse(query);
    if (!parsed.success) throw refusalFrom(parsed.error);
    const wanted = [...engine.store.payments.values()].filter((it) => isWanted(engine, it, parsed.data));
    const page = pageOf(wanted.toReversed(), ({ uid }) => uid, { path, query });
    const data = page.items.map((it) => formatPayment(it, engine.settings.baseUrl, version));
    return { status: 200, body: { data, links: page.links } };
  });
}

function isWanted({ store }: Engine, payment: Payment, query: Query): boolean {
  const initiator = store.agreements.get(payment.agreement_uid)?.initiator.name;
  const day = (): string => sydneyDay(Date.parse(payment.created_at));
  return (
    (query.state?.includes(payment.state) ?? true) &&
    (query.agreement_uid ?? payment.agreement_uid) === payment.agreement_uid &&
    (query.agreement_initiator_name ?? initiator) === initiator &&
    (query.refunds === 'included' || (query.refunds === 'only') === (payment.source_refund_uid !== null)) &&
    (query.min_created_date === undefined || day() >= query.min_created_date) &&
    (query.max_created_date === undefined || day() <= query.max_created_date)
  );
}
