// POST A/simulate_debtor_action: has the payer act on an agreement that stands. 202, told by an event.
import type { Engine } from '../engine.js';
import { registerOperation } from '../http/operation.js';
import { refuseByCode, type ErrorCode } from '../http/refusal.js';
import type { Router } from '../http/responses.js';
import type { Agreement } from './agreement.schema.js';
import { amendByDebtor } from './amendments/debtor-amendment.js';
import { findAgreement } from './find-agreement.js';
import { parseBody } from './parse-body.js';
import { actAsPayer, possibleActions, type PayerAction } from './payer.js';
import { reasonFrom } from './reasons.js';
import { SimulateDebtorAction } from './simulate-debtor-action.schema.js';

const OPERATION = {
  name: 'simulate_debtor_action',
  method: 'POST',
  path: '/payto/agreements/:uid/simulate_debtor_action',
  scope: 'pay_to_agreements',
} as const;

type Asked = Exclude<SimulateDebtorAction, { debtor_action: 'amendment' }>;

/** Which code refuses what the state forbids is not documented: here, that of the initiator's own action. */
const TURNS: Record<Asked['debtor_action'], { action: PayerAction; wrongState: ErrorCode }> = {
  suspension: { action: 'suspend', wrongState: 'ZPSUS00' },
  cancellation: { action: 'cancel', wrongState: 'ZPCAN00' },
  reactivation: { action: 'reactivate', wrongState: 'ZPREA00' },
};

export function registerSimulateDebtorAction(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ uid, body, version }) => {
    const asked = parseBody(SimulateDebtorAction, body, version);
    const agreement = findAgreement(engine, uid);
    if (asked.debtor_action === 'amendment') amendByDebtor(engine, agreement, asked.changes);
    else act(engine, agreement, asked);
    return { status: 202, body: null };
  });
}

function act(engine: Engine, agreement: Agreement, asked: Asked): void {
  const { uid, state, state_caused_by } = agreement;
  const { action, wrongState } = TURNS[asked.debtor_action];
  if (!possibleActions(agreement).includes(action)) {
    throw refuseByCode(wrongState, `agreement ${uid} is ${state}, caused by ${state_caused_by}`, uid);
  }
  if (asked.debtor_action === 'reactivation') actAsPayer(engine, agreement, action);
  else {
    const { reason = 'customer_requested', narrative = null } = asked;
    actAsPayer(engine, agreement, action, reasonFrom(reason, narrative));
  }
}
