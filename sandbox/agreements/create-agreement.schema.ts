// The body of POST /payto/agreements, in each version of the API.
import { z } from 'zod';
import { AgreementSimulation } from './agreement.schema.js';
import { CurrentInitiator, LegacyInitiator } from './initiator.schema.js';
import {
  CurrentCreditor,
  CurrentDebtor,
  LegacyCreditor,
  LegacyDebtor,
  type RequestParty,
} from './party.schema.js';
import { Terms } from './terms.schema.js';
import { isAtLeast, type ApiVersion } from '../http/version.js';
import { asciiText, Day, Instant, RequestMetadata, sandboxScript, Uid } from '../http/wire.schema.js';

const fields = {
  uid: Uid,
  purpose: z.enum([
    'mortgage',
    'utility',
    'loan',
    'dependant_support',
    'gambling',
    'retail',
    'salary',
    'personal',
    'government',
    'pension',
    'tax',
    'other',
  ]),
  description: asciiText(140),
  payment_terms: Terms,
  validity_start_date: Day.nullish(),
  validity_end_date: Day.nullish(),
  resolution_requested_before: Instant.nullish(),
  cancel_if_unresolved: z.boolean().nullish(),
  metadata: RequestMetadata.nullish(),
  sandbox: sandboxScript(AgreementSimulation).optional(),
};

const LegacyCreateAgreement = z.strictObject({
  ...fields,
  debtor: LegacyDebtor,
  creditor: LegacyCreditor.nullish(),
  initiator: LegacyInitiator.nullish(),
});

const CurrentCreateAgreement = z.strictObject({
  ...fields,
  debtor: CurrentDebtor,
  creditor: CurrentCreditor.nullish(),
  initiator: CurrentInitiator.nullish(),
});

/** A request in either version's words; what a version does not know is absent. */
export type CreateAgreement = Omit<
  z.output<typeof CurrentCreateAgreement>,
  'debtor' | 'creditor' | 'initiator'
> & {
  debtor: RequestParty;
  creditor?: RequestParty | null | undefined;
  initiator?: (Partial<LegacyInitiator> & Partial<CurrentInitiator>) | null | undefined;
};

export function createAgreementSchema(version: ApiVersion): z.ZodType<CreateAgreement> {
  return isAtLeast(version, '20260901') ? CurrentCreateAgreement : LegacyCreateAgreement;
}
