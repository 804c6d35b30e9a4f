// What a connection records: consents, refreshed tokens (never the tokens themselves), its status and flags.
import { attentionChanges, stateChange } from '../engine/changes.js';
import { generationOf, type ConnectionState } from './state.js';
import { viewOf } from './view.js';
import type { Change, RecordDefinition } from '../engine/recording.js';

export const CONNECTION_RECORD: RecordDefinition<ConnectionState> = {
  resource: 'connection',
  idsOf: ({ id }) => ({ uid: id, connectionId: id }),
  viewOf,
  factsOf: () => [],
  changes: (before, after) => [
    ...consentChange(before, after),
    ...tokenChange(before, after),
    ...stateChange(before?.status, after.status, { lastFailure: after.lastFailure }),
    ...attentionChanges(before?.attention, after.attention),
  ],
};

function consentChange(before: ConnectionState | undefined, { consent }: ConnectionState): Change[] {
  if (before === undefined || before.consent === consent) return [];
  const { round, expiresAt, isUsed, acceptance } = consent;
  const isSame = before.consent.round === round && before.consent.isUsed === isUsed;
  if (isSame) return [];
  return [
    {
      kind: 'command',
      name: isUsed ? 'consent_answered' : 'consent_requested',
      data: { round, expiresAt, acceptance },
    },
  ];
}

function tokenChange(before: ConnectionState | undefined, after: ConnectionState): Change[] {
  const generation = generationOf(after);
  if (before === undefined || generationOf(before) === generation) return [];
  const { expiresAt, scope } = after.tokens ?? {};
  const name = after.tokens === undefined ? 'tokens_deleted' : 'tokens_stored';
  return [{ kind: 'decision', name, data: { generation, expiresAt, scope } }];
}
