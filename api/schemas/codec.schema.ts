// What Temporal's UI and CLI send to have decoded, and are answered: Temporal's own form, read tolerantly.
import { z } from 'zod';

/** More than any page of a history holds. */
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

/** For the documentation: it is checked before the body is read, as `requireNamespace` says. */
export const NamespaceHeader = z.object({
  'X-Namespace': z.string().meta({ description: 'Temporal’s namespace.', example: 'default' }),
});
