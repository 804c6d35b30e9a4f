// A step is a value that names something that should be running. A workflow's table has one rule for each kind of step.
import type { AwaitingWhat } from '../../domain/attention/awaiting.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { CallFailure } from './call-failure.js';
import type { Scope } from './runtime.js';

/** Each lane runs at most one step at a time, independently of the other lanes. */
export type Lane = 'learn' | 'command' | 'clock' | 'answer' | 'plan' | 'report' | 'check';

/** The other inputs of a state change. */
export interface StepContext<Step> {
  step: Step;
  now: Instant;
}

export interface StepRule<State, Step, Outcome = unknown> {
  lane: Lane;
  /** What lists and the UI show as awaited while this is the first desired step. */
  awaiting: AwaitingWhat;
  /**
   * Its outcome mostly arrives within this time, as an event. So the step begins with a pause, and until the end of that, the workflow publishes no
   * new status except flags, and starts no step of the lane `clock`: most would be replaced at once, and each costs events.
   */
  notifiedWithinMs?: number;
  /** Updates the state before the step starts. */
  begin?(state: State, at: StepContext<Step>): State;
  /** If absent, the step does nothing but wait for the next change of the state. */
  run?(step: Step, read: () => State, scope: Scope): Promise<Outcome>;
  /** Applies the outcome to the state. Pure. Not called for a cancelled step. */
  done?(state: State, outcome: Outcome, at: StepContext<Step>): State;
  /** Applies a failed call. Pure. Not called for a cancelled step. Without it, a failed call is a bug and fails the workflow task. */
  failed?(state: State, failure: CallFailure, at: StepContext<Step>): State;
  /** The step sends something that must not be sent twice. Continue-as-new and the next step of its lane wait for its end, even if it is cancelled. */
  uninterruptible?: true;
}

export type AnyStep = { readonly do: string };

/** A workflow's table: one rule for each kind of step. */
export type StepRules<State, Step extends AnyStep> = {
  readonly [Kind in Step['do']]: StepRule<State, Extract<Step, { do: Kind }>>;
};

/** A rule whose outcome is what its `run` resolves with. */
export const rule = <State, Step, Outcome>(given: StepRule<State, Step, Outcome>): StepRule<State, Step> =>
  given;

/** The duration of a timer until `at`: at least 1 ms. */
export const msUntil = (at: Instant, now: Instant): number => Math.max(Date.parse(at) - Date.parse(now), 1);
