// What a counterparty records besides what all resources do: verifications of its accounts, and changes by persons.
import { COUNTERPARTY_LIFECYCLE } from '../../domain/counterparty/lifecycle.js';
import { listChanges } from '../engine/changes.js';
import { recordOfResource } from '../resource/records.js';
import { stopOf, viewOf } from './view.js';
import type { CounterpartyState } from './state.js';

export const COUNTERPARTY_RECORD = recordOfResource({
  resource: 'counterparty',
  lifecycle: COUNTERPARTY_LIFECYCLE,
  viewOf,
  statedOf: (state: CounterpartyState) => stopOf(state)?.state,
  ownChanges: (before: CounterpartyState | undefined, after: CounterpartyState) => [
    ...listChanges(before?.changes, after.changes, (change) => ({
      kind: 'command',
      name: change.kind,
      data: change,
    })),
    ...listChanges(before?.accounts, after.accounts, (account) => ({
      kind: 'decision',
      name: `account_${account.checked?.outcome ?? 'unchecked'}`,
      data: account,
    })),
  ],
});
