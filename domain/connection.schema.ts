// What callers may say of a connection: the grant by which one merchant lets us act.
import { z } from 'zod';
import { UidSchema, text } from './mandate.schema.js';

export const CreateConnection = z
  .strictObject({
    id: UidSchema.optional().meta({
      description: 'Left out, it is derived from the Idempotency-Key.',
      example: 'acme',
    }),
  })
  .meta({ id: 'CreateConnection' });
export type CreateConnection = z.output<typeof CreateConnection>;

export const RevokeConnection = z
  .strictObject({
    reason: text(256).meta({
      description: 'Why; shown with the connection until the merchant consents again.',
      example: 'The merchant has left us.',
    }),
  })
  .meta({ id: 'RevokeConnection' });
