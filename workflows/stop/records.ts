// What the stops record: each stop and resumption, with its principal and reason.
import { STOP_WORKFLOW_ID } from '../contracts/signals.js';
import { attentionChanges, listChanges, stateChange } from '../engine/changes.js';
import { stateOf, viewOf } from './view.js';
import type { RecordDefinition } from '../engine/recording.js';
import type { StopState } from './contract.js';

export const STOP_RECORD: RecordDefinition<StopState> = {
  resource: 'stop',
  idsOf: () => ({ uid: STOP_WORKFLOW_ID }),
  viewOf,
  factsOf: () => [],
  changes: (before, after) => [
    ...listChanges(before?.stops, after.stops, (stop) => ({ kind: 'command', name: 'stop', data: stop })),
    ...listChanges(before?.resumptions, after.resumptions, (resumption) => ({
      kind: 'command',
      name: 'resumption',
      data: resumption,
    })),
    ...stateChange(before && stateOf(before), stateOf(after), {}),
    ...attentionChanges(before?.attention, after.attention),
  ],
};
