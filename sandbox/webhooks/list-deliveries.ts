// GET /webhooks/{webhook_id}/deliveries: newest first, filtered; what an integrator looks through after an outage.
import { z } from 'zod';
import type { Engine } from '../engine.js';
import { CoreInstant } from '../float-accounts/core-instant.js';
import { pagingHeaders, readPerPage } from '../http/core-paging.js';
import { registerOperation } from '../http/operation.js';
import { refusalFrom, refuse, refuseInASentence } from '../http/refusal.js';
import type { Router } from '../http/responses.js';
import { shownState, ShownState } from './delivery-states.js';
import { formatDelivery, refsOf } from './format-delivery.js';
import { keptDeliveries } from './kept-deliveries.js';
import { hasStatus, StatusFilter } from './status-filter.js';
import type { Delivery } from './webhook.schema.js';
import { isOurWebhook } from './webhook-record.js';

const OPERATION = {
  name: 'list_webhook_deliveries',
  method: 'GET',
  path: '/webhooks/:id/deliveries',
  scope: 'webhooks',
} as const;

const Query = z.strictObject({
  event_type: z.string().optional(),
  since: CoreInstant.optional(),
  state: ShownState.optional(),
  response_status_code: StatusFilter.optional(),
  ref: z.string().optional(),
  per_page: z.string().optional(),
  starting_after: z.string().optional(),
});
type Query = z.output<typeof Query>;

export function registerListDeliveries(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ uid, path, query }) => {
    if (!isOurWebhook(uid)) throw refuseInASentence(404, `There is no webhook ${uid}`);
    const parsed = Query.safeParse(query);
    if (!parsed.success) throw refusalFrom(parsed.error);
    const perPage = readPerPage(parsed.data.per_page);
    const kept = keptDeliveries(engine);
    const wanted = kept
      .slice(startOf(kept, parsed.data.starting_after))
      .filter((it) => isWanted(it, parsed.data));
    const page = wanted.slice(0, perPage);
    const last = wanted.length > perPage ? page.at(-1) : undefined;
    const onward = last && { starting_after: last.id };
    return {
      status: 200,
      body: { data: page.map(formatDelivery) },
      headers: pagingHeaders(engine, { path, query }, perPage, onward),
    };
  });
}

function startOf(deliveries: readonly Delivery[], after: string | undefined): number {
  if (after === undefined) return 0;
  const index = deliveries.findIndex(({ id }) => id === after);
  if (index !== -1) return index + 1;
  throw refuse(400, 'Validation Failed', 'starting_after must be the id of a delivery of this webhook');
}

function isWanted(delivery: Delivery, asked: Query): boolean {
  const { event_type: type, since, state, response_status_code: codes, ref } = asked;
  return (
    (type === undefined || type === delivery.event_type) &&
    (since === undefined || Date.parse(delivery.created_at) >= since) &&
    (state === undefined || state === shownState(delivery)) &&
    (codes === undefined || hasStatus(delivery.response_status_code, codes)) &&
    (ref === undefined || refsOf(delivery).includes(ref))
  );
}
