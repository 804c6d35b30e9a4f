// How an account validation ends, by what is simulated: found and compared, or not.
import type { ValidationCode } from './validation-refusals.js';
import type { ValidationSimulation } from './validate-account.schema.js';

/** What the bank says of an account it has found. */
export interface Comparison {
  result: 'match' | 'close_match' | 'no_match' | 'account_closed';
  /** The name on the account, told where it gives away nothing of a person that was not known already. */
  nameFor?: (partyName: string) => string;
  isJoint?: boolean;
  /** From 0 to 100, the riskiest. */
  riskScore?: number;
}

export type Ending = Comparison | ValidationCode | 'rate_limited';

const NO_MATCH: Comparison = { result: 'no_match' };

export const ENDINGS: Record<ValidationSimulation, Ending> = {
  match: { result: 'match', nameFor: (partyName) => partyName, riskScore: 5 },
  close_match: {
    result: 'close_match',
    nameFor: (partyName) => `${partyName} and others`,
    isJoint: true,
    riskScore: 25,
  },
  no_match: NO_MATCH,
  individual_no_match: NO_MATCH,
  non_individual_no_match: { result: 'no_match', nameFor: () => 'Another Business Pty Ltd' },
  account_closed: { result: 'account_closed' },
  no_account_found: 'ZCOPR02',
  bic_lookup_failed: 'ZCOPR01',
  account_daily_no_match_limit_exceeded: 'ZCOPR04',
  requester_daily_no_match_limit_exceeded: 'ZCOPR05',
  account_daily_request_limit_exceeded: 'ZCOPR06',
  requester_daily_request_limit_exceeded: 'ZCOPR07',
  unable_to_confirm: 'ZCOPR00',
  rate_limited: 'rate_limited',
};

/** The branch code that the documented sandbox calls invalid (facts 16). */
const UNKNOWN_BRANCH = '100000';

/** What is simulated wins; else the branch decides, and any other account is a match. */
export function endingOf(simulate: ValidationSimulation | undefined, bban: string): Ending {
  if (simulate !== undefined) return ENDINGS[simulate];
  return bban.startsWith(UNKNOWN_BRANCH) ? 'ZCOPR01' : ENDINGS.match;
}
