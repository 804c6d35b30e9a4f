// What the API answers of connections: their health, and where a person consents. Never a token.
import { z } from 'zod';
import { Attention, Awaiting, InstantSchema } from './legible.schema.js';

export const Connection = z
  .object({
    id: z.string(),
    status: z.enum(['awaiting_consent', 'healthy', 'needs_reauthorisation']),
    generation: z.int().meta({ description: 'How many token pairs it has had.' }),
    expires_at: InstantSchema.nullable().meta({
      description: 'When the access token ends; it is renewed on demand.',
    }),
    scope: z.string().nullable(),
    authorize_url: z
      .string()
      .nullable()
      .meta({ description: 'Where a person consents: good once, for ten minutes. Only in answers to POST.' }),
    awaiting: Awaiting,
    attention: z.array(Attention),
    created_at: InstantSchema,
    last_failure: z.object({ at: InstantSchema, code: z.string(), detail: z.string() }).nullable(),
    links: z.object({ self: z.string(), reauthorisation: z.string(), temporal_ui: z.string().nullable() }),
  })
  .meta({ id: 'Connection' });
export type Connection = z.output<typeof Connection>;

export const ConnectionAnswer = z.object({ data: Connection }).meta({ id: 'ConnectionAnswer' });
export const NoFields = z.strictObject({}).meta({ id: 'NoFields' });
