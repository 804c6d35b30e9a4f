// The parts of the sandbox's control answers that cli/ uses.
import { z } from 'zod';

export const ProviderState = z.object({
  now: z.string(),
  clients: z.array(z.object({ id: z.string() })),
  counterparties: z.array(z.object({ id: z.string() })),
  agreements: z.array(z.object({ uid: z.string(), state: z.string() })),
  payments: z.array(z.object({ uid: z.string(), agreement_uid: z.string(), state: z.string() })),
  float_accounts: z.array(z.object({ id: z.string(), available_balance: z.int() })),
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
    event_id: z.string().nullable(),
    event_type: z.string().nullable(),
  }),
  z.object({ ...entry, kind: z.literal('webhook'), resource_uid: z.string(), status }),
]);
export type LedgerEntry = z.output<typeof LedgerEntry>;
export const LedgerAnswer = z.object({ data: z.array(LedgerEntry) });

/** For calls whose body does not matter. */
export const Anything = z.unknown();
