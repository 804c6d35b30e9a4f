// What the API answers of stops of payments.
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
      .meta({ description: 'Whose payments are not sent; null: those of every connection.' }),
    reason: z.string(),
    by: z.string().meta({ description: 'The principal that stopped the payments.' }),
    since: InstantSchema,
    links: z
      .object({ payments: z.string(), refunds: z.string() })
      .meta({ description: 'Lists of the payments and refunds that wait.' }),
  })
  .meta({ id: 'Stop' });

const stops = z
  .array(Stop)
  .meta({ description: 'One per principal, connection and reason. Empty where nothing is stopped.' });

export const StopAnswer = z.object({ data: z.object({ stops }) }).meta({ id: 'StopAnswer' });
type StopAnswer = z.output<typeof StopAnswer>;

export const StopViewAnswer = z
  .object({
    data: z.object({
      stops,
      waiting: z.object({ payments: z.int(), refunds: z.int() }).meta({
        description:
          'How many wait, as lists know it: some seconds behind. Also those whose stop cannot be read.',
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
  data: { stops: made.map(stopOf), waiting },
});
