// What callers may say to begin a connection: the grant by which one merchant lets us act.
import { z } from 'zod';
import { UidSchema } from './mandate.schema.js';

export const CreateConnection = z
  .strictObject({
    id: UidSchema.optional().meta({
      description: 'Left out, it is derived from the Idempotency-Key.',
      example: 'acme',
    }),
  })
  .meta({ id: 'CreateConnection' });
export type CreateConnection = z.output<typeof CreateConnection>;
