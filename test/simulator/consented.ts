import * as connections from '../../workflows/connection/state.js';
import { sealedOf } from './custody.js';
import type { Authority } from './authority.js';
import type { Grant } from './wire.js';

export function withConsentOf(
  state: connections.ConnectionState,
  authority: Authority,
  localNow: () => string,
): connections.ConnectionState {
  const tokens = sealedOf(localNow(), authority.exchange(), connections.consentedGeneration(state));
  return { ...connections.applyConsent(state, tokens), isResumeDue: false };
}

export function grantOf({ status, tokens }: connections.ConnectionState, now: string): Grant {
  return {
    isHealthy: status === 'healthy' && tokens !== undefined,
    access: tokens?.sealedAccess ?? '',
    generation: tokens?.generation ?? 0,
    isSpent: tokens === undefined || now >= tokens.expiresAt,
    isDue: tokens === undefined || now >= tokens.refreshAt,
  };
}
