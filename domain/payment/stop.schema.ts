// The bodies that stop and resume payments.
import { z } from 'zod';
import { UidSchema, text } from '../agreement/mandate.schema.js';

export const StopPayments = z
  .strictObject({
    connection: UidSchema.optional().meta({
      description: 'The connection whose payments stop. Default: all payments stop.',
      example: 'acme',
    }),
    reason: text(256).meta({
      description: 'The reason; shown while the stop is in force.',
      example: 'Amounts look wrong since the last release.',
    }),
  })
  .meta({ id: 'StopPayments' });

export const ResumePayments = z
  .strictObject({
    connection: UidSchema.optional().meta({
      description: 'Ends the stops of this connection. Default: only those that apply to all connections.',
      example: 'acme',
    }),
    stopped_by: text(256)
      .optional()
      .meta({
        description:
          'The principal whose stops end (`by` of a stop). Default: you. For another principal, `DUAL_CONTROL=on` and the approval of a second ' +
          'principal are required.',
        example: 'ops',
      }),
    reason: text(256).meta({ description: 'The reason; recorded.', example: 'Corrected, case 5.' }),
  })
  .meta({ id: 'ResumePayments' });
