// The deliveries of an endpoint for webhooks: list them, send one again, and send a test.
import { z } from 'zod';
import { UidSchema } from '../../../domain/agreement/mandate.schema.js';
import { DELIVERY_OUTCOMES } from '../../../records/webhook-endpoint-deliveries.js';
import { contract, endpoint, json, noBody, type Endpoint } from '../../http/contract.js';
import { scopedKey } from '../../http/idempotency.js';
import { readCursor, writeCursor } from '../../http/paging.js';
import { KEY_HEADER, OptionalKeyHeaders, paging } from '../../http/parameters.schema.js';
import { isNear } from '../../../domain/time/near.js';
import { found } from '../../http/problems/errors.js';
import { nextPage } from '../links.js';
import { CONTROL, controlledEndpoint, ownEndpoint } from './access.js';
import { DeliveriesPage, DeliveryAnswer, deliveryAnswer, pathOfDeliveries } from './answer.schema.js';
import { DeliveryParams, EndpointParams } from './request.schema.js';

const PATH = '/v1/webhook-endpoints/{id}';
const SHARED = { tags: ['webhooks'] as ['webhooks'], connection: 'filtered' } as const;
/** The type of test events, which are not in the feed. */
const TEST = 'webhook_endpoint.test';

const DeliveriesQuery = z.strictObject({
  outcome: z.enum(DELIVERY_OUTCOMES).optional().meta({ description: 'Only attempts that ended so.' }),
  event: z
    .string()
    .regex(/^evt_[\w-]{1,64}$/, 'expected the id of an event')
    .optional()
    .meta({ description: 'Only attempts to deliver the event with this id.' }),
  ...paging,
});

/** Of `DeliveryPlace`. */
const Position = z.tuple([z.iso.datetime({ precision: 6 }).refine(isNear), UidSchema]);

const listed = contract({
  ...SHARED,
  method: 'get',
  path: `${PATH}/deliveries`,
  operationId: 'listWebhookDeliveries',
  summary: 'List the deliveries of a webhook endpoint',
  description:
    'Call this to find out why events do not arrive. It lists each attempt to deliver an event, newest first, with the status and the start of the receiver’s answer. ' +
    'Send one again with `POST /v1/webhook-endpoints/{id}/deliveries/{delivery}/resend`. Attempts are kept for 30 days by default.',
  task: 'events.md#read-deliveries',
  access: 'read',
  request: { params: EndpointParams, query: DeliveriesQuery },
  answers: { 200: json('The answer has a page of attempts.', DeliveriesPage) },
  problems: [404, 503],
});

const listDeliveries = endpoint(listed, ({ temporal }) => async (c) => {
  const { id } = c.req.valid('param');
  const { cursor, per_page: limit, outcome, event } = c.req.valid('query');
  const before = cursor === undefined ? undefined : readCursor(Position, cursor);
  await ownEndpoint(c, temporal, id, 'read');
  const request = { outcome, eventId: event, before, limit };
  const { deliveries, next } = await temporal.webhookEndpoints.deliveries(id, request);
  const query = { outcome, event, per_page: limit };
  const links = nextPage(pathOfDeliveries(id), query, next && writeCursor(next));
  const scopes = c.get('apiKey')?.scopes;
  return c.json({ data: deliveries.map((one) => deliveryAnswer(one, scopes)), links }, 200);
});

const SEND = {
  ...SHARED,
  method: 'post' as const,
  access: 'write' as const,
  isAudited: true as const,
  answers: {
    200: json('The attempt was made. `outcome` says whether the receiver has accepted it.', DeliveryAnswer),
  },
  problems: [404, 410, 503] as [404, 410, 503],
};

const resent = contract({
  ...SEND,
  path: `${PATH}/deliveries/{delivery}/resend`,
  operationId: 'resendWebhookDelivery',
  summary: 'Send the event of a delivery again',
  description:
    'Call this after you have corrected the receiver, for an event that was set aside. It makes one attempt now, also while the endpoint is disabled, and answers with its outcome. ' +
    'The event has the same id as before. If this attempt fails, it is not repeated. ' +
    'A repeat with the same `Idempotency-Key` sends nothing; without the header, each request is another attempt. ' +
    CONTROL,
  task: 'events.md#resend-a-delivery',
  request: { params: DeliveryParams, headers: OptionalKeyHeaders, body: noBody },
});

const resendDelivery = endpoint(resent, ({ temporal }) => async (c) => {
  const { id, delivery } = c.req.valid('param');
  const key = c.req.valid('header')[KEY_HEADER];
  await controlledEndpoint(c, temporal, id);
  const { eventId, eventType } = found(await temporal.webhookEndpoints.delivery(id, delivery), 'a delivery');
  const event = eventType === TEST ? ({ test: true } as const) : { eventId };
  const sent = await temporal.webhookEndpoints.sendNow(id, { event, requestKey: key && scopedKey(c, key) });
  return c.json({ data: deliveryAnswer(sent, c.get('apiKey')?.scopes) }, 200);
});

const tested = contract({
  ...SEND,
  path: `${PATH}/test`,
  operationId: 'testWebhookEndpoint',
  summary: 'Send a test event to a webhook endpoint',
  description:
    `Call this after you have created an endpoint or changed its receiver. It makes one attempt now, also while the endpoint is disabled, with an event of the type \`${TEST}\`, ` +
    'and answers with its outcome: `outcome` is `delivered` if the receiver has answered with 2xx. ' +
    'A repeat with the same `Idempotency-Key` sends nothing; without the header, each request is another attempt. ' +
    CONTROL,
  task: 'events.md#send-a-test-event',
  request: { params: EndpointParams, headers: OptionalKeyHeaders, body: noBody },
});

const testEndpoint = endpoint(tested, ({ temporal }) => async (c) => {
  const { id } = c.req.valid('param');
  const key = c.req.valid('header')[KEY_HEADER];
  await controlledEndpoint(c, temporal, id);
  const sending = { event: { test: true }, requestKey: key && scopedKey(c, key) } as const;
  const sent = await temporal.webhookEndpoints.sendNow(id, sending);
  return c.json({ data: deliveryAnswer(sent, c.get('apiKey')?.scopes) }, 200);
});

export const webhookDeliveries: readonly Endpoint[] = [testEndpoint, listDeliveries, resendDelivery];
