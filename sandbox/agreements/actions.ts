// The initiator's actions on an existing agreement. The provider answers 202, carries them out shortly after and publishes an event.
import type { z } from 'zod';
import { operation, type Registration } from '../calls/operation.js';
import type { Engine } from '../engine/parts.js';
import type { CallName } from '../faults/rule.schema.js';
import { refuseByCode, refuseInDetail, type FixedCode, type Refusal } from '../http/refusal.js';
import { parseInVersion } from '../http/request.js';
import type {
  ActionScript,
  ActionSimulation,
  Script,
  ScriptedAction,
  Explanation,
  InitiatorAction,
  Reason,
} from '../store/action.schema.js';
import type { Agreement, AgreementState } from '../store/agreement.schema.js';
import type { TaskKind } from '../store/document.js';
import { SUBMISSION_MS } from './life.js';
import { FAILURES, reasonOf, reasonFrom, type CallerReason } from './reasons.js';
import { SuspensionRequest, CancellationRequest, ReactivationRequest } from './request.schema.js';
import {
  recordChange,
  cancelled,
  reactivated,
  suspended,
  type AgreementMove,
  findAgreement,
  moveAgreement,
} from './states.js';

// How an action ends: as scripted through the control API, else as the request's `sandbox` field states, else by the `usual` outcome.
const keyOf = (agreementUid: string, action: ScriptedAction): string => `${agreementUid}/${action}`;

/** Scripts the outcome of the next action of this kind on this agreement. The agreement need not exist yet. */
export function scriptAction({ store }: Engine, agreementUid: string, script: ActionScript): void {
  const { action, simulate, delay = 0 } = script;
  store.actionScripts.set(keyOf(agreementUid, action), { simulate, delay });
  store.touch();
}

interface Asked {
  action: ScriptedAction;
  /** The `sandbox` field of the request. */
  asked: { simulate?: ActionSimulation | undefined; delay?: number | undefined } | undefined;
  usual: ActionSimulation;
}

/** Call once the action has been accepted: this consumes a script set through the control API. */
export function scriptFor({ store }: Engine, { uid }: Agreement, { action, asked, usual }: Asked): Script {
  const key = keyOf(uid, action);
  const scripted = store.actionScripts.get(key);
  store.actionScripts.delete(key);
  return scripted ?? { simulate: asked?.simulate ?? usual, delay: asked?.delay ?? 0 };
}

/** The codes for a state that forbids an action, each with its detail. */
const WRONG_STATES = {
  ZPSUS00: ({ state }) => `Agreement can not be suspended by the initiator while in the '${state}' state`,
  ZPCAN00: ({ state }) => `Agreement can not be cancelled while in the '${state}' state`,
  ZPREA00: ({ state, state_caused_by: actor }) =>
    `Agreement cannot be reactivated by the initiator whilst in the '${state}' state (set by the ${actor})`,
} as const satisfies Record<string, (agreement: Agreement) => string>;
export type WrongState = keyof typeof WRONG_STATES;

export function refuseByState(agreement: Agreement, code: WrongState): Refusal {
  return refuseInDetail(code, WRONG_STATES[code](agreement), agreement.uid);
}

interface ActionRules {
  /** Documented for reactivation; for the others inferred (docs/provider.md#agreements-actions, #unknown). */
  from: readonly AgreementState[];
  wrongState: WrongState;
  alreadyPending: FixedCode;
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

/** Only the party that suspended an agreement can reactivate it. */
function isPossible({ state, state_caused_by }: Agreement, action: InitiatorAction): boolean {
  const isOthers = action === 'reactivation' && state_caused_by !== 'initiator';
  return ACTIONS[action].from.includes(state) && !isOthers;
}

interface AskedAction {
  action: InitiatorAction;
  reason: Reason | null;
  sandbox: { simulate?: ActionSimulation | undefined; delay?: number | undefined } | undefined;
}

/** @throws Refusal 422: `..01` if the same action is pending, `..00` if the state or the actor forbids it. */
function beginAction(engine: Engine, agreement: Agreement, { action, reason, sandbox }: AskedAction): void {
  const { uid, pending_actions } = agreement;
  const { wrongState, alreadyPending, finish, usual } = ACTIONS[action];
  if (pending_actions.some((pending) => pending.action === action)) {
    throw refuseByCode(alreadyPending, uid);
  }
  if (!isPossible(agreement, action)) {
    throw refuseByState(agreement, wrongState);
  }
  const { simulate, delay } = scriptFor(engine, agreement, { action, asked: sandbox, usual });
  pending_actions.push({ action, reason, simulate });
  recordChange(engine, agreement, { subject: `payto_agreement_${action}`, from: null, to: 'pending' });
  engine.scheduler.add(finish, uid, engine.clock.now() + SUBMISSION_MS + delay * 1000);
}

/** Ends a pending action. It fails if another actor was quicker and the state no longer allows it. */
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
    recordChange(engine, agreement, {
      subject: `payto_agreement_${action}`,
      from: 'pending',
      to: 'completed',
    });
  } else failAction(engine, agreement, action, FAILURES.state_has_changed);
}

function failAction(
  engine: Engine,
  agreement: Agreement,
  action: InitiatorAction,
  failure: Explanation,
): void {
  const event = { name: `${action}_failed`, body: { failure } };
  recordChange(engine, agreement, {
    subject: `payto_agreement_${action}`,
    from: 'pending',
    to: 'failed',
    event,
  });
}

interface ActionRequest {
  sandbox?: AskedAction['sandbox'];
  reason?: CallerReason | undefined;
  narrative?: string | null | undefined;
}

interface ActionRoute {
  name: CallName;
  action: InitiatorAction;
  scope: string;
  schema: z.ZodType<ActionRequest>;
}

const ROUTES: readonly ActionRoute[] = [
  {
    name: 'suspend_agreement',
    action: 'suspension',
    scope: 'pay_to_suspensions',
    schema: SuspensionRequest,
  },
  {
    name: 'cancel_agreement',
    action: 'cancellation',
    scope: 'pay_to_cancellations',
    schema: CancellationRequest,
  },
  {
    name: 'reactivate_agreement',
    action: 'reactivation',
    scope: 'pay_to_reactivations',
    schema: ReactivationRequest,
  },
];

/** POST A/suspension, A/cancellation and A/reactivation. */
export const ACTION_ROUTES: readonly Registration[] = ROUTES.map(({ name, action, scope, schema }) =>
  operation(
    { name, method: 'POST', path: `/payto/agreements/:uid/${action}`, scope },
    ({ uid, body, version }, engine) => {
      const { reason: given, narrative = null, sandbox } = parseInVersion(schema, body, version, 400);
      const agreement = findAgreement(engine, uid);
      const reason = given === undefined ? null : reasonFrom(given, narrative);
      beginAction(engine, agreement, { action, reason, sandbox });
      return { status: 202, body: null };
    },
  ),
);
