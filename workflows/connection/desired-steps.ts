// The steps that a connection's state requires: refresh on demand, one at a time, and resume blocked workflows. Pure.
import { generationOf, type ConnectionState } from './state.js';
import { flagAtOf } from './unconfirmed.js';
import type { Instant } from '../../domain/facts/fact.js';

export type ConnectionStep =
  | { do: 'refresh'; generation: number }
  | { do: 'pause'; until: Instant }
  | { do: 'await_late_success'; until: Instant }
  | { do: 'resume_blocked'; resumptions?: number }
  | { do: 'check_account'; generation: number }
  | { do: 'refresh_unconfirmed'; generation: number }
  | { do: 'pause_check'; until: Instant }
  | { do: 'flag_unconfirmed'; at: Instant }
  | { do: 'await_consent' }
  | { do: 'rest' };

/** The desired steps, at most one per lane. */
export function desiredSteps(state: ConnectionState): ConnectionStep[] {
  if (state.status !== 'healthy') return [...checking(state), { do: 'await_consent' }, ...flagging(state)];
  const clock = flagging(state);
  const rest: ConnectionStep[] = clock.length === 0 ? [{ do: 'rest' }] : clock;
  return [...checking(state), ...refreshing(state), ...resuming(state), ...rest];
}

function checking({ unconfirmed }: ConnectionState): ConnectionStep[] {
  if (unconfirmed === undefined) return [];
  const { progress, retryAt, tokens } = unconfirmed;
  if (progress === 'not_shown' || progress === 'to_confirm' || progress === 'lost') return [];
  if (retryAt !== undefined) return [{ do: 'pause_check', until: retryAt }];
  const { generation } = tokens;
  return [{ do: progress === 'checking' ? 'check_account' : 'refresh_unconfirmed', generation }];
}

function flagging(state: ConnectionState): ConnectionStep[] {
  const at = flagAtOf(state);
  return at === undefined ? [] : [{ do: 'flag_unconfirmed', at }];
}

function refreshing(state: ConnectionState): ConnectionStep[] {
  const generation = generationOf(state);
  const { refreshRequestedFor, retryAt, lostAt } = state;
  if (refreshRequestedFor < generation) return [];
  if (lostAt !== undefined) return [{ do: 'await_late_success', until: lostAt }];
  return [retryAt === undefined ? { do: 'refresh', generation } : { do: 'pause', until: retryAt }];
}

const resuming = ({ isResumeDue, resumptions }: ConnectionState): ConnectionStep[] =>
  isResumeDue ? [{ do: 'resume_blocked', ...(resumptions !== undefined && { resumptions }) }] : [];
