import { callCodeOf } from '../../domain/provider/call-codes.js';
import { PAYING } from './terms.js';
import { MARKED, type Asking } from './workers.js';
import type { Agenda } from '../support/agenda.js';
import type { Attempt } from '../support/virtual-runtime.js';
import type { CallFailure } from '../../workflows/engine/call-failure.js';
import type { Authority } from './authority.js';
import type { CallFault, Target } from './events.js';

export type Answer<T> = { got: T } | 'lost' | { failed: Attempt<never> };

export interface Line {
  request: <T>(act: (lagMs: number) => T, done: (answer: Answer<T>) => void, isCommand?: boolean) => void;
  isStopped: () => boolean;
}

export interface Grant {
  isHealthy: boolean;
  access: string;
  generation: number;
  isSpent: boolean;
  isDue: boolean;
}

export interface Armed {
  fault: CallFault;
  ms: number;
}

export interface Wire extends Line {
  arm: (target: Target, armed: Armed) => void;
  take: (target: Target) => Armed | undefined;
  outage: (forMs: number, fault: 'cut_before' | 'cut_after') => void;
  stop: (forMs: number) => void;
  lag: (ms: number, forMs: number) => void;
  backlog: (ms: number, forMs: number) => void;
  calm: () => void;
  as: (asking: Asking | undefined) => void;
  sent: () => number;
}

export interface Around {
  agenda: Agenda;
  authority: Authority;
  grant: () => Grant;
  refresh: (after: number, done: () => void) => void;
  met: (fault: string) => void;
}

const FINAL: ReadonlySet<string> = new Set(['forbidden', 'needs_reauthorisation']);
const HALF_WAY_MS = 40;

export function createWire({ agenda, authority, grant, refresh, met }: Around): Wire {
  const armed: Record<Target, Armed[]> = { write: [], read: [], token: [] };
  const none = { untilMs: -Infinity, ms: 0 };
  let down: { untilMs: number; fault: 'cut_before' | 'cut_after' } = {
    untilMs: -Infinity,
    fault: 'cut_before',
  };
  let lagging = none;
  let stoppedUntilMs = -Infinity;
  let waiting = none;
  let asking: Asking | undefined;
  let sent = 0;
  const isStopped = (): boolean => agenda.nowMs() < stoppedUntilMs;

  const take = (target: Target): Armed | undefined => {
    const next = armed[target].shift();
    if (next !== undefined) met(`${target} ${next.fault}`);
    else if (target !== 'token' && agenda.nowMs() < down.untilMs) {
      met('outage');
      return { fault: down.fault, ms: 0 };
    }
    return next;
  };
  const lagMs = (): number => {
    if (agenda.nowMs() >= lagging.untilMs) return 0;
    met('lag');
    return lagging.ms;
  };

  function request<T>(act: (lagMs: number) => T, done: (answer: Answer<T>) => void, isCommand = false): void {
    const attempt = asking;
    const isOnce = MARKED.has(attempt?.name);
    const isPayment = PAYING.has(attempt?.name);
    const target = isCommand || isOnce ? 'write' : 'read';
    const fail = (code: string, more: Partial<CallFailure> = {}): void => {
      done({ failed: refusal(isOnce, { code: callCodeOf(code), providerCodes: [], ...more }) });
    };
    const goes = (isAgain: boolean): void => {
      withToken(fail, (access, generation) => {
        if (isPayment && isStopped()) {
          met('stop');
          return void fail('stopped');
        }
        if (isPayment && attempt?.isLate() === true) return void fail('late');
        if (isOnce && attempt?.mark() === false) return void fail('not_marked');
        sent += 1;
        const trouble = take(target);
        const isSlow = trouble?.fault === 'slow';
        agenda.after(isSlow ? trouble.ms : HALF_WAY_MS, () => {
          const code = refusedAs(trouble, access);
          if (code === 'unauthorised' && !isAgain)
            return void refresh(generation, () => {
              goes(true);
            });
          if (code !== undefined)
            return void agenda.after(HALF_WAY_MS, () => {
              fail(code, detailOf(code));
            });
          const answer: Answer<T> = trouble?.fault === 'cut_before' ? 'lost' : { got: act(lagMs()) };
          agenda.after(isSlow ? trouble.ms / 2 : HALF_WAY_MS, () => {
            done(trouble?.fault === 'cut_after' ? 'lost' : answer);
          });
        });
      });
    };
    if (agenda.nowMs() >= waiting.untilMs) return goes(false);
    met('backlog');
    agenda.after(waiting.ms, () => {
      goes(false);
    });
  }

  function withToken(fail: (code: string) => void, then: (access: string, generation: number) => void): void {
    const { isHealthy, isDue, access, generation } = grant();
    if (!isHealthy) return fail('needs_reauthorisation');
    if (!isDue) return then(access, generation);
    refresh(generation, () => {
      const newer = grant();
      if (!newer.isHealthy) return fail('needs_reauthorisation');
      if (newer.isSpent) return fail('token_not_refreshed');
      then(newer.access, newer.generation);
    });
  }

  const refusedAs = (trouble: Armed | undefined, access: string): string | undefined => {
    if (trouble?.fault === 'refused_401' || !authority.isGood(access)) return 'unauthorised';
    if (trouble?.fault === 'refused_403') return 'forbidden';
    if (authority.lacksScope()) return 'scope';
    return trouble?.fault === 'throttled' ? 'rate_limited' : undefined;
  };
  return {
    request,
    take,
    arm: (target, next) => void armed[target].push(next),
    outage: (forMs, fault) => void (down = { untilMs: agenda.nowMs() + forMs, fault }),
    stop: (forMs) => void (stoppedUntilMs = agenda.nowMs() + forMs),
    isStopped,
    lag: (ms, forMs) => void (lagging = { ms, untilMs: agenda.nowMs() + forMs }),
    backlog: (ms, forMs) => void (waiting = { ms, untilMs: agenda.nowMs() + forMs }),
    calm: () => {
      armed.write = [];
      armed.read = [];
      armed.token = [];
      down = { ...down, untilMs: -Infinity };
      stoppedUntilMs = -Infinity;
      lagging = none;
      waiting = none;
    },
    as: (attempt) => void (asking = attempt),
    sent: () => sent,
  };
}

const detailOf = (code: string): Partial<CallFailure> => {
  if (code === 'scope') return { code: 'forbidden', lacksScope: true, status: 403 };
  return code === 'rate_limited' ? { retryAfterMs: 2000, status: 429 } : {};
};

const refusal = (isOnce: boolean, failure: CallFailure) =>
  isOnce || FINAL.has(failure.code)
    ? { stop: failure }
    : {
        again: failure.code,
        evidence: failure,
        ...(failure.retryAfterMs !== undefined && { afterMs: () => failure.retryAfterMs ?? 0 }),
      };
