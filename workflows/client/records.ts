// What a client records besides what all resources do: requested changes, and what became of them.
import { CLIENT_LIFECYCLE } from '../../domain/client/lifecycle.js';
import { listChanges } from '../engine/changes.js';
import { recordOfResource } from '../resource/records.js';
import { viewOf } from './view.js';
import type { ClientState } from './state.js';

export const CLIENT_RECORD = recordOfResource({
  resource: 'client',
  lifecycle: CLIENT_LIFECYCLE,
  viewOf,
  ownChanges: (before: ClientState | undefined, after: ClientState) =>
    listChanges(before?.changes, after.changes, (change) => ({
      kind: 'command',
      name: `change_${change.stage}`,
      data: change,
    })),
});
