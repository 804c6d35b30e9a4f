// Responses for stops of payments.
import { z } from 'zod';
import type { Stops } from '../../../workflows/stop/contract.js';
import type { StopView } from '../../gateway/stop.js';
import { stopLinks } from '../links.js';
import { InstantSchema } from '../../http/answer-parts.schema.js';

const Stop = z
  .object({
    connection: z
      .string()
      .nullable()
      .meta({ description: 'The stopped connection. Null if all connections are stopped.' }),
    reason: z.string().meta({ description: 'Why payments were stopped.' }),
    by: z.string().meta({ description: 'The principal that requested the stop.' }),
    since: InstantSchema.meta({ description: 'When it was first requested.' }),
    links: z
      .object({ payments: z.string(), refunds: z.string() })
      .meta({ description: 'Lists of the waiting payments and refunds.' }),
  })
  .meta({ id: 'Stop' });

const stops = z
  .array(Stop)
  .meta({ description: 'One stop for each principal, connection and reason. Empty if nothing is stopped.' });

export const StopAnswer = z.object({ data: z.object({ stops }) }).meta({ id: 'StopAnswer' });
type StopAnswer = z.output<typeof StopAnswer>;

export const StopViewAnswer = z
  .object({
    data: z.object({
      stops,
      waiting: z.object({ payments: z.int(), refunds: z.int() }).nullable().meta({
        description:
          'The number of waiting payments and refunds. Includes those whose stop cannot be read. Null while the records database is away.',
      }),
    }),
  })
  .meta({ id: 'StopViewAnswer' });
type StopViewAnswer = z.output<typeof StopViewAnswer>;

const stopOf = ({ connectionId, reason, by, since }: Stops[number]): z.output<typeof Stop> => ({
  connection: connectionId ?? null,
  reason,
  by,
  since,
  links: stopLinks(connectionId),
});

export const stopAnswer = (made: Stops): StopAnswer => ({ data: { stops: made.map(stopOf) } });

export const stopViewAnswer = ({ stops: made, waiting }: StopView): StopViewAnswer => ({
  data: { stops: made.map(stopOf), waiting: waiting ?? null },
});
