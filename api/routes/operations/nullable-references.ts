// Makes null and named schemas go together in the document.
import { z } from 'zod';
import {
  AccountAnswered,
  InitiatorAnswered,
  PartyAnswered,
  TermsAnswered,
} from '../../../domain/agreement/mandate.schema.js';
import { Reason } from '../../http/answer-parts.schema.js';
import { VerificationOutcome } from '../counterparty/answer.schema.js';
import { CreditResolution } from '../unmatched-credit/answer.schema.js';

/**
 * Schemas whose first use in the document allows null. The library would make the schema itself nullable, and generators of
 * clients create no type for it. `npm run test:clients` names the schemas that are missing here.
 */
export const NULLABLE_SCHEMAS = {
  AccountIdentifierAnswered: AccountAnswered,
  AccountVerificationOutcome: VerificationOutcome,
  CreditResolution,
  InitiatorAnswered,
  PartyAnswered,
  PaymentTermsAnswered: TermsAnswered,
  Reason,
};

/** What the library writes for a nullable use of a named schema. No value matches it: null is not an object. */
const Unmatchable = z.strictObject({
  allOf: z.tuple([
    z.strictObject({ $ref: z.string() }),
    z.strictObject({ type: z.tuple([z.string(), z.literal('null')]) }),
  ]),
  description: z.string().optional(),
});

/** Returns the part of the document, in which a nullable use of a named schema is `anyOf` the schema and null. */
export function withNullableReferences<Part>(part: Part): Part;
export function withNullableReferences(part: unknown): unknown {
  if (Array.isArray(part)) return part.map((item: unknown) => withNullableReferences(item));
  if (typeof part !== 'object' || part === null) return part;
  const { success, data } = Unmatchable.safeParse(part);
  if (success) {
    const { allOf, ...described } = data;
    return { anyOf: [allOf[0], { type: 'null' }], ...described };
  }
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name, withNullableReferences(value)]),
  );
}
