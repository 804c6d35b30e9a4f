import { describe, expect, test } from 'vitest';
import { REFRESH_LIMIT_MS } from '../../../payments-api/oauth.js';
import { pauseBeforeMs } from '../../../workflows/connection/failure.js';
import { desiredSteps } from '../../../workflows/connection/desired-steps.js';
import {
  SILENT_CALL_MS,
  consentedGeneration,
  generationOf,
  newConnection,
  applyConsent,
  applyFailedRefresh,
  applyRefresh,
  markRoundUsed,
  type ConnectionState,
  type SealedTokens,
} from '../../../workflows/connection/state.js';
import { CALL_OPTIONS } from '../../../workflows/on-temporal/call-options.js';
import type { CallCode } from '../../../domain/provider/call-codes.js';

const NOW = '2026-11-01T00:00:00.000Z';
const tokens = (generation: number): SealedTokens => ({
  generation,
  expiresAt: '2026-11-01T02:00:00.000Z',
  refreshAt: '2026-11-01T01:40:00.000Z',
  scope: 's',
  sealedAccess: 'a',
  sealedRefresh: 'r',
});
const fresh = newConnection('acme', NOW);
const healthy = applyConsent(fresh, tokens(1));
const failed = (state: ConnectionState, code: CallCode, retryAfterMs?: number) =>
  applyFailedRefresh(state, NOW, generationOf(state), { code, retryAfterMs });

describe('backoff before a repeated refresh', () => {
  test('uses our own backoff without a Retry-After', () => {
    expect([1, 2, 3, 4, 5, 6].map((failures) => pauseBeforeMs(failures) / 1000)).toEqual([
      0, 5, 15, 60, 300, 300,
    ]);
  });

  test.each([
    ['Retry-After if it is longer', 1, 30_000, 30_000],
    ['our own backoff if it is longer', 4, 30_000, 60_000],
    ['ten minutes at most', 1, 24 * 3_600_000, 600_000],
    ['zero for a Retry-After of zero', 1, 0, 0],
  ])('is %s', (_, failures, askedMs, pauseMs) => {
    expect(pauseBeforeMs(failures, askedMs)).toBe(pauseMs);
  });

  test('is a step until its deadline', () => {
    const paused = failed({ ...healthy, refreshRequestedFor: 1 }, 'rate_limited', 30_000);
    expect(desiredSteps(paused)).toContainEqual({ do: 'pause', until: '2026-11-01T00:00:30.000Z' });
  });
});

test('an aborted refresh has ten seconds left to report its failure', () => {
  expect(CALL_OPTIONS.refreshTokens.options.startToCloseTimeout).toBe('60s');
  expect(60_000 - REFRESH_LIMIT_MS).toBeGreaterThanOrEqual(10_000);
});

test('a refresh that misses its heartbeat is awaited for the rest of its minute', () => {
  expect(CALL_OPTIONS.refreshTokens).toHaveProperty('options.heartbeatTimeout', '10s');
  expect(10_000 + SILENT_CALL_MS).toBe(60_000);
});

describe('refresh failure caused by our configuration', () => {
  test.each([
    ['client_refused', 'OAUTH_CLIENT_SECRET'],
    ['SealError', 'TOKEN_KEYS'],
  ] as const)('%s raises a flag with advice and keeps the grant', (code, variable) => {
    const { status, attention } = failed(healthy, code);
    expect(status).toBe('healthy');
    expect(attention).toMatchObject([{ code: 'forbidden', since: NOW }]);
    expect(attention[0]?.next).toContain(variable);
    expect(attention[0]?.next).toContain('not lost');
  });

  test('a successful refresh clears all flags', () => {
    const flagged = failed(failed(healthy, 'client_refused'), 'grant_refused');
    expect(flagged.attention).toHaveLength(2);
    expect(applyRefresh(flagged, tokens(2))).toMatchObject({
      attention: [],
      failures: 0,
      status: 'healthy',
    });
  });

  test('is ignored if its generation has been replaced', () => {
    const refreshed = applyRefresh(healthy, tokens(2));
    expect(applyFailedRefresh(refreshed, NOW, 1, { code: 'grant_refused' })).toBe(refreshed);
  });
});

describe('generation of a consent', () => {
  const given = (state: ConnectionState) => markRoundUsed(state, consentedGeneration(state));

  test('exceeds all generations that earlier consents can reach', () => {
    const first = given(fresh);
    const second = given(first);
    const [a = 0, b = 0, c = 0] = [fresh, first, second].map(consentedGeneration);
    expect(a).toBe(1);
    expect(b).toBeGreaterThan(50);
    expect(c).toBeGreaterThan(b + 50);
    expect(consentedGeneration(applyConsent(second, tokens(a)))).toBe(c);
  });
});
