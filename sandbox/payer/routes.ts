// POST A/simulate_debtor_action: simulates a debtor action on an existing agreement. Answers 202; an event reports the action.
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { refuseByState, type WrongState } from '../agreements/actions.js';
import { debtorAccountProblem } from '../agreements/parties.js';
import { DEBTOR_REASONS, reasonFrom } from '../agreements/reasons.js';
import { Narrative, DebtorChanges } from '../agreements/request.schema.js';
import { recordChange, stands, runningAmendment, findAgreement } from '../agreements/states.js';
import { applyAmendment, hasChanges } from '../amendments/changes.js';
import { operation, type Registration } from '../calls/operation.js';
import type { Engine } from '../engine/parts.js';
import { refuseByCode } from '../http/refusal.js';
import { parseInVersion } from '../http/request.js';
import type { Agreement } from '../store/agreement.schema.js';
import type { Amendment } from '../store/amendment.schema.js';
import { actAsPayer, possibleActions, type PayerAction } from './actions.js';

// The body of POST A/simulate_debtor_action (docs/provider.md#provider-sandbox). Observed: a reactivation has no reason.
const SimulateDebtorAction = z.discriminatedUnion('debtor_action', [
  z.strictObject({
    debtor_action: z.literal('suspension'),
    reason: z.enum(DEBTOR_REASONS),
    narrative: Narrative,
  }),
  z.strictObject({
    debtor_action: z.literal('cancellation'),
    reason: z.enum(DEBTOR_REASONS),
    narrative: Narrative,
  }),
  z.strictObject({ debtor_action: z.literal('reactivation') }),
  z.strictObject({
    debtor_action: z.literal('amendment'),
    changes: z.strictObject({ debtor: DebtorChanges }),
  }),
]);
type SimulateDebtorAction = z.output<typeof SimulateDebtorAction>;

// An amendment by the debtor takes effect at once (docs/provider.md#amendments). In production it can change only the account, within
// the same institution. The provider's sandbox and this one do not enforce these limits.
interface DebtorChanges {
  debtor: z.output<typeof DebtorChanges>;
}

/** @throws Refusal 422 with the codes for the initiator's amendments, because none are documented for the debtor's. */
function amendByDebtor(engine: Engine, agreement: Agreement, changes: DebtorChanges): void {
  check(agreement, changes.debtor);
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
  recordChange(engine, agreement, { subject: 'payto_agreement_amendment', from: null, to: amendment.state });
  applyAmendment(engine, { agreement, amendment });
}

function check(agreement: Agreement, changes: DebtorChanges['debtor']): void {
  const { uid, debtor } = agreement;
  if (!stands(agreement)) throw refuseByCode('ZPAMN00', uid);
  if (runningAmendment(agreement) !== undefined) throw refuseByCode('ZPAMN01', uid);
  if (!hasChanges(changes)) throw refuseByCode('ZPAMN02', uid);
  if (isDeepStrictEqual({ ...debtor, ...changes }, debtor)) throw refuseByCode('ZPAMN03', uid);
  const { account_identifier: account } = changes;
  const problem = account && debtorAccountProblem(account);
  if (problem !== undefined) throw refuseByCode(problem, uid);
}

type Asked = Exclude<SimulateDebtorAction, { debtor_action: 'amendment' }>;

/** The codes for a forbidden state are not documented. We use those of the initiator's actions. */
const ACTS: Record<Asked['debtor_action'], { action: PayerAction; wrongState: WrongState }> = {
  suspension: { action: 'suspend', wrongState: 'ZPSUS00' },
  cancellation: { action: 'cancel', wrongState: 'ZPCAN00' },
  reactivation: { action: 'reactivate', wrongState: 'ZPREA00' },
};

const simulateDebtorAction = operation(
  {
    name: 'simulate_debtor_action',
    method: 'POST',
    path: '/payto/agreements/:uid/simulate_debtor_action',
    scope: 'pay_to_agreements',
  },
  ({ uid, body, version }, engine) => {
    const asked = parseInVersion(SimulateDebtorAction, body, version);
    const agreement = findAgreement(engine, uid);
    if (asked.debtor_action === 'amendment') amendByDebtor(engine, agreement, asked.changes);
    else act(engine, agreement, asked);
    return { status: 202, body: null };
  },
);

function act(engine: Engine, agreement: Agreement, asked: Asked): void {
  const { action, wrongState } = ACTS[asked.debtor_action];
  if (!possibleActions(agreement).includes(action)) {
    throw refuseByState(agreement, wrongState);
  }
  if (asked.debtor_action === 'reactivation') actAsPayer(engine, agreement, action);
  else {
    const { reason, narrative } = asked;
    actAsPayer(engine, agreement, action, reasonFrom(reason, narrative ?? null));
  }
}

export const PAYER_ROUTES: readonly Registration[] = [simulateDebtorAction];
