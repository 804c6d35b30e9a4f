// What can happen in a life, and to whom.
import type { ActionKind } from '../../domain/agreement/action.js';
import type { OnHoliday, OnMissed } from '../../domain/agreement/plan.js';
import type { PaymentTerms } from '../../domain/agreement/mandate.js';
import type { Interruption } from './later-attempts.js';
import type { PlannedOutcome, PayerMove, PaymentHabits, ServiceMove } from './provider-interface.js';

export type Target = 'write' | 'read' | 'token';
export const CALL_FAULTS = [
  'cut_before',
  'cut_after',
  'slow',
  'throttled',
  'refused_403',
  'refused_401',
] as const;
export type CallFault = (typeof CALL_FAULTS)[number];
export const WORKFLOWS = ['agreement', 'payment', 'connection'] as const;
export type WorkflowName = (typeof WORKFLOWS)[number];

export const INTENTS = 3;

export type Event =
  | { do: 'call'; target: Target; fault: CallFault; ms: number }
  | { do: 'webhook'; afterMs: readonly number[] }
  | { do: 'payer'; move: PayerMove }
  | { do: 'service'; move: ServiceMove }
  | { do: 'misreport'; type: 'expired' | 'cancelled' }
  | { do: 'ask'; kind: ActionKind; max: number }
  | ({ do: 'outcome' } & PlannedOutcome)
  | { do: 'pay'; intent: number; uid: number; retries: number }
  | { do: 'burst'; payments: number }
  | { do: 'retry' }
  | { do: 'refund' }
  | { do: 'reversal' }
  | { do: 'uid_of_another'; intent: number; uid: number }
  | { do: 'schedule'; days: readonly number[]; onMissed: OnMissed; onHoliday?: OnHoliday }
  | { do: 'follow' }
  | { do: 'worker'; fate: 'dies' | 'falls_silent' }
  | { do: 'no_worker'; of: 'any' | 'calls'; forMs: number }
  | { do: 'stall'; workflow: WorkflowName; ms: number }
  | { do: 'backlog'; ms: number; forMs: number }
  | { do: 'hand_over'; workflow: WorkflowName }
  | { do: 'clock'; ms: number }
  | { do: 'forgotten'; of: Exclude<WorkflowName, 'connection'> | 'refund'; isTerminated: boolean }
  | { do: 'cancel_request'; workflow: WorkflowName }
  | { do: 'consent'; by: 'taken' | 'given' | 'revoked' | 'narrowed' }
  | { do: 'lag'; ms: number; forMs: number }
  | { do: 'limit'; forMs: number; code?: 'ZPPAY01' }
  | { do: 'outage'; forMs: number; fault: 'cut_before' | 'cut_after' }
  | { do: 'stop'; forMs: number }
  | { do: 'refresh' }
  | { do: 'foreign_payment' }
  | { do: 'redelivery'; which: number }
  | ({ do: 'interrupt' } & Interruption)
  | { do: 'look_up'; of?: 'payment' }
  | { do: 'sweep' };

export interface Timed {
  atMs: number;
  event: Event;
}

export interface RefundHabits {
  ends: 'processed' | 'failed';
  stepMs: number;
  refuses: boolean;
}

export interface Scenario {
  beginsAs: 'ours' | 'found';
  isAccepted: boolean;
  isSigned: boolean;
  hides: 'nothing' | 'creation' | 'payments';
  hasGrace: boolean;
  tokenMs: number;
  isNew: boolean;
  payments: PaymentHabits;
  refunds: RefundHabits;
  /** Terms that limit the number of payments. The first payment of such a life fails, the others settle. */
  terms?: PaymentTerms;
  /** The agreement has dropped a payment, so its planned ones need the records, which do not answer for so long. */
  recordsAwayMs?: number;
  events: readonly Timed[];
}
