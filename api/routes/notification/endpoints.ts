// Notifications that belong to no resource: list, get, and acknowledge.
import { z } from 'zod';
import { AcknowledgeNotification } from '../../../domain/float/resolution.schema.js';
import type { NotificationView } from '../../../workflows/notification/contract.js';
import { Attention, InstantSchema, NextLink } from '../../http/answer-parts.schema.js';
import { bodyOf, contract, endpoint, json } from '../../http/contract.js';
import { NotificationsQuery } from '../../http/list-parameters.schema.js';
import { NotificationParams } from '../../http/parameters.schema.js';
import { found } from '../../http/problems/errors.js';
import { notificationLinks } from '../links.js';
import type { TemporalUi } from '../links.js';
import { LIST, ONE_PAGE, answerOf } from '../list.js';

const WHAT = 'a notification';

const Notification = z
  .object({
    id: z.string().meta({ description: 'Type and id of the event. Encode its slash in a path.' }),
    type: z.string(),
    resource_type: z.string(),
    state: z.enum(['open', 'acknowledged']),
    published_at: InstantSchema,
    received_at: InstantSchema,
    authenticated: z.boolean().meta({ description: 'Whether it certainly came from the provider.' }),
    named_connection: z.string().nullable().meta({
      description: 'The connection in the address that received it. The sender chose it.',
    }),
    detail: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'Everything else of the event.' }),
    acknowledgement: z.object({ by: z.string(), reason: z.string(), at: InstantSchema }).nullable(),
    attention: z.array(Attention),
    links: z.object({
      self: z.string(),
      acknowledgement: z.string(),
      temporal_ui: z.string().nullable(),
    }),
  })
  .meta({ id: 'Notification' });
const NotificationAnswer = z.object({ data: Notification }).meta({ id: 'NotificationAnswer' });
const NotificationsAnswer = z
  .object({ data: z.array(Notification), links: NextLink })
  .meta({ id: 'NotificationsAnswer' });

const listed = contract({
  ...LIST,
  connection: 'none',
  path: '/v1/notifications',
  operationId: 'listNotifications',
  tags: ['operations'],
  summary: 'List notifications that belong to no resource',
  description: 'Unknown events, disputes, and events that could not be read. Nothing else handles them.',
  request: { query: NotificationsQuery },
  answers: { 200: json(ONE_PAGE, NotificationsAnswer) },
});

const got = contract({
  method: 'get',
  path: '/v1/notifications/{notification}',
  operationId: 'getNotification',
  tags: ['operations'],
  summary: 'Get a notification that belongs to no resource',
  access: 'read',
  connection: 'none',
  request: { params: NotificationParams },
  answers: { 200: json('The notification.', NotificationAnswer) },
  problems: [404, 503],
});

const acknowledged = contract({
  method: 'post',
  path: '/v1/notifications/{notification}/acknowledgement',
  operationId: 'acknowledgeNotification',
  tags: ['operations'],
  summary: 'Acknowledge a notification that was read (idempotent)',
  access: 'operate',
  connection: 'none',
  request: { params: NotificationParams, body: bodyOf(AcknowledgeNotification) },
  answers: { 200: json('The notification.', NotificationAnswer) },
  problems: [404, 429, 503],
});

export const listNotifications = endpoint(listed, (dependencies) => async (c) => {
  const read = dependencies.temporal.notifications.list;
  const query = c.req.valid('query');
  const answer = notificationAnswer;
  return c.json(await answerOf(dependencies, 'notifications', query, { read, answer }), 200);
});

export const getNotification = endpoint(got, ({ temporal, temporalUi }) => async (c) => {
  const view = found(await temporal.notifications.view(c.req.valid('param').notification), WHAT);
  return c.json({ data: notificationAnswer(temporalUi, view) }, 200);
});

export const acknowledgeNotification = endpoint(acknowledged, ({ temporal, temporalUi }) => async (c) => {
  const { notification } = c.req.valid('param');
  const given = { reason: c.req.valid('json').reason, by: c.get('principal') };
  const view = found(await temporal.notifications.acknowledge(notification, given), WHAT);
  return c.json({ data: notificationAnswer(temporalUi, view) }, 200);
});

const notificationAnswer = (
  ui: TemporalUi,
  { uid, state, resourceType, fact, acknowledgement, attention }: NotificationView,
): z.output<typeof Notification> => ({
  ...{ id: uid, type: fact.type, resource_type: resourceType, state },
  ...{ published_at: fact.publishedAt, received_at: fact.receivedAt, authenticated: fact.authenticated },
  ...{ named_connection: fact.namedConnectionId ?? null, detail: fact.detail ?? null },
  ...{ acknowledgement: acknowledgement ?? null, attention, links: notificationLinks(ui, uid) },
});
