// Parts that responses share: pending events, attention flags, reasons and instants.
import { z } from 'zod';
import { FACT_SOURCES } from '../../domain/facts/fact.js';
import { ATTENTION_CODES } from '../../domain/attention/flags.js';
import { AWAITED, WAITS, type Awaiting as DomainAwaiting } from '../../domain/attention/awaiting.js';
import { adviceOn } from '../../domain/provider/reason-codes.js';

export const InstantSchema = z.string().meta({ format: 'date-time', example: '2026-10-01T02:00:00.000Z' });

export const NextBusinessDaySchema = z.string().meta({
  format: 'date',
  description:
    'The first business day after the date. Weekends and bank holidays of New South Wales do not count.',
});

const StateSinceSource = z
  .enum(FACT_SOURCES)
  .nullable()
  .meta({
    description:
      'How `state_since` is known. `webhook` and `history`: the provider reported the time. `lookup`: no event has reported the state yet, ' +
      'so it is the time of the look-up that first showed it; a later event corrects it. `command`: our own action. Null: no change since the start.',
  });

export const Awaiting = z
  .object({
    what: z.enum(AWAITED).meta({ description: 'Who or what must act. `nothing`: it waits for nothing.' }),
    since: InstantSchema,
    next: z.string().meta({ description: 'What happens next, or what you should do, in words.' }),
    until: InstantSchema.nullable().meta({
      description: 'When the wait ends at the latest. Null if there is no limit.',
    }),
  })
  .meta({ id: 'Awaiting' });

export const Attention = z
  .object({
    code: z
      .enum(ATTENTION_CODES)
      .meta({ description: 'Names the flag. Resolve it by this code, if `next` says so.' }),
    since: InstantSchema,
    detail: z.string().meta({ description: 'What happened.' }),
    next: z.string().meta({ description: 'What a person should do.' }),
  })
  .meta({ id: 'Attention' });

/** Our advice on a reason, from domain/provider/reason-codes.ts or the error table. */
export const advice = {
  next: z.string().nullable().meta({
    description: 'What a person should do. Null if there is no advice on this reason.',
  }),
  payer_message: z
    .string()
    .nullable()
    .meta({ description: 'A message for the payer. Null if the reason does not concern the payer.' }),
};

export const Reason = z
  .object({
    code: z.string().nullable().meta({
      description: 'The code of the provider. Match on it. Null if the provider gave none.',
    }),
    title: z.string().nullable(),
    detail: z.string().nullable(),
    narrative: z
      .string()
      .nullable()
      .meta({ description: 'A free text about the reason. Null if there is none.' }),
    ...advice,
  })
  .meta({ id: 'Reason', description: 'Why the provider decided so, and what you should do.' });

type Advised<Stored> = Omit<Stored, 'isTemporary'> & {
  next: string | undefined;
  payer_message: string | undefined;
};

/** Adds our advice to a stored reason or failure. */
export const advised = <
  Stored extends { code?: string | undefined; next?: string | undefined; isTemporary?: true | undefined },
>({
  isTemporary,
  ...stored
}: Stored): Advised<Stored> => {
  const { next, payer } = adviceOn(stored);
  return { ...stored, next, payer_message: payer };
};

export const NextLink = z
  .object({
    next: z.string().optional().meta({
      description: 'The next page. Absent on the last page, but always present with `changed_after`.',
    }),
  })
  .meta({ id: 'NextLink' });

/** How far a list or timeline is. */
export const RecordedUntil = InstantSchema.nullable().meta({
  description:
    'Changes are here that workers stored until this time, normally a few seconds ago. If it is older, workers cannot write to the records ' +
    'database or do not run, and newer changes are missing. Null for a few seconds after the start of the API.',
});

/** Of a list with `changed_after`. */
export const UpToDate = z.boolean().optional().meta({
  description:
    'Only with `changed_after`. True: there are no later changes for now, so ask again later. False: ask again at once.',
});

/** The schema of the links of a resource with a timeline. @param more the links to related resources. */
export const linksSchema = <More extends z.ZodRawShape>(more: More) =>
  z.object({ self: z.string(), timeline: z.string(), ...more, temporal_ui: z.string().nullable() });

/** The principal of the request. */
export const RequestedBy = z.string().nullable().meta({
  description: 'The principal that requested it. Null if it was found at the provider.',
});

/** The connection of a resource. */
export const ConnectionOf = z.string().nullable().meta({
  description:
    'The id of its connection. Null if only an event has named the resource, and its connection is not found yet.',
});

/** The fields of a state, and of the request for a resource. */
export const STATE_SINCE = { state_since: InstantSchema, state_since_source: StateSinceSource };
export const REQUESTED = { requested_at: InstantSchema, requested_by: RequestedBy };
/** What every followed resource waits for. */
export const FOLLOWED = { awaiting: Awaiting, attention: z.array(Attention) };

interface StateSince {
  stateSince: string;
  stateSinceSource?: z.output<typeof StateSinceSource> | undefined;
}
export const stateSinceOf = ({ stateSince, stateSinceSource }: StateSince) => ({
  state_since: stateSince,
  state_since_source: stateSinceSource ?? null,
});

interface Requested {
  requestedAt: string;
  requestedBy?: string | undefined;
}
export const requestedOf = ({ requestedAt, requestedBy }: Requested) => ({
  requested_at: requestedAt,
  requested_by: requestedBy ?? null,
});

interface Followed {
  awaiting: DomainAwaiting;
  attention: z.output<typeof Attention>[];
}
export const followedOf = ({ awaiting, attention }: Followed) => ({
  awaiting: awaitingAnswer(awaiting),
  attention,
});

/** Converts absent fields to null. */
export const awaitingAnswer = ({ what, since, until }: DomainAwaiting) => ({
  what,
  since,
  next: WAITS[what].next,
  until: until ?? null,
});
