// The body of POST A/amendment, by version.
import { z } from 'zod';
import {
  CurrentCreditorChanges,
  LegacyCreditorChanges,
  LegacyInitiator,
  TermsChanges,
} from '../agreements/request.schema.js';
import { isAtLeast, type ApiVersion } from '../http/request.js';
import { asciiText, Day, Instant, sandboxScript } from '../http/wire.schema.js';
import { SIMULATIONS } from '../store/action.schema.js';
import type { Changes } from '../store/amendment.schema.js';

const changes = {
  description: asciiText(140).optional(),
  /** Part of the schema so that it is refused with its own code (ZPAGR05) and not as an unknown field. */
  validity_start_date: Day.nullish(),
  validity_end_date: Day.nullish(),
  payment_terms: TermsChanges.optional(),
};
const rest = {
  resolution_requested_before: Instant.nullish(),
  sandbox: sandboxScript(z.enum(SIMULATIONS.amendment.documented)).optional(),
};

const LegacyAmendAgreement = z.strictObject({
  changes: z.strictObject({
    ...changes,
    creditor: LegacyCreditorChanges.nullish(),
    initiator: LegacyInitiator.optional(),
  }),
  ...rest,
});

/** Since 20260901 an amendment has no `initiator` (docs/provider.md#versions). */
const CurrentAmendAgreement = z.strictObject({
  changes: z.strictObject({ ...changes, creditor: CurrentCreditorChanges.nullish() }),
  ...rest,
});

/** An amendment request in either version. */
export type AmendAgreement = Omit<z.output<typeof CurrentAmendAgreement>, 'changes'> & {
  changes: Changes & { validity_start_date?: string | null | undefined };
};

export function amendAgreementSchema(version: ApiVersion): z.ZodType<AmendAgreement> {
  return isAtLeast(version, '20260901') ? CurrentAmendAgreement : LegacyAmendAgreement;
}
