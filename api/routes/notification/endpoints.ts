// Notifications that belong to no resource: list, get, and acknowledge.
import { z } from 'zod';
import { AcknowledgeNotification } from '../../../domain/float/resolution.schema.js';
import type { NotificationView } from '../../../workflows/notification/contract.js';
import { Attention, InstantSchema } from '../../http/answer-parts.schema.js';
import { bodyOf, contract, endpoint, json, type Endpoint } from '../../http/contract.js';
import { listQuery } from '../../http/list-parameters.schema.js';
import { NotificationParams } from '../../http/parameters.schema.js';
import type { Gateway } from '../../gateway/create.js';
import { linksOf, pathTo, type TemporalUi } from '../links.js';
import { answerOf, apiResource, getOf, listOf } from '../resource.js';
import { acknowledgeNotifications } from './acknowledge-all.js';

const STATES = ['open', 'acknowledged'] as const;

const Notification = z
  .object({
    id: z
      .string()
      .meta({ description: 'Consists of type and id of the event. Encode its slash as %2F in a path.' }),
    type: z.string().meta({ description: 'The type that the provider gave the event.' }),
    resource_type: z.string().meta({ description: 'What the event is about, as its sender names it.' }),
    state: z.enum(STATES).meta({ description: '`open` waits for a person. `acknowledged` is final.' }),
    published_at: InstantSchema.meta({ description: 'When the provider published it, by its own clock.' }),
    received_at: InstantSchema.meta({ description: 'When the API received it.' }),
    authenticated: z.boolean().meta({ description: 'Whether it certainly came from the provider.' }),
    named_connection: z.string().nullable().meta({
      description: 'The connection in the address that received it. The sender chose it.',
    }),
    detail: z.record(z.string(), z.unknown()).nullable().meta({
      description: 'The other fields of the event, as the provider sent them. Null if it has none.',
    }),
    acknowledgement: z
      .object({ by: z.string(), reason: z.string(), at: InstantSchema })
      .nullable()
      .meta({ description: 'Who has acknowledged it, and why. Null while it is open.' }),
    attention: z.array(Attention),
    links: z.object({
      self: z.string(),
      acknowledgement: z.string(),
      temporal_ui: z.string().nullable(),
    }),
  })
  .meta({ id: 'Notification' });
type Notification = z.output<typeof Notification>;

export const notificationAnswer = (
  ui: TemporalUi,
  { uid, state, resourceType, fact, acknowledgement, attention }: NotificationView,
): Notification => ({
  ...{ id: uid, type: fact.type, resource_type: resourceType, state },
  ...{ published_at: fact.publishedAt, received_at: fact.receivedAt, authenticated: fact.authenticated },
  ...{ named_connection: fact.namedConnectionId ?? null, detail: fact.detail ?? null },
  ...{
    acknowledgement: acknowledgement ?? null,
    attention,
    links: linksOf(ui, 'notification', uid, {
      acknowledgement: `${pathTo('notification', uid)}/acknowledgement`,
    }),
  },
});

const NOTIFICATION = apiResource<{
  View: NotificationView;
  Answer: Notification;
  Gateway: Gateway['notifications'];
}>({
  name: 'notification',
  tag: 'operations',
  gateway: ({ notifications }) => notifications,
  schema: Notification,
  answer: notificationAnswer,
  parameter: { name: 'notification', schema: NotificationParams },
});

const acknowledged = contract({
  method: 'post',
  path: '/v1/notifications/{notification}/acknowledgement',
  operationId: 'acknowledgeNotification',
  tags: ['operations'],
  summary: 'Acknowledge a notification that was read (idempotent)',
  description:
    'Call this after a person has read the notification and done what it requires. ' +
    'It lowers the flag `orphan`, ends the workflow of the notification and sends `notification.acknowledged`; nothing changes at the provider. ' +
    'A repeat changes nothing and keeps the first reason.',
  task: 'float.md#acknowledge-notifications',
  access: 'operate',
  connection: 'none',
  request: { params: NotificationParams, body: bodyOf(AcknowledgeNotification) },
  answers: { 200: json('The notification is acknowledged.', NOTIFICATION.one) },
  problems: [404, 429, 503],
});

const acknowledgeNotification = endpoint(acknowledged, (dependencies) => async (c) => {
  const { notification } = c.req.valid('param');
  const given = { reason: c.req.valid('json').reason, by: c.get('principal') };
  const view = await dependencies.temporal.notifications.acknowledge(notification, given);
  return c.json(await answerOf(NOTIFICATION, dependencies, c, view), 200);
});

export const notificationEndpoints: readonly Endpoint[] = [
  listOf(NOTIFICATION, {
    summary: 'List notifications that belong to no resource',
    description:
      'Unknown events, disputes, and events that could not be read wait here. Nothing else handles them: a person reads each, acts, and acknowledges it.',
    task: 'float.md#read-other-notifications',
    query: listQuery(STATES),
  }),
  getOf(NOTIFICATION, {
    summary: 'Get a notification that belongs to no resource',
    description:
      'Shows the event as the provider sent it, and whether a person has acknowledged it. Then act at the provider, and call `POST /v1/notifications/{notification}/acknowledgement`.',
    task: 'float.md#read-other-notifications',
    answered: 'The notification as it is stored.',
  }),
  acknowledgeNotification,
  acknowledgeNotifications,
];
