// In:  GET /v1/agreements/{uid}/payments.
// Out: api/temporal/door.ts asks workflows/agreement/workflow.ts for its ledger.
import { createRoute } from '@hono/zod-openapi';
import type { ApiDependencies } from '../dependencies.js';
import type { Router } from '../env.js';
import { notFound } from '../errors.js';
import { agreementLinks, nextPage, paymentLinks } from '../links.js';
import { pageOf } from '../paging.js';
import { PagingQuery, UidParams } from '../schemas/parameters.schema.js';
import { PaymentsAnswer } from '../schemas/payment.schema.js';
import { json, needsKey, problems } from '../contract.js';

const route = createRoute({
  method: 'get',
  path: '/v1/agreements/{uid}/payments',
  operationId: 'listPayments',
  tags: ['payments'],
  summary: 'The payments that were asked for under an agreement',
  ...needsKey('read'),
  request: { params: UidParams, query: PagingQuery },
  responses: {
    200: json('One page, the oldest first.', PaymentsAnswer),
    ...problems(400, 401, 403, 404, 503),
  },
});

export function registerListPayments(router: Router, { temporal, temporalUi }: ApiDependencies): void {
  router.openapi(route, async (c) => {
    const { uid: agreementUid } = c.req.valid('param');
    const { per_page, cursor } = c.req.valid('query');
    const agreement = await temporal.agreements.view(agreementUid);
    if (agreement === undefined) throw notFound('an agreement');
    const { page, next } = pageOf(agreement.payments, (payment) => [payment.requestedAt, payment.uid], {
      per_page,
      cursor,
    });
    const data = page.map(({ uid, amount, requestedAt }) => ({
      uid,
      amount,
      requested_at: requestedAt,
      links: paymentLinks(temporalUi, uid, agreementUid),
    }));
    const links = nextPage(agreementLinks(temporalUi, agreementUid).payments, { per_page }, next);
    return c.json({ data, older_count: agreement.paymentsOlder, links }, 200);
  });
}
