// What a float account records: breaks of its chain, gaps, acknowledgements, states and flags. Its entries have a table of their own.
import { attentionChanges, listChanges, stateChange } from '../engine/changes.js';
import { stateOf, viewOf } from './state.js';
import type { RecordDefinition } from '../engine/recording.js';
import type { State } from './contract.js';

export const FLOAT_ACCOUNT_RECORD: RecordDefinition<State> = {
  resource: 'float-account',
  idsOf: ({ uid, connectionId }) => ({ uid, connectionId }),
  viewOf,
  factsOf: () => [],
  changes: (before, after) => [
    ...listChanges(before?.breaks, after.breaks, (data) => ({
      kind: 'decision',
      name: 'chain_broken',
      data,
    })),
    ...after.gaps
      .filter((entryId) => before?.gaps.includes(entryId) !== true)
      .map((entryId) => ({ kind: 'decision' as const, name: 'entry_gone', data: { entryId } })),
    ...listChanges(before?.acknowledgements, after.acknowledgements, (data) => ({
      ...{ kind: 'command', name: 'acknowledged', at: data.at, data },
    })),
    ...stateChange(before && stateOf(before), stateOf(after), {}),
    ...attentionChanges(before?.attention, after.attention),
  ],
};
