// What operators, their tools and the bridge send and are answered.
import { z } from 'zod';

export const Alive = z.object({ status: z.literal('alive') }).meta({ id: 'Alive' });
export const Ready = z.object({ status: z.literal('ready') }).meta({ id: 'Ready' });

export const Delivered = z
  .object({
    data: z.object({
      accepted: z.int().meta({ description: 'Events that Temporal has taken now.' }),
      duplicates: z.int().meta({ description: 'Events that it had been given before.' }),
    }),
  })
  .meta({ id: 'Delivered' });

/** For the documentation only: the bytes are verified before they are parsed, and then read tolerantly. */
export const Envelope = z
  .looseObject({
    data: z.unknown().meta({ description: "One of the provider's notifications, or a list of them." }),
  })
  .meta({ id: 'NotificationEnvelope' });

/** More than there are in any page of a history. */
const MAX_PAYLOADS = 10_000;

export const CodecPayload = z
  .looseObject({
    metadata: z
      .record(z.string(), z.base64())
      .optional()
      .meta({ example: { encoding: 'anNvbi9wbGFpbg==' } }),
    data: z.base64().optional().meta({ example: 'IngiCg==' }),
  })
  .meta({ id: 'CodecPayload', description: 'A payload of Temporal’s; all bytes are base64.' });
export type CodecPayload = z.output<typeof CodecPayload>;

export const CodecPayloads = z
  .object({ payloads: z.array(CodecPayload).max(MAX_PAYLOADS).default([]) })
  .meta({ id: 'CodecPayloads' });

/** For the documentation: it is checked before the body is read, by `requireNamespace`. */
export const NamespaceHeader = z.object({
  'X-Namespace': z.string().meta({ description: 'Temporal’s namespace.', example: 'default' }),
});
