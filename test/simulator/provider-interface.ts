// What the simulated provider shows, takes and publishes, and what its documents leave open (docs/provider.md).
import type { ActionKind } from '../../domain/agreement/action.js';

export type State =
  'pending' | 'created' | 'active' | 'suspended' | 'declined' | 'expired' | 'cancelled' | 'failed';

export interface ProviderEvent {
  id: string;
  type: string;
  publishedAtMs: number;
  /** When it really was. */
  atMs: number;
  causedBy?: string;
}

/** What the documents leave open, or allow: one provider has one set of these habits. */
export interface Habits {
  /** From the 201 until it has its scheme id, or has failed to get one (docs/provider.md#agreements-states: neither is told by an event of its own). */
  registersInMs: number;
  registration: 'done' | 'failed';
  /** Refused outright, with a coded 422. */
  refusesCreation: boolean;
  /** Five days by the interface, on the sixth by other texts (docs/provider.md#differences). */
  expiresAfterDays: 5 | 6;
  /** Whether a cancellation is taken before the payer has answered (docs/provider.md#unknown). */
  cancelsUnanswered: boolean;
  /** Whether what ends with its agreement is told of by an event of its own. */
  publishesEnds: boolean;
  showsCreatedAt: boolean;
  /** From 202 until a command has come off, unless planned otherwise. */
  carriesOutInMs: number;
  /** How finely it tells the time of events: those of one instant are told apart by their rising ids alone (docs/provider.md#history). */
  publishesToMs: 1 | 1000;
  /** And how finely its history does (docs/provider.md#conventions). */
  historyToMs: 1 | 1000;
  /** `cancel_if_unresolved`: it cancels by itself what is unanswered that long after its creation (docs/provider.md#agreements-creation). */
  cancelsUnresolvedInMs: number | undefined;
}

/** How the payments of one life go at the provider. */
export interface PaymentHabits {
  /** How many payments the period has room for, and how many others there are. */
  limit: number;
  others: number;
  ends: 'settled' | 'failed';
  /** How each retry of it ends; the last one for ever. */
  retried?: readonly ('settled' | 'failed')[];
  /** Through which states it goes before it ends. */
  by: readonly ('pending' | 'under_investigation')[];
  stepMs: number;
  /** The order itself is at fault. */
  refuses: boolean;
}

/** What comes of a command that was taken with 202. */
export interface Outcome {
  inMs: number;
  /** `refused`: it is not even taken, for a reason of its own. */
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

/** The agreement as GET shows it. */
export interface Shown {
  state: State;
  causedBy: string | undefined;
  maxAmount: number;
}

export interface Provider {
  create(): 'created' | 'duplicate' | 'refused';
  /** The answer to a command: `202`, or the code of a 422 (docs/provider.md#errors). */
  ask(kind: ActionKind, key: string, maxAmount?: number): string;
  /** The terms of the amendment in progress; nothing is a 404. */
  amendmentAmount(): number | undefined;
  /** What a read shows that is so late behind; nothing is a 404. */
  agreement(lagMs?: number): Shown | undefined;
  /** Every event, as it is pushed. */
  history(): ProviderEvent[];
  /** The events as a read shows them that is so late behind. */
  readHistory(lagMs: number): ProviderEvent[];
  canPayer(move: PayerMove): boolean;
  payer(move: PayerMove): void;
  canService(move: ServiceMove): boolean;
  service(move: ServiceMove): void;
  /** For the next command that is taken. */
  plan(outcome: Outcome): void;
  createdAtMs(): number | undefined;
  isUnderWay(kind: ActionKind): boolean;
  /** How often the command of that key was carried out. */
  effectsOf(key: string): number;
  /** Every state that it has been in. */
  everIn(state: State): boolean;
}
