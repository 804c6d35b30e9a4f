// The bodies of requests about endpoints for webhooks.
import { z } from 'zod';
import { expectedType, typesMatching } from '../../../domain/records/event-type-patterns.js';
import { UidSchema } from '../../../domain/agreement/mandate.schema.js';
import { ENDPOINT_STATUSES } from '../../../records/webhook-endpoint-rows.js';
import { ATTENTION_CODES } from '../../../domain/attention/flags.js';
import { instant } from '../../http/list-parameters.schema.js';
import { connectionId } from '../../http/parameters.schema.js';
import { storedUrl } from '../../webhook-urls.js';
import { form } from './answer.schema.js';

const MOST_TYPES = 100;
const MOST_CONNECTIONS = 50;
const MOST_OVERLAP_HOURS = 168;

const type = z.string().superRefine((name, context) => {
  if (typesMatching(name).length === 0) context.addIssue({ code: 'custom', message: expectedType(name) });
});

/** As `\P{Cc}`, which regular expressions of other languages lack. */
const WITHOUT_CONTROLS = String.raw`^[^\u0000-\u001f\u007f-\u009f]*$`;

const unique = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];

const types = z
  .array(type)
  .min(1, 'expected at least one type, or null for all')
  .max(MOST_TYPES)
  .transform(unique)
  .nullable()
  .meta({
    description: 'Only events of these types. `agreement.*` means all of agreements. Null: all types.',
    example: ['agreement.*', 'payment.settled'],
  });

const settings = {
  url: z.string().min(1).max(2000).transform(storedUrl).meta({
    description:
      'The receiver. It must begin with https, be on the Internet, and contain no user name and password. Its fragment is dropped.',
    example: 'https://backend.example/payto-events',
  }),
  description: z
    .string()
    .min(1)
    .max(256)
    .regex(/^\P{Cc}*$/u, 'expected a text without control characters')
    .nullable()
    .meta({ description: 'You may note its purpose here. Null: no note.', pattern: WITHOUT_CONTROLS }),
  types,
  connections: z
    .array(connectionId)
    .min(1, 'expected at least one connection, or null for all that the key may see')
    .max(MOST_CONNECTIONS)
    .transform(unique)
    .nullable()
    .meta({ description: 'Only events of these connections. Null: all that the key may see.' }),
  form,
};

export const CreateEndpoint = z
  .strictObject({
    url: settings.url,
    description: settings.description.default(null),
    types: settings.types.default(null),
    connections: settings.connections.default(null),
    form: settings.form.default('full'),
  })
  .meta({ id: 'CreateWebhookEndpoint' });

export const ChangeEndpoint = z
  .strictObject({
    url: settings.url.optional(),
    description: settings.description.optional(),
    types: settings.types.optional(),
    connections: settings.connections.optional(),
    form: settings.form.optional(),
    status: z.enum(ENDPOINT_STATUSES).optional().meta({
      description: '`disabled`: its events wait. `enabled`: it continues where it stopped.',
    }),
  })
  .meta({ id: 'ChangeWebhookEndpoint' });
export type ChangeEndpoint = z.output<typeof ChangeEndpoint>;

export const RotateSecret = z
  .strictObject({
    overlap_hours: z.int().min(0).max(MOST_OVERLAP_HOURS).default(24).meta({
      description: 'How long the older secret signs too. 0: no longer from now on.',
    }),
  })
  .meta({ id: 'RotateWebhookSecret' });

export const ReplayEvents = z
  .strictObject({
    since: instant('Begin with the events that were stored at or after this time.').unwrap(),
    types: types
      .default(null)
      .meta({ description: 'Only these types, of those that the endpoint receives. Null: all of those.' }),
  })
  .meta({ id: 'ReplayWebhookEvents' });

export const ResolveEndpointFlag = z
  .strictObject({ reason: z.string().min(1).max(256).meta({ description: 'Why the flag is resolved.' }) })
  .meta({ id: 'ResolveWebhookAttention' });

export const EndpointParams = z.strictObject({
  id: UidSchema.meta({ description: 'The id that the creation of the webhook endpoint answered.' }),
});
export const DeliveryParams = EndpointParams.extend({
  delivery: UidSchema.meta({
    description: 'The id of an attempt, from `GET /v1/webhook-endpoints/{id}/deliveries`.',
  }),
});
export const FlagParams = EndpointParams.extend({ code: z.enum(ATTENTION_CODES) });
