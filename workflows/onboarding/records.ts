// What an onboarding records: commands, what became of its steps, and the resources that it left behind.
import { attentionChanges, listChanges, stateChange } from '../engine/changes.js';
import { attentionOf, stateOf, viewOf } from './view.js';
import type { RecordDefinition } from '../engine/recording.js';
import type { OnboardingState } from './state.js';

export const ONBOARDING_RECORD: RecordDefinition<OnboardingState> = {
  resource: 'onboarding',
  idsOf: ({ id, connectionId }) => ({ uid: id, connectionId }),
  viewOf,
  factsOf: () => [],
  changes: (before, after) => [
    ...listChanges(before?.commands, after.commands, (command) => ({
      kind: 'command',
      name: command.kind,
      data: command,
    })),
    ...listChanges(before?.steps, after.steps, (step) => ({
      kind: 'decision',
      name: `step_${step.state}`,
      data: step,
    })),
    ...listChanges(before?.leftBehind, after.leftBehind, (left) => ({
      kind: 'decision',
      name: 'left_behind',
      data: left,
    })),
    ...stateChange(before && stateOf(before), stateOf(after), {}),
    ...attentionChanges(before && attentionOf(before), attentionOf(after)),
  ],
};
