// What a connection's state asks for: refresh on demand only, one at a time, and resume what is blocked. Pure.
import { generationOf } from './state.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { ConnectionState } from './state.js';

export type ConnectionStep =
  | { do: 'refresh'; generation: number }
  | { do: 'pause'; until: Instant }
  | { do: 'await_late_success'; until: Instant }
  | { do: 'resume_blocked'; resumptions?: number }
  | { do: 'await_consent' }
  | { do: 'rest' };

/** At most one step in each lane. */
export function desiredSteps(state: ConnectionState): ConnectionStep[] {
  if (state.status !== 'healthy') return [{ do: 'await_consent' }];
  return [...renewing(state), ...resuming(state), { do: 'rest' }];
}

function renewing(state: ConnectionState): ConnectionStep[] {
  const generation = generationOf(state);
  const { wantedBeyond, retryAt, lostAt } = state;
  if (wantedBeyond < generation) return [];
  if (lostAt !== undefined) return [{ do: 'await_late_success', until: lostAt }];
  return [retryAt === undefined ? { do: 'refresh', generation } : { do: 'pause', until: retryAt }];
}

const resuming = ({ isResumeDue, resumptions }: ConnectionState): ConnectionStep[] =>
  isResumeDue ? [{ do: 'resume_blocked', ...(resumptions !== undefined && { resumptions }) }] : [];
