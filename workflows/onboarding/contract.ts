// The messages and types of an onboarding workflow.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import { PROGRESS_REPORTS, type ProgressReport } from '../contracts/signals.js';
import type { Actor, Reading } from '../../domain/onboarding/reading.js';
import type { CommandKind, OnboardingStep, PartName, StepState } from '../../domain/onboarding/steps.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Carried } from '../contracts/upgrade.js';
import type { CommandRequest, OnboardingRequest, OnboardingState } from './state.js';
import type { viewOf } from './view.js';

export { onboardingWorkflowId, type ProgressReport } from '../contracts/signals.js';
export type { CommandRequest } from './state.js';
export const ONBOARDING_WORKFLOW = 'onboarding';

export interface OnboardingInput extends OnboardingRequest {
  /** Set by continue-as-new. */
  carried?: Carried<OnboardingState> | undefined;
}

export const ONBOARDING_STATES = ['under_way', 'stopped', 'done', 'abandoned'] as const;

export interface StepView {
  step: OnboardingStep;
  state: StepState;
  since: Instant;
  part: PartName;
  /** The uid of its resource; absent before the part was started. */
  uid?: string | undefined;
  /** The resource's latest report. */
  reading?: Reading | undefined;
  /** What happens next; absent once the step has ended. */
  next?: string | undefined;
  actor: Actor;
}

export interface CommandView {
  /** Digest of the caller's key within its scope. */
  key: string;
  kind: CommandKind;
  step: OnboardingStep;
  reason: string;
  by: string;
  at: Instant;
}

export type OnboardingView = ReturnType<typeof viewOf>;

/** The result of a run. The carried state answers repeated commands. */
export type OnboardingEnd = OnboardingView & { carried: Carried<OnboardingState> };

/** The latest reading of a part. */
export const progressReports = defineSignal<[ProgressReport]>(PROGRESS_REPORTS);
/** Refused with `onboarding_over`, `step_not_stopped`, `other_step_stopped`, `own_route_only`, `step_not_skippable`, `payment_submitted` or `onboarding_key_conflict`. */
export const commandOnboarding = defineUpdate<void, [CommandRequest]>('commandOnboarding');
export const getOnboarding = defineQuery<OnboardingView>('getOnboarding');
