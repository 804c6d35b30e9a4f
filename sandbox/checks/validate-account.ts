// POST /cop/account/validate: whether an account is in that name. Every attempt uses up its uid, refused ones too.
import type { Engine } from '../engine.js';
import { registerOperation } from '../http/operation.js';
import { refusalFrom, refuseByCode } from '../http/refusal.js';
import type { Router } from '../http/responses.js';
import { count, usedUp, type DayLimit } from './day-limits.js';
import { formatValidation } from './format-validation.js';
import { ValidateAccount } from './validate-account.schema.js';
import { endingOf, type Comparison, type Ending } from './validation-endings.js';
import { refuseForRate, refuseValidation, type ValidationCode } from './validation-refusals.js';

const OPERATION = {
  name: 'validate_account',
  method: 'POST',
  path: '/cop/account/validate',
  scope: 'cop_account_validations',
} as const;

export function registerValidateAccount(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ body }) => {
    const parsed = ValidateAccount.safeParse(body);
    if (!parsed.success) throw refusalFrom(parsed.error);
    const { uid, party_name } = parsed.data;
    // No document gives a code for it; that each attempt needs a uid of its own is documented.
    if (engine.store.accountValidations.has(uid)) {
      throw refuseByCode('ZPUNP00', `uid: ${uid} was used for a validation already`, uid);
    }
    const ending = decide(engine, parsed.data);
    keep(engine, uid, ending);
    if (ending === 'rate_limited') throw refuseForRate();
    if (typeof ending === 'string') throw refuseValidation(ending, uid);
    return { status: 200, body: { data: formatValidation(uid, party_name, ending) } };
  });
}

/** What a limit keeps back is not counted. */
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

/** The uid and how it ended; neither the account nor the name. */
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
