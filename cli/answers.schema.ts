// What this room reads of the answers of the API and of the sandbox's control routes: no more than it uses.
import { z } from 'zod';

const links = z.object({ temporal_ui: z.string().nullable() });

export const ConnectionAnswer = z.object({
  data: z.object({ status: z.string(), authorize_url: z.string().nullable(), links }),
});
export const AgreementAnswer = z.object({
  data: z.object({
    uid: z.string(),
    state: z.string(),
    attention: z.array(z.object({ code: z.string() })),
    links,
  }),
});
export type Agreement = z.output<typeof AgreementAnswer>['data'];

export const TimelineAnswer = z.object({
  data: z.array(z.object({ type: z.string(), state: z.string().nullable(), source: z.string() })),
});
export type TimelineFact = z.output<typeof TimelineAnswer>['data'][number];

export const PaymentAnswer = z.object({
  data: z.object({ uid: z.string(), state: z.string(), submissions: z.int(), links }),
});
export type Payment = z.output<typeof PaymentAnswer>['data'];

export const PaymentsAnswer = z.object({ data: z.array(z.object({ uid: z.string() })) });

export const ProviderState = z.object({
  now: z.string(),
  agreements: z.array(z.object({ uid: z.string(), state: z.string() })),
  payments: z.array(z.object({ uid: z.string(), agreement_uid: z.string(), state: z.string() })),
});
export type ProviderState = z.output<typeof ProviderState>;

const entry = { seq: z.int(), at: z.string() };
const status = z.union([z.int(), z.string(), z.null()]);
export const LedgerEntry = z.discriminatedUnion('kind', [
  z.object({
    ...entry,
    kind: z.literal('call'),
    operation: z.string(),
    status,
    resource_uid: z.string().nullable(),
  }),
  z.object({ ...entry, kind: z.literal('token'), grant_type: z.string().nullable(), outcome: z.string() }),
  z.object({
    ...entry,
    kind: z.literal('change'),
    resource_uid: z.string(),
    to: z.string(),
    event_type: z.string().nullable(),
  }),
  z.object({ ...entry, kind: z.literal('webhook'), resource_uid: z.string(), status }),
]);
export type LedgerEntry = z.output<typeof LedgerEntry>;
export const LedgerAnswer = z.object({ data: z.array(LedgerEntry) });

/** Where only the status matters. */
export const Anything = z.unknown();
