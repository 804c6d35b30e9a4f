// The contract of an agreement workflow: its id, input, signals, updates and queries.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import { eventMessagesOf, reportTo } from '../contracts/every-workflow.js';
import { PAYMENT_REPORTS } from '../contracts/signals.js';
import type { Action, ActionKind, ActionRequest } from '../../domain/agreement/action.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { KeyUse } from '../../domain/commands/key-use.js';
import type { RecordedBefore } from '../../domain/commands/records-needed.js';
import type { Mandate, PaymentOrder } from '../../domain/agreement/mandate.js';
import type { Payer } from '../../domain/agreement/payer.schema.js';
import type { PaymentHandling } from '../../domain/payment/handling.js';
import type { PaymentReport } from '../../domain/payment/outcome.js';
import type { Refusal } from '../../domain/terms/status.js';
import type { Foreseen } from '../../domain/terms/planned.js';
import type { AgreementAnswer, Judgement } from '../../domain/terms/judgement.js';
import type { Plan, PlanRequest } from '../../domain/agreement/plan.js';
import type { Carried, ResourceEnd } from '../contracts/upgrade.js';
import type { AgreementState } from './state.js';
import type { recordedView, viewOf } from './view.js';

export { connectionRestored, lookUpNow, resolveAttention } from '../contracts/every-workflow.js';
export type { AttentionResolution } from '../../domain/attention/resolution.js';

export { agreementWorkflowId } from '../contracts/signals.js';
export const AGREEMENT_WORKFLOW = 'agreement';

export interface AgreementInput {
  uid: string;
  /** The connection that owns it. Absent if the agreement is adopted. */
  connectionId?: string | undefined;
  /** What to create at the provider. Absent if the agreement is adopted. */
  mandate?: Mandate | undefined;
  /** The payer's data, needed to resolve PayIDs. */
  payer?: Payer | undefined;
  /** The principal that requested it. */
  requestedBy?: string | undefined;
  /** The id of the onboarding workflow that waits for it. */
  reportTo?: string | undefined;
  /** The state of the previous run. Set by continue-as-new, and by an event that reopens an ended agreement. */
  carried?: Carried<AgreementState> | undefined;
  /** Whether the previous run had ended. */
  isReopened?: boolean | undefined;
  /** An event or a command has started the run without a state, so it reads its record first. */
  readsRecord?: boolean | undefined;
  /** The latest run has left no state. */
  isLost?: boolean | undefined;
  /** The records were away when it was requested, so another one may have had its uid before (workflows/resource/unchecked.ts). */
  isUnchecked?: boolean | undefined;
}

export type RecordedAgreementView = ReturnType<typeof recordedView>;

export type AgreementView = ReturnType<typeof viewOf>;

export type ActionView = Pick<
  Action,
  'key' | 'callersKey' | 'by' | 'stage' | 'requestedAt' | 'endedAt' | 'failure'
> & {
  kind: ActionKind;
};

export interface PendingAction {
  kind: ActionKind | 'creation';
  /** Absent for the creation, which is identified by the uid. */
  key?: string | undefined;
  callersKey?: string | undefined;
  requestedAt: Instant;
  /** The provider has accepted it. Its outcome is pending. */
  isAccepted: boolean;
}

export interface PlanView extends Pick<
  Plan,
  'schedule' | 'onMissed' | 'onHoliday' | 'order' | 'handling' | 'since' | 'by' | 'owed' | 'log' | 'ended'
> {
  /** The next ten payments, each with the refusal it would get under the current terms. */
  upcoming: Foreseen[];
  warnings: string[];
}

export type AgreementEnd = ResourceEnd<AgreementState>;

export interface PaymentRequest {
  uid: string;
  order: PaymentOrder;
  handling?: PaymentHandling | undefined;
  /** The use of the caller's key, if there is one. Its uid is the payment's. */
  use?: KeyUse | undefined;
  /** The principal that requested it. */
  by?: string | undefined;
  /** The id of the onboarding workflow that waits for it. */
  reportTo?: string | undefined;
  /** What the records have under its uid or key: nothing, or the first request. Undefined if they were away. */
  recorded?: RecordedBefore | undefined;
}

/** An admitted payment, and when it will be sent. */
export interface PaymentAsk {
  uid: string;
  order: PaymentOrder;
  at: Instant;
  /** True for a retry of a failed payment. */
  isRetry: boolean;
}

/** Why a payment request is refused: the terms forbid it, or its uid or key was used for a different request. */
export interface Refused extends Pick<Refusal, 'detail' | 'pointer'> {
  code: string;
  limit?: Refusal['limit'] | undefined;
  met?: Refusal['met'] | undefined;
  passesFrom?: Refusal['passesFrom'] | undefined;
}

/** The result of `requestPayment`. Temporal returns it for each repeat with the same update id. */
export interface PaymentAdmitted {
  connectionId: string | undefined;
  /** For a repeat: when it was admitted. Absent if no longer stored. */
  requestedAt?: Instant | undefined;
  /** The judgement that admitted it, and the time of that. Absent for a repeat. */
  judged?: Judgement | undefined;
  /** `key`: the same key and body were used before. `uid`: the uid was used before, perhaps with a different body. */
  repeatOf?: 'key' | 'uid' | undefined;
}

/** The judgement of a payment request. Both fields are absent if it would be admitted. */
export interface Judged extends Pick<PaymentAdmitted, 'repeatOf'> {
  refusal?: Refused | undefined;
}

/** Requests a payment. Refused with an ApplicationFailure whose type is a `Refusal['code']`, `payment_uid_conflict`, `payment_key_conflict`, `records_unavailable` or `uid_unclear`. */
export const requestPayment = defineUpdate<PaymentAdmitted, [PaymentRequest]>('requestPayment');
/** Requests a command. Refused with an ApplicationFailure whose type is an `ActionRefusalCode` or `action_key_conflict`. */
export const requestAction = defineUpdate<void, [ActionRequest]>('requestAction');
/** A payment of this agreement reports its outcome. */
export const paymentReports = defineSignal<[PaymentReport]>(PAYMENT_REPORTS);
/** Sets the payment plan and replaces any previous one. Refused with `agreement_final`, `plan_date_past`, `plan_empty`, or a `Refusal['code']`. */
export const putPlan = defineUpdate<void, [PlanRequest]>('putPlan');
/** Ends the payment plan. Refused with `no_plan`. */
export const endPlan = defineUpdate<void, [{ by: string }]>('endPlan');
/** Judges a payment at a given time, without changing anything. */
export const judgePayment = defineQuery<Judged, [PaymentRequest & { at: Instant }]>('judgePayment');
/** Whether a waiting payment of this agreement may still be sent. Null while the state of the agreement is in doubt. */
export const getPermission = defineQuery<AgreementAnswer | null, [PaymentAsk]>('getPermission');
/** Admits the retry of a failed payment, unless its terms or its state forbid it by now. Null while the state is in doubt. */
export const admitRetry = defineUpdate<AgreementAnswer | null, [Omit<PaymentAsk, 'at' | 'isRetry'>]>(
  'admitRetry',
);
/** Requests the agreement of a run that only events have started. The answer shows the request that has the uid now. */
export const claimAgreement = defineUpdate<RecordedAgreementView, [AgreementInput]>('claimAgreement');
export const getAgreement = defineQuery<AgreementView>('getAgreement');

const shared = eventMessagesOf('agreement');
export const { fact: agreementFact } = shared;

export const messages = {
  ...shared,
  paymentReports,
  reportTo,
  requestPayment,
  requestAction,
  putPlan,
  endPlan,
  admitRetry,
  claim: claimAgreement,
  judgePayment,
  getPermission,
  view: getAgreement,
};
