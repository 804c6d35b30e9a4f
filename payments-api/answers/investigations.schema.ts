// Disputes and settlement reports: JSON:API resources, as tolerant as resources.schema.ts.
import { z } from 'zod';
import { instant, text } from './wire.schema.js';

const part = <Shape extends z.ZodRawShape>(shape: Shape) => z.looseObject(shape).nullish().catch(undefined);
const related = <Item extends z.ZodType>(item: Item) =>
  part({ data: z.array(item).nullish().catch(undefined) });

const DisputeEvent = z.looseObject({
  id: text,
  type: text,
  attributes: part({ at: instant, title: text, detail: text }),
});

/** A PDF uploaded as evidence. */
export const EvidenceUpload = z.looseObject({ id: text, type: text, attributes: part({ urn: text }) });
export type EvidenceUpload = z.output<typeof EvidenceUpload>;

/** Known states: open, awaiting_merchant, closed. */
export const Dispute = z.looseObject({
  id: text,
  type: text,
  attributes: part({ raised_at: instant, state: text }),
  relationships: part({ events: related(DisputeEvent), uploads: related(EvidenceUpload) }),
});
export type Dispute = z.output<typeof Dispute>;

/** The download link of a settlement report, and its expiry. */
export const SettlementReport = z.looseObject({
  attributes: part({ download_link: part({ url: text, expires_at: instant }) }),
});
