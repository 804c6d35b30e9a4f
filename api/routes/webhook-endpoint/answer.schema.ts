// An endpoint for webhooks, and one attempt to deliver to it, as the API answers them.
import { z } from 'zod';
import { DELIVERY_OUTCOMES, type StoredDelivery } from '../../../records/webhook-endpoint-deliveries.js';
import {
  DISABLED_BECAUSE,
  ENDPOINT_STATUSES,
  WEBHOOK_FORMS,
  type StoredEndpoint,
} from '../../../records/webhook-endpoint-rows.js';
import type { Scope } from '../../http/api-keys.js';
import { Attention, InstantSchema, NextLink } from '../../http/answer-parts.schema.js';

export const form = z.enum(WEBHOOK_FORMS).meta({
  description:
    '`full`: the whole event. `thin`: without the resource (`data`, `previous`, `flag`), for receivers that fetch it.',
});

const WebhookEndpoint = z
  .object({
    id: z.string(),
    url: z.string(),
    description: z.string().nullable().meta({ description: 'The note that you have given.' }),
    types: z
      .array(z.string())
      .nullable()
      .meta({ description: 'The types that it receives. Null: all types.' }),
    connections: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Null: all that the key of the endpoint may see.' }),
    form,
    status: z.enum(ENDPOINT_STATUSES).meta({ description: 'While it is disabled, its events wait.' }),
    disabled_because: z.enum(DISABLED_BECAUSE).nullable().meta({
      description:
        '`request`: by a request. `gone`: the receiver answered 410. `failing`: nothing was delivered for three days.',
    }),
    disabled_at: InstantSchema.nullable().meta({ description: 'Null while it is enabled.' }),
    key: z.string().meta({
      description: 'The id of the API key that made it. The endpoint stops if the key is removed.',
    }),
    principal: z.string().meta({ description: 'The principal that owns that key.' }),
    attention: z.array(Attention),
    delivery: z.object({
      up_to_date_until: InstantSchema.meta({
        description: 'Events that were stored until then have been sent, except those of waiting resources.',
      }),
      waiting_resources: z.int().meta({
        description: 'How many resources wait, because one of their events could not be delivered.',
      }),
      failing_since: InstantSchema.nullable().meta({
        description: 'When the first attempt failed since the last success. Null if the last one succeeded.',
      }),
      last_success_at: InstantSchema.nullable().meta({
        description: 'When an event was last delivered. Null if none was.',
      }),
      replays: z.int().meta({ description: 'How many replays have not finished.' }),
      paused_because: z.enum(['key_unconfirmed']).nullable().meta({
        description:
          '`key_unconfirmed`: for five minutes, no API process had the key of the endpoint. It continues once one has it.',
      }),
    }),
    created_at: InstantSchema,
    updated_at: InstantSchema,
    links: z.object({ self: z.string(), deliveries: z.string() }),
    secret: z.string().optional().meta({
      description:
        'The secret that signs (Standard Webhooks). Only in the answers to the creation and to a rotation, and to repeats of the newest of these within a day.',
      example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD9Ba3NQEvvYg=',
    }),
  })
  .meta({ id: 'WebhookEndpoint' });

export const EndpointAnswer = z.object({ data: WebhookEndpoint }).meta({ id: 'WebhookEndpointAnswer' });
export const EndpointsPage = z
  .object({ data: z.array(WebhookEndpoint), links: NextLink })
  .meta({ id: 'WebhookEndpointPage' });

const Delivery = z
  .object({
    id: z.string(),
    event: z.object({
      id: z.string(),
      type: z.string(),
      resource_type: z.string(),
      resource: z.string().meta({ description: 'The uid of the resource that the event is about.' }),
    }),
    attempt: z.int().meta({ description: 'How many attempts there were for this event, with this one.' }),
    at: InstantSchema,
    duration_ms: z.int().meta({ description: 'How long the receiver took, in milliseconds.' }),
    outcome: z.enum(DELIVERY_OUTCOMES).meta({
      description:
        '`delivered`: the receiver answered with 2xx. `failed`: it is sent again later, unless you requested this attempt. `set_aside`: it failed for three days. Later events of the resource are sent again.',
    }),
    status: z.int().nullable().meta({ description: 'The HTTP status of the answer. Null: there was none.' }),
    problem: z.string().nullable().meta({ description: 'Why it failed, as a code.', example: 'timeout' }),
    answer: z.string().nullable().meta({
      description:
        'The first kB of the answer. It may repeat personal data of the event, so it is null for keys without the scope `personal` or `operate`.',
    }),
  })
  .meta({ id: 'WebhookDelivery' });
export const DeliveryAnswer = z.object({ data: Delivery }).meta({ id: 'WebhookDeliveryAnswer' });
export const DeliveriesPage = z
  .object({ data: z.array(Delivery), links: NextLink })
  .meta({ id: 'WebhookDeliveryPage' });

const pathOfEndpoint = (id: string): string => `/v1/webhook-endpoints/${encodeURIComponent(id)}`;
export const pathOfDeliveries = (id: string): string => `${pathOfEndpoint(id)}/deliveries`;

/** @param secret only if the request has made it. */
export const endpointAnswer = (
  endpoint: StoredEndpoint,
  secret?: string,
): z.output<typeof WebhookEndpoint> => {
  const { id, url, form: sent, status, principal, attention, progress } = endpoint;
  return {
    ...{ id, url, description: endpoint.description ?? null, form: sent, status },
    types: endpoint.types === undefined ? null : [...endpoint.types],
    connections: endpoint.connections === undefined ? null : [...endpoint.connections],
    disabled_because: endpoint.disabledBecause ?? null,
    disabled_at: endpoint.disabledAt ?? null,
    ...{ key: endpoint.apiKeyId, principal, attention: [...attention] },
    delivery: {
      up_to_date_until: progress.upToDateUntil,
      waiting_resources: progress.waitingResources,
      failing_since: progress.failingSince ?? null,
      last_success_at: progress.lastSuccessAt ?? null,
      replays: progress.replays,
      paused_because: endpoint.isKeyConfirmed ? null : 'key_unconfirmed',
    },
    ...{ created_at: endpoint.createdAt, updated_at: endpoint.updatedAt },
    links: { self: pathOfEndpoint(id), deliveries: pathOfDeliveries(id) },
    ...(secret !== undefined && { secret }),
  };
};

const SEES_ANSWERS: readonly Scope[] = ['personal', 'operate'];

/** @param scopes of the caller's key. */
export const deliveryAnswer = (
  delivery: StoredDelivery,
  scopes: readonly Scope[] = [],
): z.output<typeof Delivery> => {
  const { id, eventId, eventType, resource, uid, attempt, at, durationMs, outcome } = delivery;
  return {
    ...{
      id,
      event: { id: eventId, type: eventType, resource_type: resource.replaceAll('-', '_'), resource: uid },
    },
    ...{ attempt, at, duration_ms: durationMs, outcome },
    ...{
      status: delivery.status ?? null,
      problem: delivery.problem ?? null,
      answer: SEES_ANSWERS.some((scope) => scopes.includes(scope)) ? (delivery.answer ?? null) : null,
    },
  };
};
