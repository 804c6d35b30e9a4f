// What a batch records: commands, its state and flags. Its rows are requests, which have records of their own.
import { attentionChanges, listChanges, stateChange } from '../engine/changes.js';
import { stateOf, viewOf } from './view.js';
import type { RecordDefinition } from '../engine/recording.js';
import type { BatchState } from './state.js';

export const BATCH_RECORD: RecordDefinition<BatchState> = {
  resource: 'batch',
  idsOf: ({ id, connectionId }) => ({ uid: id, connectionId }),
  viewOf,
  factsOf: () => [],
  changes: (before, after) => [
    ...listChanges(before?.commands, after.commands, (command) => ({
      kind: 'command',
      name: command.command,
      data: command,
    })),
    ...stateChange(before && stateOf(before), stateOf(after), {}),
    ...attentionChanges(before?.attention, after.attention),
  ],
};
