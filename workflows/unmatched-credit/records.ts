// What a case records: its notification, the entry that confirms it, and its resolution.
import { attentionChanges, factChanges, stateChange } from '../engine/changes.js';
import { stateOf } from './state.js';
import { viewOf } from './view.js';
import type { Change, RecordDefinition } from '../engine/recording.js';
import type { CreditState } from './contract.js';

export const UNMATCHED_CREDIT_RECORD: RecordDefinition<CreditState> = {
  resource: 'unmatched-credit',
  idsOf: ({ uid, connectionId }) => ({ uid, connectionId }),
  viewOf,
  factsOf: ({ facts }) => facts,
  changes: (before, after) => [
    ...factChanges(before?.facts, after.facts),
    ...added(before?.entry, after.entry, (data) => ({ kind: 'decision', name: 'entry_found', data })),
    ...added(before?.resolution, after.resolution, (data) => ({
      ...{ kind: 'command', name: 'resolution', at: data.at, data },
    })),
    ...added(before?.joined, after.joined, (data) => ({ kind: 'decision', name: 'joined', data })),
    ...stateChange(before && stateOf(before), stateOf(after), {}),
    ...attentionChanges(before?.attention, after.attention),
  ],
};

const added = <Value>(
  before: Value | undefined,
  after: Value | undefined,
  toChange: (value: Value) => Change,
) => (before === undefined && after !== undefined ? [toChange(after)] : []);
