// How the outside world addresses an agreement workflow: its id, its input, its signals, updates and queries.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import { connectionRestored, lookUpNow, reportTo, resolveAttention } from '../entity/contract.js';
import { PAYMENT_REPORTS } from '../entity/signals.js';
import type { Action, ActionKind, ActionRequest } from '../../domain/agreement/action.js';
import type { AgreementLifecycleState } from '../../domain/agreement/lifecycle.js';
import type { Fact, Instant, Reason } from '../../domain/facts/fact.js';
import type { KeyUse } from '../../domain/commands/key-use.js';
import type { Mandate, PaymentOrder } from '../../domain/agreement/mandate.js';
import type { Payer } from '../../domain/agreement/payer.schema.js';
import type { PaymentHandling } from '../../domain/payment/handling.js';
import type { PaymentEntry, PaymentReport } from '../../domain/payment/outcome.js';
import type { Refusal } from '../../domain/terms/status.js';
import type { Foreseen } from '../../domain/terms/planned.js';
import type { AgreementAnswer } from '../../domain/terms/judgement.js';
import type { Plan, PlanRequest } from '../../domain/agreement/plan.js';
import type { Timeline } from '../../domain/facts/timeline.js';
import type { ResourceView } from '../entity/contract.js';
import type { Carried } from '../entity/engine/upgrade.js';
import type { AgreementState } from './state.js';

export { connectionRestored, lookUpNow, resolveAttention } from '../entity/contract.js';
export type { AttentionResolution } from '../../domain/attention/resolution.js';

export { agreementWorkflowId } from '../entity/signals.js';
export const AGREEMENT_WORKFLOW = 'agreement';

export interface AgreementInput {
  uid: string;
  /** Whose account it belongs to; absent when adopting an agreement that was not started here. */
  connectionId?: string | undefined;
  /** What to create at the provider; absent when adopting. */
  mandate?: Mandate | undefined;
  /** Who is asked to accept it, where a PayID is looked up first. */
  payer?: Payer | undefined;
  /** The principal that asked for it. */
  requestedBy?: string | undefined;
  /** The id of the onboarding workflow that waits for it. */
  reportTo?: string | undefined;
  /** Everything that the run before knew: set by continue-as-new, and by an event that comes after the end. */
  carried?: Carried<AgreementState> | undefined;
  /** The run before it had ended. */
  isReopened?: boolean | undefined;
}

export interface AgreementView extends ResourceView<AgreementLifecycleState> {
  stateCausedBy?: string | undefined;
  stateReason?: Reason | undefined;
  /** What was asked for at the start; absent where it was found at the provider. */
  requestedMandate?: Mandate | undefined;
  /** What holds now, amendments included. */
  mandate?: Mandate | undefined;
  /** True where the agreement was found at the provider and not started here. */
  adopted: boolean;
  mmsAgreementId?: string | undefined;
  /** The name behind the payer's PayID, as the provider resolved it. Never for the payer. */
  payIdDisplayName?: string | undefined;
  createdAt: Instant;
  requestedBy?: string | undefined;
  /** What was asked of the provider and has no outcome yet, oldest first; creation itself included. */
  pending: PendingAction[];
  /** What was asked of the provider, with what came of it: the newest ten, oldest first. */
  actions: ActionView[];
  /** The newest thousand, oldest first. */
  payments: PaymentEntry[];
  paymentsOlder: number;
  /** Payments that failed in a row since one settled. */
  consecutiveFailures: { count: number; stopsPayments: boolean };
  /** What the payer is to decide on, and by when it is asked whether they have. */
  payerDecides?: { on: 'agreement' | 'amendment'; until?: Instant | undefined } | undefined;
  plan?: PlanView | undefined;
  factCount: number;
}

export type ActionView = Pick<
  Action,
  'key' | 'callersKey' | 'by' | 'stage' | 'requestedAt' | 'endedAt' | 'failure'
> & {
  kind: ActionKind;
};

export interface PendingAction {
  kind: ActionKind | 'creation';
  /** Absent for the creation, whose key is the uid. */
  key?: string | undefined;
  callersKey?: string | undefined;
  requestedAt: Instant;
  /** The provider has it; its outcome is awaited. */
  isAccepted: boolean;
}

export interface PlanView extends Pick<
  Plan,
  'schedule' | 'onMissed' | 'order' | 'handling' | 'since' | 'by' | 'owed' | 'log' | 'ended'
> {
  /** The next ten, with why one would be refused as the terms stand now. */
  upcoming: Foreseen[];
  warnings: string[];
}

/** How a run ends: what stands, and all that a later run needs to take it up again, its payments among it. */
export type AgreementEnd = Omit<AgreementView, 'payments'> & { carried: Carried<AgreementState> };

export interface PaymentRequest {
  uid: string;
  order: PaymentOrder;
  handling?: PaymentHandling | undefined;
  /** The caller's key, where there was one; its uid is the payment's. */
  use?: KeyUse | undefined;
  /** The principal that asked for it. */
  by?: string | undefined;
  /** The id of the onboarding workflow that waits for it. */
  reportTo?: string | undefined;
}

/** A payment that was admitted, and when it is to be sent. */
export interface PaymentAsk {
  uid: string;
  order: PaymentOrder;
  at: Instant;
  /** It has failed, and is tried again. */
  isRetry: boolean;
}

/** Why a request for a payment is refused: by the terms, or as its uid or key was used before, for something else. */
export interface Refused extends Pick<Refusal, 'detail' | 'pointer'> {
  code: string;
  limit?: Refusal['limit'] | undefined;
  met?: Refusal['met'] | undefined;
  passesFrom?: Refusal['passesFrom'] | undefined;
}

/** What Temporal answers, also to each repeat under the same update id. */
export interface PaymentAdmitted {
  uid: string;
  connectionId: string | undefined;
  /** When it was admitted; absent where that is not kept any more. */
  requestedAt?: Instant | undefined;
  /** It had been requested before, with the same key and body; or under the same uid, perhaps with other particulars. */
  repeatOf?: 'key' | 'uid' | undefined;
}

/** Whether a payment would be admitted; neither where it would be. */
export interface Judged extends Pick<PaymentAdmitted, 'repeatOf'> {
  refusal?: Refused | undefined;
}

/** A provider's event about this agreement. Durable once the signal's RPC returns. */
export const agreementFact = defineSignal<[Fact]>('agreementFact');
/** Asks for a payment. Refused with an ApplicationFailure whose type is a `Refusal['code']`, `payment_uid_conflict` or `payment_key_conflict`. */
export const requestPayment = defineUpdate<PaymentAdmitted, [PaymentRequest]>('requestPayment');
/** Asks something of the provider. Refused with an ApplicationFailure whose type is an `ActionRefusalCode` or `action_key_conflict`. */
export const requestAction = defineUpdate<void, [ActionRequest]>('requestAction');
/** The sweep saw that the provider shows something else. */
export const agreementDiffers = defineSignal('agreementDiffers');
/** A payment of its own reports what became of it. */
export const paymentReports = defineSignal<[PaymentReport]>(PAYMENT_REPORTS);
/** Plans payments ahead, in place of what was planned before. Refused with `agreement_final`, `plan_date_past`, `plan_empty`, or a `Refusal['code']`. */
export const putPlan = defineUpdate<void, [PlanRequest]>('putPlan');
/** Refused with `no_plan`. */
export const endPlan = defineUpdate<void, [{ by: string }]>('endPlan');
/** Whether a payment would be admitted at that time, which changes nothing. */
export const judgePayment = defineQuery<Judged, [PaymentRequest & { at: Instant }]>('judgePayment');
/** Whether a payment of its own that has waited may still be sent; null while it is not certain how the agreement stands. */
export const getPermission = defineQuery<AgreementAnswer | null, [PaymentAsk]>('getPermission');
export const getAgreement = defineQuery<AgreementView>('getAgreement');
export const getTimeline = defineQuery<Timeline>('getTimeline');

export const messages = {
  agreementFact,
  agreementDiffers,
  paymentReports,
  connectionRestored,
  reportTo,
  lookUpNow,
  requestPayment,
  requestAction,
  resolveAttention,
  putPlan,
  endPlan,
  judgePayment,
  getPermission,
  getAgreement,
  getTimeline,
};
