// The debtor's own amendment: its account, within the same institution, at once (facts 7.5).
import type { Engine } from '../../engine.js';
import type { AccountIdentifier } from '../../entities.schema.js';
import { refuseByCode } from '../../http/refusal.js';
import { branchOf, debtorAccountProblem, isSameAccount } from '../account-rules.js';
import { tellChange } from '../agreement-events.js';
import { stands } from '../agreement-states.js';
import type { Agreement } from '../agreement.schema.js';
import { applyAmendment, runningAmendment } from './amendment-states.js';
import type { Amendment } from './amendment.schema.js';

interface DebtorChanges {
  debtor: { account_identifier: AccountIdentifier };
}

/** @throws Refusal: 422 with the code for the initiator's amendments, none being documented for the debtor's. */
export function amendByDebtor(engine: Engine, agreement: Agreement, changes: DebtorChanges): void {
  check(agreement, changes.debtor.account_identifier);
  const now = engine.clock.iso();
  const amendment: Amendment = {
    changes,
    resolution_requested_before: now,
    state: 'pending',
    actor: 'debtor',
    failure: null,
    created_at: now,
    simulate: 'debtor_accept',
    delay: 0,
    recall: null,
  };
  agreement.amendments.push(amendment);
  tellChange(engine, agreement, { subject: 'payto_agreement_amendment', from: null, to: amendment.state });
  applyAmendment(engine, { agreement, amendment });
}

function check(agreement: Agreement, account: AccountIdentifier): void {
  const { uid, state, debtor } = agreement;
  if (!stands(agreement)) {
    throw refuseByCode('ZPAMN00', `agreement ${uid} is ${state}, not active or suspended`, uid);
  }
  if (runningAmendment(agreement) !== undefined) {
    throw refuseByCode('ZPAMN01', `an amendment of agreement ${uid} is under way`, uid);
  }
  if (isSameAccount(account, debtor.account_identifier)) {
    throw refuseByCode('ZPAMN03', 'changes equal the values that the agreement has', uid);
  }
  if (!isSameInstitution(account, debtor.account_identifier)) {
    throw refuseByCode('ZPUNP00', 'changes.debtor.account_identifier: is at another institution', uid);
  }
  const problem = debtorAccountProblem(account);
  if (problem !== undefined) throw refuseByCode(problem.code, problem.detail, uid);
}

/** How an institution is told is not documented: here by the branch code, so an alias is never within the same. */
function isSameInstitution(one: AccountIdentifier, other: AccountIdentifier): boolean {
  return one.type === 'bban' && other.type === 'bban' && branchOf(one.value) === branchOf(other.value);
}
