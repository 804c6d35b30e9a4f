import type { Agenda } from '../support/agenda.js';
import type { Answers, Attempt } from '../support/virtual-runtime.js';
import type { SealedTokens } from '../../workflows/connection/contract.js';
import type { Authority, Pair } from './authority.js';
import type { Wire } from './wire.js';

export interface TokenCall {
  refresh: string;
  fromMs: number;
  toMs: number;
  isDead: boolean;
}

export interface Custodian {
  agenda: Agenda;
  authority: Authority;
  wire: Wire;
  localNow: () => string;
  tokenCalls: TokenCall[];
  refreshed: (tokens: SealedTokens) => void;
  resumeBlocked: () => void;
}

const USUAL_MS = 40;

export function custodyAnswers(custodian: Custodian): Answers {
  const { agenda, authority, wire, localNow, tokenCalls, refreshed, resumeBlocked } = custodian;
  const sealed = (pair: Pair, generation: number): SealedTokens => sealedOf(localNow(), pair, generation);
  return {
    exchangeCode:
      ({ generation }) =>
      (done) => {
        const trouble = wire.take('token');
        agenda.after(USUAL_MS, () => {
          if (trouble !== undefined && trouble.fault !== 'slow') return done({ again: 'unavailable' });
          done({ ok: sealed(authority.exchange(), generation) });
        });
      },
    refreshTokens:
      ({ generation, sealedRefresh, life }) =>
      (done) => {
        const trouble = wire.take('token');
        const ms = trouble?.fault === 'slow' ? trouble.ms : USUAL_MS;
        const fromMs = agenda.nowMs();
        const call: TokenCall = { refresh: sealedRefresh, fromMs, toMs: fromMs + ms, isDead: false };
        tokenCalls.push(call);
        agenda.after(ms, () => {
          const refused = REFUSED[trouble?.fault ?? ''];
          if (refused !== undefined) return done(refused);
          const got = trouble?.fault === 'cut_before' ? undefined : authority.refresh(sealedRefresh);
          if (got === undefined || trouble?.fault === 'cut_after') return done({ again: 'unavailable' });
          if (got === 'refused') return done({ stop: { code: 'grant_refused', providerCodes: [] } });
          if (call.isDead) return;
          const tokens = { ...sealed(got, generation + 1), life };
          refreshed(tokens);
          agenda.after(USUAL_MS, () => {
            done({ ok: tokens });
          });
        });
      },
    ensureSweep: () => (done) => {
      done({ ok: 'unchanged' });
    },
    resumeBlocked: () => (done) => {
      resumeBlocked();
      done({ ok: 0 });
    },
  };
}

const REFUSED: Readonly<Record<string, Attempt<never>>> = {
  throttled: { stop: { code: 'rate_limited', providerCodes: [], retryAfterMs: 30_000 } },
  refused_401: { stop: { code: 'client_refused', providerCodes: [] } },
  refused_403: { stop: { code: 'unavailable', providerCodes: [] } },
};

const FOUR_FIFTHS = 0.8;

export function sealedOf(now: string, { access, refresh, lifeMs }: Pair, generation: number): SealedTokens {
  const at = (ms: number): string => new Date(Date.parse(now) + ms).toISOString();
  return {
    generation,
    expiresAt: at(lifeMs),
    refreshAt: at(lifeMs * FOUR_FIFTHS),
    scope: 'all',
    sealedAccess: access,
    sealedRefresh: refresh,
  };
}
