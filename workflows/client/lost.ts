// A client whose last run has left no state. Plain JSON and pure.
import { lostState } from '../resource/lost.js';
import { newClient, type ClientState } from './state.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Refusal } from '../../domain/facts/snapshot.js';
import type { ClientView } from './contract.js';

/** From the view in its row. */
export function lostClient(
  view: ClientView,
  ids: { uid: string; connectionId: string },
  now: Instant,
): ClientState {
  const {
    order,
    requestedAt,
    requestedBy,
    particulars,
    clientId: providerId,
    failure,
    changes,
    adopted,
  } = view;
  const requested = newClient({ ...ids, order, requestedBy }, now);
  return {
    ...lostState(requested, view, now),
    ...{ requestedAt, particulars, providerId, failure, ...(adopted && { adopted: true as const }) },
    // A change that may not have been sent would be sent of its own accord.
    changes: changes.map((change) =>
      change.stage === 'due'
        ? { ...change, key: '', stage: 'refused', endedAt: now, failure: UNSENT }
        : { ...change, key: '' },
    ),
  };
}

const UNSENT: Refusal = {
  code: 'lapsed',
  title: 'Its workflow was lost, so it may not have been sent.',
  next: 'Compare the client at the provider, and request the change again if it is missing.',
};
