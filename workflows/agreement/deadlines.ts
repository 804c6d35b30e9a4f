// What the passing of a deadline means to an agreement: a reason to ask, and something for an operator to see. Pure.
import { deadlineId, deadlinesOf } from '../../domain/deadline.js';
import { DEADLINES } from '../../domain/deadline-words.js';
import { ladderInWords } from '../../domain/ladder-words.js';
import { flag } from '../entity/state.js';
import type { Action } from '../../domain/action.js';
import type { AgreementState } from '../../domain/agreement.js';
import type { Deadline } from '../../domain/deadline.js';
import type { Instant } from '../../domain/fact.js';
import type { Mandate } from '../../domain/mandate.js';
import type { Memory } from '../entity/state.js';

/** What the deadlines of an agreement hang on, as it is remembered. */
interface Timed {
  actions: Action[];
  mandate?: Mandate | undefined;
  startedAt: Instant;
  /** When the payer was asked, as well as we know. */
  askedAt?: Instant | undefined;
  /** Deadlines at which the provider has been asked, by `deadlineId`. */
  passed: string[];
}

interface Watched extends Memory<AgreementState>, Timed {
  overdue: boolean;
  lookAsked: boolean;
}

/** So many passed ones are kept; an agreement has few, and each amendment may bring new ones. */
const PASSED_KEPT = 20;

/** The deadline has come: the provider is asked, whatever it may say (design 4, rule 5). */
export function withDeadline<R extends Watched>(record: R, deadline: Deadline, now: Instant): R {
  const passed = [...record.passed, deadlineId(deadline)].slice(-PASSED_KEPT);
  const detail = DEADLINES[deadline.name].late;
  if (detail === undefined) return { ...record, passed, lookAsked: true };
  // Who is late is watched more closely from now on, and a watch begins with a look.
  return flag({ ...record, passed, overdue: true }, 'overdue', now, {
    detail,
    next: `Nothing to do: the provider is asked ${ladderInWords('overdue')}.`,
  });
}

/** Every deadline of an agreement that stands so, passed ones included; earliest first. */
export const deadlinesIn = (record: Timed, state: AgreementState): Deadline[] => {
  const { actions, mandate, startedAt } = record;
  return deadlinesOf({ state, askedAt: record.askedAt ?? startedAt, mandate, actions });
};

export const isPassed = ({ passed }: Timed, deadline: Deadline): boolean =>
  passed.includes(deadlineId(deadline));

/** Whether somebody has let a deadline pass and still not answered. */
export const isLate = (record: Timed, state: AgreementState): boolean =>
  deadlinesIn(record, state).some(
    (deadline) => DEADLINES[deadline.name].late !== undefined && isPassed(record, deadline),
  );
