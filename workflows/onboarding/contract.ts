// How the outside world addresses an onboarding workflow.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import { PROGRESS_REPORTS } from '../entity/signals.js';
import type {
  Actor,
  CommandKind,
  OnboardingStep,
  PartName,
  Parts,
  Reading,
  StepState,
} from '../../domain/onboarding/steps.js';
import type { PartsRequest } from '../../domain/onboarding/request.schema.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Attention } from '../../domain/attention/flags.js';
import type { Awaiting } from '../../domain/attention/awaiting.js';
import type { ProgressReport } from '../entity/signals.js';
import type { Carried } from '../entity/engine/upgrade.js';
import type { Asked, CommandRequest, LeftBehind, State } from './state.js';

export { onboardingWorkflowId } from '../entity/signals.js';
export type { CommandRequest } from './state.js';
export const ONBOARDING_WORKFLOW = 'onboarding';

export interface OnboardingInput extends Asked {
  /** Everything that the run before knew: set by continue-as-new. */
  carried?: Carried<State> | undefined;
}

export const ONBOARDING_STATES = ['under_way', 'stopped', 'done', 'abandoned'] as const;
export type OnboardingState = (typeof ONBOARDING_STATES)[number];

export interface StepView {
  step: OnboardingStep;
  state: StepState;
  since: Instant;
  part: PartName;
  /** Of its resource; absent while nothing of it was begun. */
  uid?: string | undefined;
  /** How the resource stood when it was read last. */
  reading?: Reading | undefined;
  /** What happens next, and who has to act; of a step that is over, none. */
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

export interface OnboardingView {
  id: string;
  connectionId: string;
  state: OnboardingState;
  stateSince: Instant;
  requestedAt: Instant;
  requestedBy?: string | undefined;
  /** What was asked for at the start, in the caller's words. */
  asked: PartsRequest;
  /** What holds now, corrections included. */
  parts: Parts;
  steps: StepView[];
  /** What callers have said of it, the newest last. */
  commands: CommandView[];
  /** Of one that was abandoned, or corrected: what was begun and is no part of it any more. */
  leftBehind: LeftBehind[];
  awaiting: Awaiting;
  attention: Attention[];
}

/** How a run ends: what stands, and all that is needed to know a repeat. */
export type OnboardingEnd = OnboardingView & { carried: Carried<State> };

/** A workflow that this one waits for has news. */
export const progressReports = defineSignal<[ProgressReport]>(PROGRESS_REPORTS);
/** Refused with `onboarding_over`, `step_not_stopped`, `other_step_stopped`, `step_not_skippable`, `payment_submitted` or `onboarding_key_conflict`. */
export const commandOnboarding = defineUpdate<void, [CommandRequest]>('commandOnboarding');
export const getOnboarding = defineQuery<OnboardingView>('getOnboarding');

export const messages = { progressReports, commandOnboarding, getOnboarding };
