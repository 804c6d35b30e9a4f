// The bodies of POST /simulate/incoming_*. Three fields are documented (facts 16); the others, all optional, are ours.
import { z } from 'zod';
import { asciiText, Cents } from '../http/wire.schema.js';

const Branch = z.string().regex(/^\d{3}-?\d{3}$/, 'must be six digits');

const fields = {
  to_bsb: Branch,
  to_account_number: z.string().min(1).max(28),
  amount: Cents,
  from_bsb: Branch.default('200001'),
  from_account_number: z
    .string()
    .regex(/^\d{1,9}$/, 'must be up to 9 digits')
    .default('12340001'),
  debtor_name: asciiText(140).default('Sandbox Payer'),
};

/** `reference` is the lodgement reference. */
export const IncomingDirectEntry = z.strictObject({ ...fields, reference: asciiText(18).default('SANDBOX') });

/** `reference` is the end-to-end identification. */
export const IncomingNpp = z.strictObject({
  ...fields,
  reference: asciiText(35).default('NOTPROVIDED'),
  description: asciiText(280).optional(),
});

/** In either channel's words; a direct entry has no description. */
export type IncomingCredit = z.output<typeof IncomingDirectEntry> & { description?: string | undefined };
