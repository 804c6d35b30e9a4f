// What the initiator does to an agreement that stands: accepted with 202, carried out a little later, told by an event.
import type { Engine } from '../engine.js';
import { refuseByCode, type ErrorCode } from '../http/refusal.js';
import type { TaskKind } from '../time/task.schema.js';
import { scriptFor } from './action-script.js';
import { tellChange } from './agreement-events.js';
import { SUBMISSION_MS } from './agreement-life.js';
import { cancelled, reactivated, suspended, type AgreementMove } from './agreement-moves.js';
import { moveAgreement } from './agreement-states.js';
import type { ActionSimulation, Explanation, InitiatorAction, Reason } from './agreement-action.schema.js';
import type { Agreement, AgreementState } from './agreement.schema.js';
import { FAILURES } from './failures.js';
import { reasonOf } from './reasons.js';

interface ActionRules {
  /** Documented for reactivation; for the others inferred (facts 7.4, 18). */
  from: readonly AgreementState[];
  wrongState: ErrorCode;
  alreadyPending: ErrorCode;
  finish: TaskKind;
  usual: ActionSimulation;
  move: (reason: Reason) => AgreementMove;
}

const ACTIONS: Record<InitiatorAction, ActionRules> = {
  suspension: {
    from: ['active'],
    wrongState: 'ZPSUS00',
    alreadyPending: 'ZPSUS01',
    finish: 'finish_suspension',
    usual: 'successful_suspension',
    move: (reason) => suspended('initiator', reason),
  },
  cancellation: {
    from: ['created', 'active', 'suspended'],
    wrongState: 'ZPCAN00',
    alreadyPending: 'ZPCAN01',
    finish: 'finish_cancellation',
    usual: 'successful_cancellation',
    move: (reason) => cancelled('initiator', reason),
  },
  reactivation: {
    from: ['suspended'],
    wrongState: 'ZPREA00',
    alreadyPending: 'ZPREA01',
    finish: 'finish_reactivation',
    usual: 'successful_reactivation',
    move: () => reactivated('initiator'),
  },
};

/** What others have suspended only they can resume. */
function isPossible({ state, state_caused_by }: Agreement, action: InitiatorAction): boolean {
  const isOthers = action === 'reactivation' && state_caused_by !== 'initiator';
  return ACTIONS[action].from.includes(state) && !isOthers;
}

interface AskedAction {
  action: InitiatorAction;
  reason: Reason | null;
  sandbox: { simulate?: ActionSimulation | undefined; delay?: number | undefined } | undefined;
}

/** @throws Refusal: 422 ..01 while the same action is under way, ..00 where state or actor forbid it. */
export function beginAction(
  engine: Engine,
  agreement: Agreement,
  { action, reason, sandbox }: AskedAction,
): void {
  const { uid, state, state_caused_by, pending_actions } = agreement;
  const { wrongState, alreadyPending, finish, usual } = ACTIONS[action];
  if (pending_actions.some((pending) => pending.action === action)) {
    throw refuseByCode(alreadyPending, `a ${action} of agreement ${uid} is being processed`, uid);
  }
  if (!isPossible(agreement, action)) {
    throw refuseByCode(wrongState, `agreement ${uid} is ${state}, caused by ${state_caused_by}`, uid);
  }
  const { simulate, delay } = scriptFor(engine, agreement, { action, asked: sandbox, usual });
  pending_actions.push({ action, reason, simulate });
  tellChange(engine, agreement, { subject: `payto_agreement_${action}`, from: null, to: 'pending' });
  engine.scheduler.add(finish, uid, engine.clock.now() + SUBMISSION_MS + delay * 1000);
}

/** Its time has come. Whoever was quicker has won: what the state no longer allows fails. */
export function finishAction(engine: Engine, agreement: Agreement, action: InitiatorAction): void {
  const pending = agreement.pending_actions.find((it) => it.action === action);
  if (pending === undefined) return;
  agreement.pending_actions = agreement.pending_actions.filter((it) => it !== pending);
  const { simulate, reason } = pending;
  if (simulate === 'agreement_cancelled') {
    moveAgreement(engine, agreement, cancelled('debtor', reasonOf('MD16')));
  }
  if (simulate === `${action}_failed`) failAction(engine, agreement, action, FAILURES.refused_by_scheme);
  else if (isPossible(agreement, action)) {
    moveAgreement(engine, agreement, ACTIONS[action].move(reason ?? reasonOf('MD17')));
    tellChange(engine, agreement, { subject: `payto_agreement_${action}`, from: 'pending', to: 'completed' });
  } else failAction(engine, agreement, action, FAILURES.state_has_changed);
}

function failAction(
  engine: Engine,
  agreement: Agreement,
  action: InitiatorAction,
  failure: Explanation,
): void {
  const event = { name: `${action}_failed`, body: { failure } };
  tellChange(engine, agreement, {
    subject: `payto_agreement_${action}`,
    from: 'pending',
    to: 'failed',
    event,
  });
}
