// What a float account records: breaks of its chain, gaps, acknowledgements, states and flags. Its entries have a table of their own.
import { attentionChanges, listChanges, stateChange } from '../engine/changes.js';
import { chainOf, stateOf } from './state.js';
import { viewOf } from './view.js';
import type { RecordDefinition } from '../engine/recording.js';
import type { FloatAccountState } from './contract.js';

export const FLOAT_ACCOUNT_RECORD: RecordDefinition<FloatAccountState> = {
  resource: 'float-account',
  idsOf: ({ uid, connectionId }) => ({ uid, connectionId }),
  viewOf,
  factsOf: () => [],
  changes: (before, after) => [
    ...listChanges(before?.breaks, after.breaks, (data) => ({
      kind: 'decision',
      name: data.mendedAt === undefined ? 'chain_broken' : 'chain_mended',
      ...{ at: data.mendedAt ?? data.foundAt, data },
    })),
    ...(before !== undefined && chainOf(before) === 'broken' && chainOf(after) === 'whole'
      ? [{ kind: 'decision' as const, name: 'chain_whole', at: after.chainSince, data: {} }]
      : []),
    ...after.gaps
      .filter((entryId) => before?.gaps.includes(entryId) !== true)
      .map((entryId) => ({ kind: 'decision' as const, name: 'entry_gone', data: { entryId } })),
    ...listChanges(before?.acknowledgements, after.acknowledgements, (data) => ({
      ...{ kind: 'command', name: 'acknowledged', at: data.at, data },
    })),
    ...listChanges(before?.readingRequests, after.readingRequests, (data) => ({
      ...{ kind: 'command', name: 'reading_requested', at: data.at, data },
    })),
    ...stateChange(before && stateOf(before), stateOf(after), {}),
    ...attentionChanges(before?.attention, after.attention),
  ],
};
