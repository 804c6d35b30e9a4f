// The envelope of PayTo events (interface 2.1), as webhooks carry it: read back to be falsified or put with others.
import { z } from 'zod';
import { ResourceType } from './webhook.schema.js';

const EventData = z.looseObject({ id: z.string(), type: z.string(), resource_type: ResourceType });
const Links = z.looseObject({});
const One = z.object({ data: EventData, links: Links });
const Several = z.object({ data: z.array(EventData), links: Links });

export type Envelope = z.output<typeof One>;

/** Undefined for the events of other families: theirs is an envelope of its own. */
export function envelopeOf(payload: object): Envelope | undefined {
  return One.safeParse(payload).data;
}

/** One body for both: `data` becomes an array, as it is in other families (facts 10); the first one's links stay. */
export function together(first: string, next: Envelope): string {
  const before = z.union([One, Several]).parse(JSON.parse(first));
  return JSON.stringify({ data: [before.data, next.data].flat(), links: before.links });
}
