import type { Agenda } from '../support/agenda.js';

export interface Pair {
  access: string;
  refresh: string;
  lifeMs: number;
  endsAtMs: number;
}

export interface Authority {
  exchange: () => Pair;
  refresh: (token: string) => Pair | 'refused';
  isGood: (access: string) => boolean;
  isGranted: () => boolean;
  takeAway: () => void;
  narrow: () => void;
  lacksScope: () => boolean;
}

const GRACE_MS = 60_000;

export function createAuthority(agenda: Agenda, hasGrace: boolean, tokenMs: number): Authority {
  let count = 0;
  let current: Pair | undefined;
  let spent: { refresh: string; untilMs: number } | undefined;
  let isNarrow = false;
  const issue = (): Pair => {
    count += 1;
    current = {
      access: `access-${count}`,
      refresh: `refresh-${count}`,
      lifeMs: tokenMs,
      endsAtMs: agenda.nowMs() + tokenMs,
    };
    return current;
  };
  return {
    exchange: () => {
      isNarrow = false;
      spent = undefined;
      return issue();
    },
    refresh: (token) => {
      if (current === undefined) return 'refused';
      if (spent?.refresh === token && agenda.nowMs() <= spent.untilMs) return current;
      if (current.refresh !== token) {
        current = undefined;
        return 'refused';
      }
      spent = { refresh: token, untilMs: hasGrace ? agenda.nowMs() + GRACE_MS : -Infinity };
      return issue();
    },
    isGood: (access) => current?.access === access && agenda.nowMs() < current.endsAtMs,
    isGranted: () => current !== undefined,
    takeAway: () => void (current = undefined),
    narrow: () => void (isNarrow = true),
    lacksScope: () => isNarrow,
  };
}
