// The body of POST /cop/account/validate (facts 15, 16).
import { z } from 'zod';
import { asciiText, RequestAccountIdentifier, Uid } from '../http/wire.schema.js';

/** The documents give the first and the last of these words and say there are more. */
export const ValidationSimulation = z.enum([
  'match',
  'close_match',
  'no_match',
  'individual_no_match',
  'non_individual_no_match',
  'account_closed',
  'no_account_found',
  'bic_lookup_failed',
  'account_daily_no_match_limit_exceeded',
  'requester_daily_no_match_limit_exceeded',
  'account_daily_request_limit_exceeded',
  'requester_daily_request_limit_exceeded',
  'unable_to_confirm',
  'rate_limited',
]);
export type ValidationSimulation = z.output<typeof ValidationSimulation>;

export const ValidateAccount = z.strictObject({
  uid: Uid,
  account_identifier: RequestAccountIdentifier.refine(({ type }) => type === 'bban', {
    path: ['type'],
    error: 'must be bban',
  }),
  party_name: asciiText(140),
  requester: z.strictObject({ id: Uid }),
  sandbox: z.strictObject({ simulate: ValidationSimulation.optional() }).optional(),
});
export type ValidateAccount = z.output<typeof ValidateAccount>;
