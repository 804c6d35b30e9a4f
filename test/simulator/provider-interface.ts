import type { ActionKind } from '../../domain/agreement/action.js';

export type ShownState =
  'pending' | 'created' | 'active' | 'suspended' | 'declined' | 'expired' | 'cancelled' | 'failed';

export interface ProviderEvent {
  id: string;
  type: string;
  publishedAtMs: number;
  atMs: number;
  causedBy?: string;
}

export interface Habits {
  registersInMs: number;
  registration: 'done' | 'failed';
  refusesCreation: boolean;
  expiresAfterDays: 5 | 6;
  cancelsUnanswered: boolean;
  publishesEnds: boolean;
  showsCreatedAt: boolean;
  carriesOutInMs: number;
  publishesToMs: 1 | 1000;
  historyToMs: 1 | 1000;
  cancelsUnresolvedInMs: number | undefined;
}

export interface PaymentHabits {
  limit: number;
  others: number;
  ends: 'settled' | 'failed';
  retried?: readonly ('settled' | 'failed')[];
  by: readonly ('pending' | 'under_investigation')[];
  stepMs: number;
  refuses: boolean;
}

export interface PlannedOutcome {
  inMs: number;
  ends: 'done' | 'failed' | 'never' | 'refused';
}

export type PayerMove =
  | 'accept'
  | 'decline'
  | 'suspend'
  | 'resume'
  | 'cancel'
  | 'accept_amendment'
  | 'decline_amendment'
  | 'amend_account';
export type ServiceMove = 'suspend' | 'cancel' | 'expire' | 'unheard_of';

export interface Shown {
  state: ShownState;
  causedBy: string | undefined;
  maxAmount: number;
}

export interface Provider {
  create(): 'created' | 'duplicate' | 'refused';
  ask(kind: ActionKind, key: string, maxAmount?: number): string;
  amendmentAmount(): number | undefined;
  agreement(lagMs?: number): Shown | undefined;
  history(): ProviderEvent[];
  readHistory(lagMs: number): ProviderEvent[];
  canPayer(move: PayerMove): boolean;
  payer(move: PayerMove): void;
  canService(move: ServiceMove): boolean;
  service(move: ServiceMove): void;
  plan(outcome: PlannedOutcome): void;
  createdAtMs(): number | undefined;
  isUnderWay(kind: ActionKind): boolean;
  effectsOf(key: string): number;
  everIn(state: ShownState): boolean;
}
