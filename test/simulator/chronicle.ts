import type { Day } from '../../domain/time/calendar.js';
import type { PaymentTerms } from '../../domain/agreement/mandate.js';
import type { PaymentInput } from '../../workflows/payment/contract.js';
import type { TokenCall } from './custody.js';

export type Effect = 'under way' | 'known' | 'refused' | 'none' | 'unclear';
export interface Submission {
  what: string;
  attempt: number;
  atMs: number;
  endMs: number;
  effect: Effect;
  isAfterEnd: boolean;
  isTooLate: boolean;
  /** Its last run has left no state, and no person has retried it. */
  isOfLost: boolean;
}

export interface Status {
  what: string;
  here: string;
  there: string | undefined;
  isOver: boolean;
  isFinalHere: boolean;
  isFinalThere: boolean;
  stage: string;
  awaiting: string;
  blocked: { code: string; since: string; until?: string | undefined } | undefined;
  flags: readonly string[];
  knows: (id: string) => boolean;
  fault: Error | undefined;
  recordsFault: string | undefined;
  isActionUnderWay: boolean;
  inLedger: string | undefined;
  isAnothers: boolean;
  inPayment: string | undefined;
  openCommands: readonly OpenCommand[];
  /** What was requested, but is not in its state. */
  lacks: string | undefined;
}

export interface OpenCommand {
  key: string;
  stage: string;
  isUnderWayThere: boolean;
}

export interface Line {
  atMs: number;
  text: string;
}

export interface Chronicle {
  steps: number;
  faults: number;
  met: Map<string, number>;
  taken: { what: string; id: string }[];
  submissions: Submission[];
  requests: Map<string, PaymentInput>;
  doubts: { what: string; submissions: number }[];
  commands: { isAfterEnd: boolean }[];
  tokenCalls: TokenCall[];
  livePayments: Map<number, readonly string[]>;
  refunded: ReadonlyMap<string, number>;
  dueDates: readonly DueDate[];
  takings: Takings | undefined;
  failures: { here: number; there: number };
  suspensions: number;
  statuses: readonly Status[];
  isConnectionHealthy: boolean;
  requestsAtTheEnd: number;
  isEndless: boolean;
  lines: Line[];
}

export const newChronicle = (): Chronicle => ({
  steps: 0,
  faults: 0,
  met: new Map(),
  taken: [],
  submissions: [],
  requests: new Map(),
  doubts: [],
  commands: [],
  tokenCalls: [],
  livePayments: new Map(),
  refunded: new Map(),
  dueDates: [],
  takings: undefined,
  failures: { here: 0, there: 0 },
  suspensions: 0,
  statuses: [],
  isConnectionHealthy: true,
  requestsAtTheEnd: 0,
  isEndless: false,
  lines: [],
});

export const count = ({ met }: Chronicle, name: string): void => void met.set(name, (met.get(name) ?? 0) + 1);

export interface DueDate {
  date: Day;
  /** The business day on which it is due, by the calendar. The terms may keep it on its date. */
  dueOn: Day;
  /** The plan still takes it: it is owed, or its payment starts now. */
  isPending: boolean;
  /** No entry is needed, because the plan or the agreement has ended. */
  isOver: boolean;
  /** The entries of the date in the plan's log, oldest first. */
  entries: readonly {
    uid: string | undefined;
    reason: string | undefined;
    isUnsent: boolean;
    on: Day;
    isOnItsDate: boolean;
  }[];
  /** The payments of this date that the provider has received. */
  received: readonly string[];
}

/** The payments under an agreement with a number of payments, or with a last one. */
export interface Takings {
  terms: PaymentTerms;
  /** Settled or in flight at the provider, in the order of their latest attempts. Payments of other systems are left out. */
  taken: readonly { uid: string; day: Day }[];
}

export type Invariant = (life: Chronicle) => string | undefined;
