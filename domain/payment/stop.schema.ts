// What callers may say of a stop of payments.
import { z } from 'zod';
import { UidSchema, text } from '../agreement/mandate.schema.js';

export const StopPayments = z
  .strictObject({
    connection: UidSchema.optional().meta({
      description: 'Whose payments are not to be sent. Left out: no payments are sent at all.',
      example: 'acme',
    }),
    reason: text(256).meta({
      description: 'Why; shown for as long as the stop is in force.',
      example: 'Amounts look wrong since the last release.',
    }),
  })
  .meta({ id: 'StopPayments' });

export const ResumePayments = z
  .strictObject({
    connection: UidSchema.optional().meta({
      description: 'The stops of this connection end. Left out: those of all connections end, and no other.',
      example: 'acme',
    }),
    stopped_by: text(256).optional().meta({
      description:
        'Only the stops of this principal end (`by` of a stop). Left out: those of all principals.',
      example: 'ops',
    }),
    reason: text(256).meta({ description: 'Why; kept for a while.', example: 'Corrected, case 5.' }),
  })
  .meta({ id: 'ResumePayments' });
