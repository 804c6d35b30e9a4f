// A passed deadline causes a look-up and may raise a flag. It decides nothing. Pure.
import { DEADLINES, deadlineId, deadlinesOf, type Deadline } from '../../domain/agreement/deadline.js';
import { pollIntervalsInWords } from '../../domain/time/poll-intervals.js';
import { REMINDERS, nextReminderAt, remindersBy } from '../../domain/agreement/reminder.js';
import { applyLocalFact } from '../resource/attention.js';
import { raiseFlag } from '../engine/flags.js';
import type { Action } from '../../domain/agreement/action.js';
import type { AgreementLifecycleState } from '../../domain/agreement/lifecycle.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Attention } from '../../domain/attention/flags.js';
import type { Mandate } from '../../domain/agreement/mandate.js';
import type { ResourceState } from '../resource/state.js';

/** The state from which the deadlines of an agreement follow. */
interface Timed {
  actions: Action[];
  mandate?: Mandate | undefined;
  startedAt: Instant;
  requestedAt?: Instant | undefined;
  /** Deadlines that have caused a look-up, by `deadlineId`. */
  passed: string[];
}
interface Watched extends Timed {
  overdue: boolean;
  isLookUpDue: boolean | 'begun';
  attention: Attention[];
}

/** How many passed deadlines we store. An agreement has few, and an amendment may add some. */
const MAX_PASSED = 20;

/** A deadline has passed: a look-up becomes due, whatever it may show (docs/architecture.md#facts-and-state). */
export function passDeadline<State extends Watched>(state: State, deadline: Deadline, now: Instant): State {
  const passed = [...state.passed, deadlineId(deadline)].slice(-MAX_PASSED);
  const requested = { ...state, passed, isLookUpDue: true };
  const detail = DEADLINES[deadline.name].late;
  if (detail === undefined) return requested;
  return raiseFlag({ ...requested, overdue: true }, 'overdue', now, {
    detail,
    next: `Nothing to do: we poll the provider ${pollIntervalsInWords('overdue')}.`,
  });
}

/** When to record the next reminder that the payer has not answered. */
export const nextReminderIn = ({ requestedAt, reminded = 0 }: Reminded): Instant | undefined =>
  requestedAt === undefined ? undefined : nextReminderAt(requestedAt, reminded);

/** Records a reminder, without a look-up: only a passed deadline causes a look-up or a flag. */
export function applyReminder<State extends ResourceState & Reminded>(state: State, now: Instant): State {
  const { requestedAt = now } = state;
  const reminded = remindersBy(requestedAt, now);
  const after = REMINDERS[reminded - 1]?.after;
  if (after === undefined || reminded === state.reminded) return { ...state };
  const id = `unanswered/${after.replace(' ', '_')}`;
  return applyLocalFact({ ...state, reminded }, id, 'unanswered', now, { after });
}

interface Reminded {
  requestedAt?: Instant | undefined;
  /** How many reminders were recorded. */
  reminded?: number | undefined;
}

/** All deadlines of an agreement in this state, including passed ones, earliest first. */
const deadlinesIn = (
  { actions, mandate, startedAt, requestedAt }: Timed,
  state: AgreementLifecycleState,
): Deadline[] => deadlinesOf({ state, requestedAt: requestedAt ?? startedAt, mandate, actions });

const isPassed = ({ passed }: Timed, deadline: Deadline): boolean => passed.includes(deadlineId(deadline));

/** The next deadline that has not passed. */
export const nextDeadlineIn = (timed: Timed, state: AgreementLifecycleState): Deadline | undefined =>
  deadlinesIn(timed, state).find((deadline) => !isPassed(timed, deadline));

/** True if a deadline has passed and its answer is missing. */
export const isLate = (timed: Timed, state: AgreementLifecycleState): boolean =>
  deadlinesIn(timed, state).some(
    (deadline) => DEADLINES[deadline.name].late !== undefined && isPassed(timed, deadline),
  );
