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
  let standing: Pair | undefined;
  let spent: { refresh: string; untilMs: number } | undefined;
  let isNarrow = false;
  const issue = (): Pair => {
    count += 1;
    standing = {
      access: `access-${count}`,
      refresh: `refresh-${count}`,
      lifeMs: tokenMs,
      endsAtMs: agenda.nowMs() + tokenMs,
    };
    return standing;
  };
  return {
    exchange: () => {
      isNarrow = false;
      spent = undefined;
      return issue();
    },
    refresh: (token) => {
      if (standing === undefined) return 'refused';
      if (spent?.refresh === token && agenda.nowMs() <= spent.untilMs) return standing;
      if (standing.refresh !== token) {
        standing = undefined;
        return 'refused';
      }
      spent = { refresh: token, untilMs: hasGrace ? agenda.nowMs() + GRACE_MS : -Infinity };
      return issue();
    },
    isGood: (access) => standing?.access === access && agenda.nowMs() < standing.endsAtMs,
    isGranted: () => standing !== undefined,
    takeAway: () => void (standing = undefined),
    narrow: () => void (isNarrow = true),
    lacksScope: () => isNarrow,
  };
}
