import { CALL_OPTIONS } from '../../workflows/on-temporal/call-options.js';
import { msOf, type Answers, type Attempt } from '../support/virtual-runtime.js';
import { failureOfLater, type Interruption } from './later-attempts.js';
import { PAYING } from './terms.js';
import type { requireOnlyAttempt } from '../../activities/attempts/only.js';
import type { SendingTime } from '../../activities/payment/in-time.js';
import type { Activities } from '../../activities/index.js';
import type { Agenda } from '../support/agenda.js';

export interface Workers {
  employed: (answers: Answers) => Answers;
  leave: (forMs: number) => void;
  awayMs: () => number;
  lose: (isDead: boolean) => boolean;
  interrupt: (by: Interruption) => boolean;
}

export interface Employer {
  agenda: Agenda;
  scheduled: (name: string, args: unknown) => void;
  ended: (name: string, args: unknown, attempt: Attempt<unknown>) => void;
  died: () => void;
  isLate: (time: SendingTime) => boolean;
  requireOnlyAttempt: typeof requireOnlyAttempt;
  as: (asking: Asking | undefined) => void;
}

export interface Asking {
  name: string;
  mark: () => boolean;
  isLate: () => boolean;
}

type Any = (
  args: never,
  scope: { isCancelled: () => boolean },
) => (done: (attempt: Attempt<unknown>) => void) => void;

/** The calls that the simulator marks before it sends them. */
export const MARKED: ReadonlySet<string | undefined> = new Set(['createAgreement', ...PAYING]);

interface UnderWay {
  lose: (isDead: boolean) => void;
  interrupt?: (by: Interruption) => void;
}

export function createWorkers(employer: Employer): Workers {
  const { agenda, scheduled, ended, died, isLate, as } = employer;
  let awayUntilMs = -Infinity;
  const underWay = new Set<UnderWay>();
  const employ =
    (name: keyof Activities, answer: Any): Any =>
    (args, scope) => {
      let isStarted = false;
      const begin = (done: (attempt: Attempt<unknown>) => void): void => {
        if (!isStarted) scheduled(name, args);
        isStarted = true;
        let isLost = false;
        let isMarked = false;
        let isGivenUp = false;
        let interrupted: Interruption | undefined;
        const mark = (): boolean => {
          isMarked ||= !isGivenUp;
          return !isGivenUp;
        };
        const end = (attempt: Attempt<unknown>): void => {
          ended(name, args, attempt);
          done(attempt);
        };
        const startAgain = (by: Interruption): void => {
          isLost = true;
          underWay.delete(attempted);
          agenda.after(by.resumesMs, () => {
            isGivenUp = true;
            // A reset deletes the mark, so only we know whether it was there.
            ended(name, args, lost(name, isMarked || by.by === 'reset'));
            const failure = failureOfLater(employer.requireOnlyAttempt, by, isMarked);
            if (failure !== undefined) return void done({ stop: failure });
            isStarted = false;
            begin(done);
          });
        };
        const lose = (isDead: boolean): void => {
          isLost = true;
          isGivenUp ||= isDead;
          underWay.delete(attempted);
          agenda.after(missedAfterMs(name), () => {
            isGivenUp = true;
            if (interrupted === undefined) end(lost(name, isMarked));
            else startAgain(interrupted);
          });
        };
        const interrupt = (by: Interruption): void => {
          // Temporal accepts no mark of an interrupted attempt.
          isGivenUp = true;
          interrupted = by;
          if (by.isCut) startAgain(by);
        };
        const attempted: UnderWay = { lose, ...(MARKED.has(name) && { interrupt }) };
        underWay.add(attempted);
        as({ name, mark, isLate: () => isLate(args) });
        answer(
          args,
          scope,
        )((attempt) => {
          underWay.delete(attempted);
          if (isLost) return;
          if (interrupted !== undefined && 'again' in attempt) startAgain(interrupted);
          else end(attempt);
        });
        as(undefined);
      };
      return (done) => {
        if (agenda.nowMs() >= awayUntilMs) return begin(done);
        const scheduledAtMs = agenda.nowMs();
        agenda.after(awayUntilMs - scheduledAtMs, () => {
          const isOver = agenda.nowMs() - scheduledAtMs >= timeOf(name);
          if (scope.isCancelled() || isOver) done({ again: 'withdrawn' });
          else begin(done);
        });
      };
    };
  return {
    employed: (answers) => {
      const table = Object.entries(answers as Record<string, Any>);
      return Object.fromEntries(
        table.map(([name, answer]) => [name, isActivity(name) ? employ(name, answer) : answer]),
      );
    },
    leave: (forMs) => void (awayUntilMs = Math.max(awayUntilMs, agenda.nowMs() + forMs)),
    awayMs: () => Math.max(awayUntilMs - agenda.nowMs(), 0),
    lose: (isDead) => {
      if (isDead) died();
      const some = [...underWay];
      some.forEach(({ lose }) => {
        lose(isDead);
      });
      return some.length > 0;
    },
    interrupt: (by) => {
      const some = [...underWay].flatMap(({ interrupt }) => interrupt ?? []);
      some.forEach((interrupt) => {
        interrupt(by);
      });
      return some.length > 0;
    },
  };
}

const isActivity = (name: string): name is keyof Activities => Object.hasOwn(CALL_OPTIONS, name);

function timeOf(name: keyof Activities): number {
  const { scheduleToCloseTimeout } = CALL_OPTIONS[name].options;
  return scheduleToCloseTimeout === undefined ? Infinity : msOf(String(scheduleToCloseTimeout));
}

function missedAfterMs(name: keyof Activities): number {
  const { options } = CALL_OPTIONS[name];
  return msOf(
    String(('heartbeatTimeout' in options && options.heartbeatTimeout) || options.startToCloseTimeout),
  );
}

export const isMadeOnce = (name: string): boolean =>
  isActivity(name) && CALL_OPTIONS[name].options.retry?.maximumAttempts === 1;

const lost = (name: keyof Activities, isMarked: boolean): Attempt<never> =>
  isMadeOnce(name)
    ? {
        stop: {
          code: 'unanswered',
          providerCodes: [],
          isTimedOut: true,
          ...(!isMarked && { isUnmarked: true }),
        },
      }
    : { again: 'unanswered' };
