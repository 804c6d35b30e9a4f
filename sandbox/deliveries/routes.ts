// The operations on webhooks and their deliveries. No call creates, changes or removes a webhook.
import { z } from 'zod';
import { operation, type Registration } from '../calls/operation.js';
import type { Engine } from '../engine/parts.js';
import { pagingHeaders, readPage, readCorePerPage } from '../http/paging.js';
import { refuseInASentence, parseOrRefuse, refuse } from '../http/refusal.js';
import { commaSeparated } from '../http/wire.schema.js';
import type { Delivery } from '../store/webhook.schema.js';
import { CoreInstant } from '../time/sydney.js';
import { isListed, KEPT_MS, publicState, PublicState } from '../webhooks/delivery.js';
import {
  webhookRecord,
  formatDelivery,
  refsOf,
  isConfiguredWebhook,
  formatDeliveryInFull,
  WEBHOOK_ID,
} from './formatter.js';

// The provider lists deliveries of the last 7 days. We use the sandbox's clock (docs/provider.md#webhooks-deliveries).

/** Newest first. */
function keptDeliveries({ store, clock }: Engine): Delivery[] {
  const oldest = clock.now() - KEPT_MS;
  const isKept = (delivery: Delivery): boolean => Date.parse(delivery.created_at) >= oldest;
  return [...store.deliveries.values()].filter((it) => isListed(it) && isKept(it)).toReversed();
}

/** @throws Refusal 404 with one sentence, as for all core resources. Also for a delivery that is no longer listed. */
function findDelivery(engine: Engine, id: string): Delivery {
  const delivery = keptDeliveries(engine).find((it) => it.id === id);
  if (delivery !== undefined) return delivery;
  throw refuseInASentence(404, `There is no webhook delivery ${id}`);
}

// The filter `response_status_code` (docs/provider.md#webhooks-deliveries): codes, ranges `<low>-<high>` and `null`, separated by commas.
// Version 20260101 has the ranges `2xx`, `4xx` and `5xx`.
const ITEM = /^(?:null|(?<family>[245])xx|(?<low>\d{3})(?:-(?<high>\d{3}))?)$/;

type Range = { low: number; high: number } | null;

/** The requested ranges; null matches deliveries without a response. */
const StatusFilter = z
  .string()
  .transform((list) => list.split(',').map(rangeOf))
  .refine((items) => items.every((item) => item !== undefined), {
    error: 'each item must be a status code, a range such as 500-599, or null',
  })
  .transform((items) => items.filter((item) => item !== undefined));
type StatusFilter = z.output<typeof StatusFilter>;

function rangeOf(item: string): Range | undefined {
  const match = ITEM.exec(item);
  if (match === null) return undefined;
  const { family, low, high = low } = match.groups ?? {};
  if (family !== undefined) return { low: Number(family) * 100, high: Number(family) * 100 + 99 };
  if (low === undefined) return null;
  const range = { low: Number(low), high: Number(high) };
  return range.low <= range.high ? range : undefined;
}

function hasStatus(code: number | null, filter: StatusFilter): boolean {
  return filter.some((item) =>
    item === null ? code === null : code !== null && code >= item.low && code <= item.high,
  );
}

const WebhooksQuery = z.strictObject({ page: z.string().optional(), per_page: z.string().optional() });

// GET /webhooks: lists the only webhook.
const listWebhooks = operation(
  { name: 'list_webhooks', method: 'GET', path: '/webhooks', scope: 'webhooks' },
  ({ path, query }, engine) => {
    const request = parseOrRefuse(WebhooksQuery, query);
    const perPage = readCorePerPage(request.per_page);
    const isFirst = readPage(request.page) === 1;
    const data = isFirst ? [webhookRecord(engine.settings)] : [];
    const headers = pagingHeaders(engine.settings.baseUrl, { path, query }, perPage, undefined);
    return { status: 200, body: { data }, headers };
  },
);

const Query = z.strictObject({
  event_type: z.string().optional(),
  since: CoreInstant.optional(),
  state: commaSeparated(PublicState).optional(),
  response_status_code: StatusFilter.optional(),
  ref: z.string().optional(),
  per_page: z.string().optional(),
  starting_after: z.string().optional(),
});
type Query = z.output<typeof Query>;

// GET /webhooks/{webhook_id}/deliveries: newest first, filtered. Integrators read it after an outage.
const listDeliveries = operation(
  { name: 'list_webhook_deliveries', method: 'GET', path: '/webhooks/:id/deliveries', scope: 'webhooks' },
  ({ uid, path, query }, engine) => {
    if (!isConfiguredWebhook(uid)) throw refuseInASentence(404, `There is no webhook ${uid}`);
    const request = parseOrRefuse(Query, query);
    const perPage = readCorePerPage(request.per_page);
    const kept = keptDeliveries(engine);
    const wanted = kept.slice(startOf(kept, request.starting_after)).filter((it) => isWanted(it, request));
    const page = wanted.slice(0, perPage);
    const last = wanted.length > perPage ? page.at(-1) : undefined;
    const onward = last && { starting_after: last.id };
    return {
      status: 200,
      body: { data: page.map(formatDelivery) },
      headers: pagingHeaders(engine.settings.baseUrl, { path, query }, perPage, onward),
    };
  },
);

function startOf(deliveries: readonly Delivery[], after: string | undefined): number {
  if (after === undefined) return 0;
  const index = deliveries.findIndex(({ id }) => id === after);
  if (index !== -1) return index + 1;
  throw refuse(400, 'Validation Failed', 'starting_after must be the id of a delivery of this webhook');
}

function isWanted(delivery: Delivery, asked: Query): boolean {
  const { event_type: type, since, state: states, response_status_code: codes, ref } = asked;
  return (
    (type === undefined || type === delivery.event_type) &&
    (since === undefined || Date.parse(delivery.created_at) >= since) &&
    (states?.includes(publicState(delivery)) ?? true) &&
    (codes === undefined || hasStatus(delivery.response_status_code, codes)) &&
    (ref === undefined || refsOf(delivery).includes(ref))
  );
}

// GET /webhook_deliveries/{id}: one delivery with its payload.
const getDelivery = operation(
  { name: 'get_webhook_delivery', method: 'GET', path: '/webhook_deliveries/:id', scope: 'webhooks' },
  ({ uid }, engine) => ({
    status: 200,
    body: { data: formatDeliveryInFull(findDelivery(engine, uid)) },
  }),
);

const Nothing = z.strictObject({});

// POST /webhook_deliveries/{id}/redeliver: answers 202 and makes one more attempt with a new time and signature.
// Documented only for failed deliveries. We accept all of them; one that is in flight does not change.
const redeliverWebhook = operation(
  {
    name: 'redeliver_webhook',
    method: 'POST',
    path: '/webhook_deliveries/:id/redeliver',
    scope: 'webhooks',
    bodyIsOptional: true,
  },
  ({ uid, body }, engine) => {
    parseOrRefuse(Nothing, body);
    const delivery = findDelivery(engine, uid);
    engine.webhooks.redeliver(delivery);
    return { status: 202, body: { data: { id: delivery.id, webhook_id: WEBHOOK_ID, state: 'pending' } } };
  },
);

export const WEBHOOK_ROUTES: readonly Registration[] = [
  listWebhooks,
  listDeliveries,
  getDelivery,
  redeliverWebhook,
];
