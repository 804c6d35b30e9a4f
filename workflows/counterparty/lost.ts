// A counterparty whose last run has left no state. Plain JSON and pure.
import { lostState } from '../resource/lost.js';
import { markOpen } from '../resource/submission/state.js';
import { newCounterparty, parkUnknownRegistration, type CounterpartyState } from './state.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { CounterpartyView } from './contract.js';

/** From the view in its row. The provider cannot be asked for it, so an operator decides about one that was sent without an answer. */
export function lostCounterparty(
  view: CounterpartyView,
  ids: { uid: string; connectionId: string },
  now: Instant,
): CounterpartyState {
  const {
    order,
    identity,
    requestedAt,
    requestedBy,
    counterpartyId: providerId,
    adopted,
    failure,
    changes,
  } = view;
  const state: CounterpartyState = {
    ...lostState(newCounterparty({ ...ids, order, requestedBy }, now), view, now),
    ...{ identity, requestedAt, providerId, failure, isDoubtful: undefined, changes: [...changes] },
    ...(adopted && { adopted: true as const }),
    accounts: view.accounts.map(({ isCleared, ...account }) => ({
      ...{ ...account, corrections: 0 },
      ...(isCleared && { isAccepted: true as const }),
    })),
  };
  return view.state === 'requested' ? parkUnknownRegistration(state, now) : markOpen(state);
}
