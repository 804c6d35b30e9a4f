// What a connection remembers of failures, of consents and of what we gave up ourselves. Pure.
import { describe, expect, test } from 'vitest';
import { pauseBeforeMs } from '../../../workflows/connection/failure.js';
import {
  consentedGeneration,
  withConsent,
  withNextWake,
  withRevocation,
  withRoundUsed,
  withWakeOver,
} from '../../../workflows/connection/grant.js';
import {
  generationOf, newConnection, nextConnectionStep, withFailedRefresh, withGrantLost, withGrantRefused, withTokens,
} from '../../../workflows/connection/state.js'; // prettier-ignore
import type { State, SealedTokens } from '../../../workflows/connection/state.js';

const NOW = '2026-11-01T00:00:00.000Z';
const LATER = '2026-11-01T01:00:00.000Z';
const tokens = (generation: number): SealedTokens => ({
  generation,
  expiresAt: '2026-11-01T02:00:00.000Z',
  refreshAt: '2026-11-01T01:40:00.000Z',
  scope: 's',
  sealedAccess: 'a',
  sealedRefresh: 'r',
});
const fresh = newConnection('acme', NOW);
const healthy = withConsent(fresh, tokens(1));
const failed = (record: State, code: string, retryAfterMs?: number) =>
  withFailedRefresh(record, NOW, { code, retryAfterMs }, true);

describe('the pause before a refresh is tried again', () => {
  test('follows our own ladder where nothing is asked for', () => {
    expect([1, 2, 3, 4, 5, 6].map((failures) => pauseBeforeMs(failures) / 1000)).toEqual([0, 5, 15, 60, 300, 300]);
  }); // prettier-ignore

  test.each([
    ['what the server asks for, where that is longer', 1, 30_000, 30_000],
    ['our own, where that is longer', 4, 30_000, 60_000],
    ['ten minutes at the most', 1, 24 * 3_600_000, 600_000],
    ['nothing for a zero', 1, 0, 0],
  ])('is %s', (_, failures, asked, pause) => {
    expect(pauseBeforeMs(failures, asked)).toBe(pause);
  });

  test('is kept in the record until it is over', () => {
    const paused = failed({ ...healthy, wantedBeyond: 1 }, 'rate_limited', 30_000);
    expect(nextConnectionStep(paused)).toEqual({ do: 'pause', until: '2026-11-01T00:00:30.000Z' });
  });
});

describe('a failure that only we can mend', () => {
  test.each([
    ['client_refused', 'OAUTH_CLIENT_SECRET'],
    ['SealError', 'ENCRYPTION_KEYS'],
  ])('%s is flagged at once with what to do, and is no loss of the grant', (code, variable) => {
    const { status, attention } = failed(healthy, code);
    expect(status).toBe('healthy');
    expect(attention).toMatchObject([{ code: 'forbidden', since: NOW }]);
    expect(attention[0]?.next).toContain(variable);
    expect(attention[0]?.next).toContain('not lost');
  });

  test('others are flagged from the fourth in a row on, and the flag says what failed last', () => {
    const thrice = ['unavailable', 'unavailable', 'rate_limited'].reduce((record, code) => failed(record, code), healthy); // prettier-ignore
    expect(thrice.attention).toEqual([]);
    const [flag] = failed(failed(thrice, 'unavailable'), 'rate_limited').attention;
    expect(flag?.detail).toContain('slow down');
  });

  test('a good token lowers every flag', () => {
    const flagged = withGrantRefused(failed(healthy, 'client_refused'), NOW, 'grant_refused');
    expect(flagged.attention).toHaveLength(2);
    expect(withTokens(flagged, tokens(2))).toMatchObject({ attention: [], failures: 0, status: 'healthy' });
  });
});

describe('a refused grant', () => {
  test('is flagged while hope is left, and keeps the date of that when it is lost', () => {
    const refused = withGrantRefused(healthy, NOW, 'grant_refused');
    expect(refused).toMatchObject({ status: 'healthy', lastFailure: { code: 'grant_refused' } });
    expect(refused.attention[0]?.next).toContain('POST /v1/connections/acme/reauthorisation');
    const gone = withGrantLost(refused, LATER);
    expect(gone).toMatchObject({ status: 'needs_reauthorisation' });
    expect(gone.attention).toMatchObject([{ code: 'needs_reauthorisation', since: NOW }]);
    expect(gone.attention[0]?.detail).not.toEqual(refused.attention[0]?.detail);
  });
});

describe('what we gave up', () => {
  const revoked = withRevocation(healthy, NOW, { by: 'ops', reason: 'They left' });

  test('leaves no token behind, and says by whom, why and what to do', () => {
    expect(JSON.stringify(revoked)).not.toContain('sealed');
    expect(revoked).toMatchObject({ status: 'needs_reauthorisation', consent: { isUsed: true } });
    expect(revoked.attention).toMatchObject([{ code: 'needs_reauthorisation', since: NOW }]);
    expect(revoked.attention[0]?.detail).toContain('given up by ops: They left. ');
    expect(revoked.attention[0]?.next).toContain('POST /v1/connections/acme/reauthorisation');
    expect(nextConnectionStep(revoked).do).toBe('await_consent');
  });

  test('is not revived by a renewal, nor by a consent, that was under way', () => {
    for (const generation of [1, 2, consentedGeneration(healthy)]) {
      expect(withTokens(revoked, tokens(generation))).toBe(revoked);
      expect(withConsent(revoked, tokens(generation))).toBe(revoked);
    }
    const before = withRevocation(fresh, NOW, { by: 'ops', reason: 'r' });
    expect(withConsent(before, tokens(consentedGeneration(fresh)))).toBe(before);
  });

  test('is healed by a consent that was begun after it, and renewed from there as ever', () => {
    const generation = consentedGeneration(revoked);
    const again = withConsent(revoked, tokens(generation));
    expect(again).toMatchObject({
      status: 'healthy',
      attention: [],
      isWakeDue: true,
      tokens: { generation },
    });
    expect(generationOf(withTokens(again, tokens(generation + 1)))).toBe(generation + 1);
    expect(consentedGeneration(again)).toBeGreaterThan(generation + 1);
  });

  test('can be given up again', () => {
    const twice = withRevocation(revoked, LATER, { by: 'ops-2', reason: 'Once more.' });
    expect(twice.revokedUpTo ?? 0).toBeGreaterThan(revoked.revokedUpTo ?? 0);
    expect(twice.attention[0]?.detail).toContain('ops-2');
  });
});

describe('the wake of a consent', () => {
  test('is over with its own walks alone, and not with those of the consent before it', () => {
    expect(nextConnectionStep(healthy)).toEqual({ do: 'wake' });
    expect(nextConnectionStep(withWakeOver(healthy, undefined))).toEqual({ do: 'rest' });
    const again = withNextWake(healthy);
    expect(nextConnectionStep(again)).toEqual({ do: 'wake', wakes: 1 });
    expect(withWakeOver(again, undefined)).toBe(again);
    expect(nextConnectionStep(withNextWake(again))).toEqual({ do: 'wake', wakes: 2 });
    expect(withWakeOver(withNextWake(again), 1)).toMatchObject({ isWakeDue: true });
    expect(nextConnectionStep(withWakeOver(again, 1))).toEqual({ do: 'rest' });
  });

  test('of a run from before they were counted has the key that it had', () => {
    expect(JSON.stringify(nextConnectionStep(healthy))).toBe('{"do":"wake"}');
  });
});

describe('the generation of a consent', () => {
  const handedOut = (record: State) => withRoundUsed(record, consentedGeneration(record));

  test('is beyond all that those before it can bring, whatever has become of them', () => {
    const first = handedOut(fresh);
    const second = handedOut(first);
    const [a, b, c] = [fresh, first, second].map(consentedGeneration);
    expect(a).toBe(1);
    // Room for renewals of the first while the second is on its way.
    expect(b).toBeGreaterThan(50);
    expect(c).toBeGreaterThan((b ?? 0) + 50);
    expect(consentedGeneration(withConsent(second, tokens(a ?? 0)))).toBe(c);
  });

  test('that another has overtaken brings nothing, and interrupts nothing', () => {
    const overtaken = { ...withConsent(handedOut(handedOut(fresh)), tokens(101)), isWakeDue: false, wantedBeyond: 101 };
    expect(withConsent(overtaken, tokens(1))).toBe(overtaken);
  }); // prettier-ignore

  test('is given up by a revocation for every consent that is under way', () => {
    const revoked = withRevocation(handedOut(handedOut(healthy)), NOW, { by: 'ops', reason: 'r' });
    for (const generation of [101, 201]) expect(withConsent(revoked, tokens(generation))).toBe(revoked);
    expect(withConsent(revoked, tokens(consentedGeneration(revoked)))).toMatchObject({ status: 'healthy' });
  });

  test('is what it was in runs of before it was remembered', () => {
    expect(consentedGeneration(withRoundUsed(fresh))).toBe(1);
    expect(consentedGeneration(withRoundUsed(healthy))).toBe(101);
  });
});
