// What the API answers of connections: their health, and where a person consents. Never a token.
import { z } from 'zod';
import { Attention, Awaiting, InstantSchema } from './legible.schema.js';

export const Connection = z
  .object({
    id: z.string(),
    status: z.enum(['awaiting_consent', 'healthy', 'needs_reauthorisation']),
    generation: z.int().meta({
      description: 'Counts its token pairs, and jumps with each consent; 0 while it has none.',
    }),
    expires_at: InstantSchema.nullable().meta({
      description: 'When the access token ends; it is renewed on demand.',
    }),
    scopes: z.object({
      granted: z.array(z.string()).nullable().meta({
        description: 'By the merchant; null where there is no consent, or its scopes were not told.',
      }),
      needed: z.array(z.string()).meta({ description: 'What we ask for (OAUTH_SCOPES).' }),
      missing: z
        .array(z.string())
        .meta({ description: 'Needed and not granted: only a new consent adds it.' }),
    }),
    authorize_url: z
      .string()
      .nullable()
      .meta({ description: 'Where a person consents: good once, for ten minutes. Only in answers to POST.' }),
    next: z.string().meta({ description: 'What a person should do now.' }),
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
