// POST /cop/account/validate: checks whether an account belongs to a name. Every attempt consumes its uid, even if refused.
import { z } from 'zod';
import { operation, type Registration } from '../calls/operation.js';
import type { Engine } from '../engine/parts.js';
import { DETAILS, TITLES } from '../http/error-codes.js';
import { Refusal, parseOrRefuse, refuse } from '../http/refusal.js';
import { Uid } from '../http/wire.schema.js';
import { resolveAlias } from './aliases.js';
import { count, usedUp, type DayLimit } from './limits.js';

// The body of POST /cop/account/validate (docs/provider.md#checks, #provider-sandbox).

const ValidationSimulation = z.enum([
  'match',
  'close_match',
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
type ValidationSimulation = z.output<typeof ValidationSimulation>;

const ValidateAccount = z.strictObject({
  uid: Uid,
  account_identifier: z.strictObject({
    type: z.literal('bban', 'must be one of: bban'),
    /** Documented: with or without a hyphen. */
    value: z.string().regex(/^\d{6}-?[ -~]{1,28}$/, 'must be filled'),
  }),
  party_name: z.string().min(1, 'must be filled'),
  requester: z.strictObject({ id: Uid }),
  sandbox: z.strictObject({ simulate: ValidationSimulation }).optional(),
});
type ValidateAccount = z.output<typeof ValidateAccount>;

// The codes of refused account validations, each with whether a retry may help (docs/provider.md#errors).
const LIMIT = { status: 422, retryable: true } as const;

/** Documented: only ZCOPR02 is a 404, and a reached limit is retryable. */
const REFUSALS = {
  ZCOPR00: { status: 422, retryable: false },
  ZCOPR01: { status: 422, retryable: false },
  ZCOPR02: { status: 404, retryable: false },
  ZCOPR04: LIMIT,
  ZCOPR05: LIMIT,
  ZCOPR06: LIMIT,
  ZCOPR07: LIMIT,
} as const;
export type ValidationCode = keyof typeof REFUSALS;

/** Only the 404 names the validation beside its error. */
function refuseValidation(code: ValidationCode, uid: string): Refusal {
  const { status, retryable } = REFUSALS[code];
  const data = status === 404 ? { uid } : undefined;
  return new Refusal(status, [{ code, title: TITLES[code], detail: DETAILS[code], retryable }], {}, data);
}

const RETRY_AFTER_SECONDS = 30;

/** Too many calls at once. Documented without a body; we added the header. */
function refuseForRate(): Refusal {
  return new Refusal(429, [], { 'Retry-After': String(RETRY_AFTER_SECONDS) });
}

// The outcomes of an account validation, by simulation.

/** The bank's answer for an existing account. */
export interface Comparison {
  result: 'match' | 'close_match' | 'no_match' | 'account_closed';
  /** The name on the account. Absent if it would reveal a person's name. */
  nameFor?: (partyName: string) => string;
  isJoint?: boolean;
  /** From 0 to 100 (highest risk). */
  riskScore?: number;
}

export type Ending = Comparison | ValidationCode | 'rate_limited';

const NO_MATCH: Comparison = { result: 'no_match' };

const ENDINGS: Record<ValidationSimulation, Ending> = {
  match: { result: 'match', nameFor: (partyName) => partyName, riskScore: 5 },
  close_match: {
    result: 'close_match',
    nameFor: (partyName) => `${partyName} and others`,
    isJoint: true,
    riskScore: 25,
  },
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

/** The branch code that the provider's sandbox documents as invalid (docs/provider.md#provider-sandbox). */
const UNKNOWN_BRANCH = '100000';

/** Account numbers with a fixed outcome, at any branch, for callers that cannot send the `sandbox` field. Specific to this sandbox. */
const BY_NUMBER: Readonly<Record<string, ValidationSimulation>> = {
  '90000001': 'close_match',
  '90000002': 'individual_no_match',
  '90000003': 'account_closed',
  '90000004': 'no_account_found',
  '90000005': 'unable_to_confirm',
  '90000006': 'account_daily_request_limit_exceeded',
};

/** The simulation decides first, then the branch, then the number. Any other account is a match. */
function endingOf(simulate: ValidationSimulation | undefined, bban: string): Ending {
  if (simulate !== undefined) return ENDINGS[simulate];
  if (bban.startsWith(UNKNOWN_BRANCH)) return 'ZCOPR01';
  return ENDINGS[BY_NUMBER[bban.slice(UNKNOWN_BRANCH.length).replace(/^-/, '')] ?? 'match'];
}

// The wire format of an account validation (docs/provider.md#checks).
const CHANNELS = ['npp.sct', 'de.dc'];

/** If the name must not be revealed, the message and the insights are also omitted. */
function formatValidation(uid: string, partyName: string, comparison: Comparison) {
  const { result, nameFor, isJoint = false, riskScore } = comparison;
  if (nameFor === undefined) return { uid, outcome: { result } };
  const match_name = nameFor(partyName);
  const score = riskScore === undefined ? {} : { risk_score: riskScore };
  return {
    uid,
    outcome: { result, match_name, message: `The account is in the name of ${match_name}` },
    insights: { ...score, is_joint: isJoint, suggested_payment_channels: CHANNELS },
  };
}

const validateAccount = operation(
  {
    name: 'validate_account',
    method: 'POST',
    path: '/cop/account/validate',
    scope: 'cop_account_validations',
    forbidden: {
      title: 'Unauthorised',
      detail: 'This user is not permitted to perform the requested action.',
    },
  },
  ({ body }, engine) => {
    const request = parseOrRefuse(ValidateAccount, body, 422);
    const { uid, party_name } = request;
    // The documents require a new uid for each attempt but give no code for a duplicate.
    if (engine.store.accountValidations.has(uid)) {
      throw refuse(422, 'Validation Failed', `params.uid ${uid} was already used for a validation`);
    }
    const ending = decide(engine, request);
    keep(engine, uid, ending);
    if (ending === 'rate_limited') throw refuseForRate();
    if (typeof ending === 'string') throw refuseValidation(ending, uid);
    return { status: 200, body: { data: formatValidation(uid, party_name, ending) } };
  },
);

/** An attempt refused by a limit is not counted. */
function decide(engine: Engine, request: ValidateAccount): Ending {
  const { account_identifier, requester, sandbox } = request;
  const limits = limitsOf(engine, requester.id);
  const reached = usedUp(engine, [...limits.noMatches, ...limits.requests]);
  if (reached !== undefined) return reached.code;
  const ending = endingOf(sandbox?.simulate, account_identifier.value);
  count(engine, limits.requests);
  if (isNoMatch(ending)) count(engine, limits.noMatches);
  return ending;
}

const isNoMatch = (ending: Ending): ending is Comparison =>
  typeof ending !== 'string' && ending.result === 'no_match';

type ValidationLimit = DayLimit<ValidationCode>;

function limitsOf({ settings: { limits } }: Engine, requesterId: string) {
  const account = 'validation/account';
  const requester = `validation/requester/${requesterId}`;
  const noMatches: ValidationLimit[] = [
    { key: `no-match-${account}`, limit: limits.account_no_matches_per_day, code: 'ZCOPR04' },
    { key: `no-match-${requester}`, limit: limits.requester_no_matches_per_day, code: 'ZCOPR05' },
  ];
  const requests: ValidationLimit[] = [
    { key: account, limit: limits.account_validations_per_day, code: 'ZCOPR06' },
    { key: requester, limit: limits.account_validations_per_requester_per_day, code: 'ZCOPR07' },
  ];
  return { noMatches, requests };
}

/** Stores only the uid and the outcome, neither the account nor the name. */
function keep({ store, ledger }: Engine, uid: string, ending: Ending): void {
  const to = typeof ending === 'string' ? ending : ending.result;
  store.accountValidations.set(uid, to);
  ledger.append({
    kind: 'change',
    resource_type: 'account_validation',
    resource_uid: uid,
    from: null,
    to,
    event_id: null,
    event_type: null,
  });
}

export const CHECK_ROUTES: readonly Registration[] = [resolveAlias, validateAccount];
