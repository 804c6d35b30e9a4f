// Keeps a reopened run open for a while, so that no process starts another run from an older end (delivery/reopen.ts). Plain JSON and pure.
import { msUntil, rule, type StepRule } from '../engine/step.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { ResourceState } from './state.js';

/** Longer than a caller needs from reading the last run's end to starting the next run: 5 seconds, and 10 for the request. */
const STAYS_OPEN_MS = 20_000;

type StaysOpen = Pick<ResourceState, 'openUntil'>;

export type StayOpenStep = { do: 'stay_open'; until: Instant };

/** The initial state of a run. @param isReopened whether the previous run had ended. */
export const keepOpen = <State extends StaysOpen>(
  state: State,
  isReopened: boolean | undefined,
  now: Instant,
): State =>
  isReopened === true
    ? { ...state, openUntil: new Date(Date.parse(now) + STAYS_OPEN_MS).toISOString() }
    : state;

/** The step that remains when no other does. */
export const stayOpenSteps = ({ openUntil }: StaysOpen): StayOpenStep[] =>
  openUntil === undefined ? [] : [{ do: 'stay_open', until: openUntil }];

export const stayOpenRule = <State extends StaysOpen>(): StepRule<State, StayOpenStep> =>
  rule<State, StayOpenStep, void>({
    lane: 'clock',
    awaiting: 'nothing',
    run: ({ until }, _read, { sleep, now }) => sleep(msUntil(until, now()), 'Keep the reopened run open'),
    done: (state) => ({ ...state, openUntil: undefined }),
  });
