// Parts that every answer shares: what is awaited, what needs an operator, reasons and instants.
import { z } from 'zod';
import { ATTENTION_CODES } from '../../domain/attention/flags.js';
import { AWAITED } from '../../domain/attention/awaiting.js';
import { adviceOn } from '../../domain/provider/reason-codes.js';
import { WAITS } from '../../domain/attention/awaiting-texts.js';
import type { Awaiting as DomainAwaiting } from '../../domain/attention/awaiting.js';
import type { Listed as ListedRun } from '../gateway/temporal/lists.js';

export const InstantSchema = z.string().meta({ format: 'date-time', example: '2026-10-01T02:00:00.000Z' });

export const Awaiting = z
  .object({
    what: z.enum(AWAITED),
    since: InstantSchema,
    next: z.string().meta({ description: 'What happens next.' }),
    until: InstantSchema.nullable().meta({ description: 'At the most; null is as long as it takes.' }),
  })
  .meta({ id: 'Awaiting' });

export const Attention = z
  .object({
    code: z.enum(ATTENTION_CODES),
    since: InstantSchema,
    detail: z.string(),
    next: z.string().meta({ description: 'What a person can do about it.' }),
  })
  .meta({ id: 'Attention' });

/** Beside what the provider says: ours, from domain/provider/reason-codes.ts or the error table. */
export const advice = {
  next: z.string().nullable().meta({ description: 'What a person can do about it, where that is known.' }),
  payer_message: z
    .string()
    .nullable()
    .meta({ description: 'What may be said to the payer; null where it is no matter of theirs.' }),
};

export const Reason = z
  .object({
    code: z.string().nullable(),
    title: z.string().nullable(),
    detail: z.string().nullable(),
    narrative: z.string().nullable(),
    ...advice,
  })
  .meta({ id: 'Reason', description: "Why, in the provider's words, and what to do about it." });

/** What was kept of a reason or failure, with what to do about it. */
export const advised = <Stored extends { code?: string | undefined; next?: string | undefined }>(
  stored: Stored,
): Stored & { next: string | undefined; payer_message: string | undefined } => {
  const { next, payer } = adviceOn(stored);
  return { ...stored, next, payer_message: payer };
};

export const NextLink = z
  .object({ next: z.string().optional().meta({ description: 'Absent on the last page.' }) })
  .meta({ id: 'NextLink' });

/** Who asked for a thing. */
export const RequestedBy = z.string().nullable().meta({
  description: 'The principal that asked for it; null where it was found at the provider.',
});

/** What every list shows of a thing, of which only its own answer says all. */
export const listedShape = <State extends string>(states: readonly State[]) => ({
  uid: z.string(),
  connection: z.string().nullable(),
  state: z.enum(states).nullable(),
  awaiting: z.object({ what: z.enum(AWAITED).nullable(), since: InstantSchema.nullable() }),
  attention: z.array(z.enum(ATTENTION_CODES)).meta({ description: 'The codes; the thing itself says more.' }),
  last_fact_at: InstantSchema.nullable(),
});

export const listedAnswer = <State extends string>(listed: ListedRun<State>) => ({
  uid: listed.uid,
  connection: listed.connectionId ?? null,
  state: listed.state ?? null,
  awaiting: { what: listed.awaiting ?? null, since: listed.awaitingSince ?? null },
  attention: listed.attention,
  last_fact_at: listed.lastFactAt ?? null,
});

/** Absent is null on the wire. */
export const awaitingAnswer = ({ what, since, until }: DomainAwaiting) => ({
  what,
  since,
  next: WAITS[what].next,
  until: until ?? null,
});
