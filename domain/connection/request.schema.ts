// The bodies of requests about a connection: a merchant's consent for us to act.
import { z } from 'zod';
import { UidSchema, text } from '../agreement/mandate.schema.js';

export const CreateConnection = z
  .strictObject({
    id: UidSchema.optional().meta({
      description: 'Default: derived from the Idempotency-Key.',
      example: 'acme',
    }),
  })
  .meta({ id: 'CreateConnection' });
export type CreateConnection = z.output<typeof CreateConnection>;

export const ReauthoriseConnection = z
  .strictObject({
    accept_other_account: z
      .literal(true)
      .optional()
      .meta({
        description:
          'Lets another account consent in this round. The connection then belongs to that account. ' +
          'Requires an API key with the scope operate, and a reason.',
      }),
    reason: text(256).optional().meta({
      description: 'The reason; stored with the connection.',
      example: 'The merchant has moved to a new account.',
    }),
  })
  .refine(({ accept_other_account, reason }) => (accept_other_account === true) === (reason !== undefined), {
    path: ['reason'],
    message: 'expected a reason if and only if accept_other_account is true',
  })
  .meta({ id: 'ReauthoriseConnection' });

export const RevokeConnection = z
  .strictObject({
    reason: text(256).meta({
      description: 'The reason; shown with the connection until the merchant consents again.',
      example: 'The merchant has left us.',
    }),
  })
  .meta({ id: 'RevokeConnection' });
