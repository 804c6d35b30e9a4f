// What happened in one life, as far as its invariants ask and its story tells.
import type { TokenCall } from './custody.js';

/** What an attempt to create or submit came to. `none`: certainly no effect. `unclear`: perhaps one. */
export type Effect = 'under way' | 'known' | 'none' | 'unclear';
export interface Submission {
  what: string;
  /** Of a payment: which attempt of it, counted from 1. */
  attempt: number;
  /** By what has passed at the most (clock.ts). */
  atMs: number;
  endMs: number;
  effect: Effect;
  /** What it is part of was over here, as far as was known. */
  isAfterEnd: boolean;
  /** It comes after the last moment of its attempt. */
  isTooLate: boolean;
}

/** How one workflow stands at the end of a life, here and at the provider. */
export interface Standing {
  what: string;
  here: string;
  /** Absent where the provider does not have it. */
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
  isActionUnderWay: boolean;
  /** Of a payment: its outcome in the agreement's ledger, where that has it and can still receive news. */
  inLedger: string | undefined;
  /** Of a payment that was asked for here: what the provider has under its uid is another agreement's. */
  isAnothers: boolean;
  /** Of a refund: its outcome as its payment knows it. */
  inPayment: string | undefined;
  /** Of an agreement: its commands that have not ended here. */
  openCommands: readonly OpenCommand[];
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
  /** How often each row was wanted, and each kind of fault met. */
  met: Map<string, number>;
  taken: { what: string; id: string }[];
  submissions: Submission[];
  /** A workflow began to ask for what it had sent, after so many submissions. */
  doubts: { what: string; submissions: number }[];
  commands: { isAfterEnd: boolean }[];
  tokenCalls: TokenCall[];
  /** By intent, the uids under which the provider has a payment that has not failed. */
  livePayments: Map<number, readonly string[]>;
  /** By payment, the cents that the provider has refunded, or still may. */
  refunded: ReadonlyMap<string, number>;
  /** Failures in a row as the agreement counts them, and all failures of its payments that the provider has seen. */
  failures: { here: number; there: number };
  /** How often the scheme suspended the agreement for failures in a row of payments that were asked for here. */
  suspensions: number;
  /** Who waits for consent though the connection has had it for long, before the sweep comes. */
  standings: readonly Standing[];
  isConnectionHealthy: boolean;
  /** Requests in the last day, when everything has been calm for long. */
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
  doubts: [],
  commands: [],
  tokenCalls: [],
  livePayments: new Map(),
  refunded: new Map(),
  failures: { here: 0, there: 0 },
  suspensions: 0,
  standings: [],
  isConnectionHealthy: true,
  requestsAtTheEnd: 0,
  isEndless: false,
  lines: [],
});

export const count = ({ met }: Chronicle, name: string): void => void met.set(name, (met.get(name) ?? 0) + 1);
