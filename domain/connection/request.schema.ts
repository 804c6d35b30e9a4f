// What callers may say of a connection: the grant by which one merchant lets us act.
import { z } from 'zod';
import { UidSchema, text } from '../agreement/mandate.schema.js';

export const CreateConnection = z
  .strictObject({
    id: UidSchema.optional().meta({
      description: 'Left out, it is derived from the Idempotency-Key.',
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
          'Another account than before may consent in this round, and is the one that the connection belongs to from then on. ' +
          'Needs a key of the scope operate, and a reason.',
      }),
    reason: text(256).optional().meta({
      description: 'Why; kept with the connection.',
      example: 'The merchant has moved to a new account.',
    }),
  })
  .refine(({ accept_other_account, reason }) => (accept_other_account === true) === (reason !== undefined), {
    path: ['reason'],
    message: 'expected with accept_other_account, and with nothing else',
  })
  .meta({ id: 'ReauthoriseConnection' });

export const RevokeConnection = z
  .strictObject({
    reason: text(256).meta({
      description: 'Why; shown with the connection until the merchant consents again.',
      example: 'The merchant has left us.',
    }),
  })
  .meta({ id: 'RevokeConnection' });
