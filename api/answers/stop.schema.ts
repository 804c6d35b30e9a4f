// What the API answers of stops of payments.
import { z } from 'zod';
import type { Stops } from '../../workflows/stop/contract.js';
import { stopLinks } from '../links.js';
import { InstantSchema } from './parts.schema.js';

const Stop = z
  .object({
    connection: z
      .string()
      .nullable()
      .meta({ description: 'Whose payments are not sent; null: those of every connection.' }),
    reason: z.string(),
    by: z.string().meta({ description: 'The id of the API key that was used.' }),
    since: InstantSchema,
    links: z
      .object({ payments: z.string(), refunds: z.string() })
      .meta({ description: 'Lists of what waits for it to be lifted.' }),
  })
  .meta({ id: 'Stop' });

export const StopAnswer = z
  .object({
    data: z.object({ stops: z.array(Stop).meta({ description: 'Empty where nothing is stopped.' }) }),
  })
  .meta({ id: 'StopAnswer' });
type StopAnswer = z.output<typeof StopAnswer>;

export const stopAnswer = (stops: Stops): StopAnswer => ({
  data: {
    stops: stops.map(({ connectionId, reason, by, since }) => ({
      connection: connectionId ?? null,
      reason,
      by,
      since,
      links: stopLinks(connectionId),
    })),
  },
});
