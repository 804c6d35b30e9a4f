// What the API answers to whoever runs it, and to the bridge.
import { z } from 'zod';

export const Alive = z.object({ status: z.literal('alive') }).meta({ id: 'Alive' });
export const Ready = z.object({ status: z.literal('ready') }).meta({ id: 'Ready' });

export const Delivered = z
  .object({
    data: z.object({
      accepted: z.int().meta({ description: 'Events that Temporal has taken now.' }),
      duplicates: z.int().meta({ description: 'Events that it had been given before.' }),
    }),
  })
  .meta({ id: 'Delivered' });

/** For the documentation only: the bytes are verified before anyone parses them, and then read tolerantly. */
export const Envelope = z
  .looseObject({
    data: z.unknown().meta({ description: "One of the provider's notifications, or a list of them." }),
  })
  .meta({ id: 'NotificationEnvelope' });
