// The bodies that acknowledge a broken chain of balances, and that request a reading.
import { z } from 'zod';
import { text } from '../agreement/mandate.schema.js';
import { NOT_NEAR, isNear } from '../time/near.js';

export const AcknowledgeBreak = z
  .strictObject({
    reason: text(256).meta({
      description: 'What you found; stored with the account.',
      example: 'Corrected by the provider, case 7.',
    }),
  })
  .meta({ id: 'AcknowledgeBreak' });

export const RequestReading = z
  .strictObject({
    from: z.iso
      .datetime('expected an RFC 3339 instant in UTC, ending in Z')
      .refine(isNear, NOT_NEAR)
      .transform((instant) => new Date(instant).toISOString())
      .optional()
      .meta({
        description:
          'Read the entries from this time on, by the provider’s clock. Without it, all that the provider still lists.',
        example: '2026-10-01T00:00:00Z',
      }),
    reason: text(256).meta({
      description: 'Why you request it; recorded in the timeline.',
      example: 'An entry is missing, case 7.',
    }),
  })
  .meta({ id: 'RequestFloatReading' });
