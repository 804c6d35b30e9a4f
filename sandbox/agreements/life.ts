// The lifecycle of an accepted agreement: timers, and actions of the scheme and the banks.
import { randomBytes, randomInt } from 'node:crypto';
import { z } from 'zod';
import type { Engine } from '../engine/parts.js';
import { refuse } from '../http/refusal.js';
import type { Explanation } from '../store/action.schema.js';
import type { Agreement, PayerSimulation } from '../store/agreement.schema.js';
import { FAILURES, reasonOf, type SchemeCode } from './reasons.js';
import { UNANSWERED_MS } from './rules.js';
import {
  recordChange,
  cancelled,
  expired,
  failed,
  registered,
  moveAgreement,
  reactivated,
  suspended,
  type AgreementMove,
} from './states.js';

/** How long an accepted request takes to reach the scheme. */
export const SUBMISSION_MS = 20;

/** Outcomes that make a creation fail after the 201. */
const FAILS: Partial<Record<PayerSimulation, Explanation>> = {
  debtor_account_type_not_supported: FAILURES.debtor_account_type_not_supported,
  debtor_alias_not_found: FAILURES.debtor_alias_not_found,
  creditor_alias_not_found: FAILURES.creditor_alias_not_found,
  alias_resolution_service_unavailable: FAILURES.alias_resolution_service_unavailable,
  agreement_service_unavailable: FAILURES.agreement_service_unavailable,
};

/** Stores the agreement and schedules all later changes. The caller receives 201 at once. */
export function beginAgreement(engine: Engine, agreement: Agreement): void {
  const { store, scheduler, clock } = engine;
  const { uid, script } = agreement;
  store.agreements.set(uid, agreement);
  recordChange(engine, agreement, { subject: 'payto_agreement', from: null, to: agreement.state });
  const failsAfterMs = FAILS[script.simulate] === undefined ? 0 : script.delay * 1000;
  scheduler.add('submit_agreement', uid, clock.now() + SUBMISSION_MS + failsAfterMs);
  scheduler.add('expire_agreement', uid, clock.now() + UNANSWERED_MS);
  if (agreement.cancel_if_unresolved === true) {
    scheduler.add('cancel_unresolved_agreement', uid, Date.parse(agreement.resolution_requested_before));
  }
}

export function submitAgreement(engine: Engine, agreement: Agreement): void {
  const { simulate, delay } = agreement.script;
  const failure = FAILS[simulate];
  if (failure !== undefined) {
    moveAgreement(engine, agreement, failed(failure));
    return;
  }
  agreement.mms_agreement_id = schemeId();
  moveAgreement(engine, agreement, registered);
  if (simulate === 'ignore') return;
  engine.scheduler.add('answer_agreement', agreement.uid, engine.clock.now() + SUBMISSION_MS + delay * 1000);
}

/** A UUIDv1 without hyphens: its version digit is 1, its variant digit is 8, 9, a or b. */
function schemeId(): string {
  const id = randomBytes(16).toString('hex');
  const variant = '89ab'[randomInt(4)] ?? '8';
  return `${id.slice(0, 12)}1${id.slice(13, 16)}${variant}${id.slice(17)}`;
}

/** Does nothing if the agreement was answered in time. */
export function expireAgreement(engine: Engine, agreement: Agreement): void {
  moveAgreement(engine, agreement, expired(agreement));
}

/** `cancel_if_unresolved`: the initiator's deadline has passed. */
export function cancelUnresolvedAgreement(engine: Engine, agreement: Agreement): void {
  if (agreement.state !== 'created') return;
  moveAgreement(engine, agreement, cancelled('zepto_system', reasonOf('NOAS')));
}

// Actions that the scheme or a bank takes on its own (docs/provider.md#agreements-states). The control API can trigger them.
export const ServiceAction = z.enum(['expire', 'service_suspend', 'service_reactivate', 'service_cancel']);
export type ServiceAction = z.output<typeof ServiceAction>;

interface Intervention {
  isPossible: (agreement: Agreement) => boolean;
  move: (agreement: Agreement) => AgreementMove;
}

const INTERVENTIONS: Record<ServiceAction, Intervention> = {
  expire: { isPossible: ({ state }) => state === 'created', move: expired },
  service_suspend: {
    isPossible: ({ state }) => state === 'active',
    move: () => suspended('zepto_system', reasonOf('MSUC')),
  },
  service_reactivate: {
    isPossible: ({ state, state_caused_by }) => state === 'suspended' && state_caused_by === 'zepto_system',
    move: () => reactivated('zepto_system'),
  },
  service_cancel: {
    isPossible: ({ state }) => ['created', 'active', 'suspended'].includes(state),
    move: () => cancelled('zepto_system', reasonOf('MD07')),
  },
};

/** The actions that the service can take in the agreement's current state. */
export function possibleServiceActions(agreement: Agreement): ServiceAction[] {
  return ServiceAction.options.filter((action) => INTERVENTIONS[action].isPossible(agreement));
}

/** Acts as the service at once. @throws Refusal 409 if the agreement does not allow it. */
export function actAsService(engine: Engine, agreement: Agreement, action: ServiceAction): void {
  const { isPossible, move } = INTERVENTIONS[action];
  if (isPossible(agreement)) {
    moveAgreement(engine, agreement, move(agreement));
    return;
  }
  const { uid, state, state_caused_by } = agreement;
  const detail = `${action} is not possible for agreement ${uid}: its state is ${state}, caused by ${state_caused_by}`;
  throw refuse(409, 'Conflict', detail);
}

/** Suspends the agreement as the service, for example with MSUC after seven failed collections. False if it is not active. */
export function suspendByService(engine: Engine, agreement: Agreement, code: SchemeCode): boolean {
  return (
    agreement.state === 'active' &&
    moveAgreement(engine, agreement, suspended('zepto_system', reasonOf(code)))
  );
}
