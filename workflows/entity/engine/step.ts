// A step is a value; a workflow's table says of each kind what it is, how it runs, and what its end changes.
import type { AwaitingWhat } from '../../../domain/attention/awaiting.js';
import type { Instant } from '../../../domain/facts/fact.js';
import type { CallFailure } from './call-failure.js';
import type { Scope } from './runtime.js';

/** In each lane at most one step is going on, whatever goes on in the others. */
export const LANES = ['learn', 'command', 'clock', 'answer', 'plan', 'report'] as const;
export type Lane = (typeof LANES)[number];

/** What changes a state besides the state itself. */
export interface StepContext<Step> {
  step: Step;
  now: Instant;
}

export interface StepRule<State, Step, Outcome = unknown> {
  lane: Lane;
  /** What lists and the UI say while this is the first thing that is going on. */
  awaiting: AwaitingWhat;
  /** What the workflow's page says besides while it is wanted. */
  note?: string;
  /** Noted before anything of the step is done. */
  begin?(state: State, at: StepContext<Step>): State;
  /** Absent: there is nothing to do but to wait for news. */
  run?(step: Step, read: () => State, scope: Scope): Promise<Outcome>;
  /** Pure. Not asked of a step that was cancelled. */
  done?(state: State, outcome: Outcome, at: StepContext<Step>): State;
  /** Pure. Not asked of a step that was cancelled. Without it a call that fails for good is a fault of ours, which fails the workflow's task. */
  failed?(state: State, failure: CallFailure, at: StepContext<Step>): State;
  /** What it sends may not be sent again: a fresh run, and the next step of its lane, wait for its end, cancelled or not. */
  uninterruptible?: true;
  /** It is over by a deadline at the latest, as far as anyone can say. */
  isTimed?: true;
}

export type AnyStep = { readonly do: string };

/** A workflow's table: one rule for each kind of step. */
export type StepRules<State, Step extends AnyStep> = {
  readonly [Kind in Step['do']]: StepRule<State, Extract<Step, { do: Kind }>>;
};

/** A rule whose outcome is what its `run` resolves with. */
export const rule = <State, Step, Outcome>(given: StepRule<State, Step, Outcome>): StepRule<State, Step> =>
  given;

/** How long a timer has to run. */
export const msUntil = (at: Instant, now: Instant): number => Math.max(Date.parse(at) - Date.parse(now), 1);
