// What a workflow awaits. Plain JSON and pure.
import type { Awaiting, AwaitingWhat } from '../../domain/attention/awaiting.js';
import type { Instant } from '../../domain/facts/fact.js';

/** Sets what the workflow awaits. If that is unchanged, `since` is too. */
export function setAwaiting<State extends { awaiting: Awaiting }>(
  state: State,
  what: AwaitingWhat,
  now: Instant,
  until?: Instant,
): State {
  const { awaiting } = state;
  if (awaiting.what === what && awaiting.until === until) return state;
  return { ...state, awaiting: { what, since: awaiting.what === what ? awaiting.since : now, until } };
}
