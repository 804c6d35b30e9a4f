// Requests and responses of operators, their tools and the bridge.
import { z } from 'zod';
import { InstantSchema, RecordedUntil } from '../../http/answer-parts.schema.js';

export const Alive = z.object({ status: z.literal('alive') }).meta({ id: 'Alive' });
export const Ready = z
  .object({
    status: z.literal('ready'),
    recorded_until: RecordedUntil,
    incomplete_since: InstantSchema.nullable().meta({
      description:
        'Since when rows may be missing from the records, for example after a restore. An operator must complete them (docs/records.md#repair-the-records).',
    }),
  })
  .meta({ id: 'Ready' });

export const Delivered = z
  .object({
    data: z.object({
      accepted: z.int().meta({ description: 'The number of events that were stored now.' }),
      duplicates: z.int().meta({ description: 'The number of events that were already stored.' }),
    }),
  })
  .meta({ id: 'Delivered' });

/** For the OpenAPI document only. The bytes are verified first and then parsed tolerantly. */
export const Envelope = z
  .looseObject({
    data: z.unknown().meta({ description: 'Contains a notification of the provider, or a list of them.' }),
  })
  .meta({ id: 'NotificationEnvelope' });

/** More than any page of a history contains. */
const MAX_PAYLOADS = 10_000;

export const CodecPayload = z
  .looseObject({
    metadata: z
      .record(z.string(), z.base64())
      .optional()
      .meta({ example: { encoding: 'anNvbi9wbGFpbg==' } }),
    data: z.base64().optional().meta({ example: 'IngiCg==' }),
  })
  .meta({ id: 'CodecPayload', description: 'A Temporal payload with base64-encoded bytes.' });
export type CodecPayload = z.output<typeof CodecPayload>;

export const CodecPayloads = z
  .object({ payloads: z.array(CodecPayload).max(MAX_PAYLOADS).default([]) })
  .meta({ id: 'CodecPayloads' });

/** For the OpenAPI document. `requireNamespace` checks the header before the body is read. */
export const NamespaceHeader = z.object({
  'X-Namespace': z.string().meta({ description: 'The Temporal namespace.', example: 'default' }),
});
