// What the passing of a deadline means to an agreement: a reason to ask, and something for an operator to see. Pure.
import { DEADLINES, deadlineId, deadlinesOf } from '../../domain/agreement/deadline.js';
import { pollIntervalsInWords } from '../../domain/time/poll-intervals.js';
import { REMINDERS, nextReminderAt, remindersBy } from '../../domain/agreement/reminder.js';
import { recordLocalFact } from '../entity/resource/attention.js';
import { raiseFlag } from '../entity/resource/state.js';
import type { Action } from '../../domain/agreement/action.js';
import type { AgreementLifecycleState } from '../../domain/agreement/lifecycle.js';
import type { Deadline } from '../../domain/agreement/deadline.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Attention } from '../../domain/attention/flags.js';
import type { Mandate } from '../../domain/agreement/mandate.js';
import type { ResourceState } from '../entity/resource/state.js';

/** What the deadlines of an agreement hang on, of what is kept of it. */
interface Timed {
  actions: Action[];
  mandate?: Mandate | undefined;
  startedAt: Instant;
  requestedAt?: Instant | undefined;
  /** Deadlines at which the provider has been asked, by `deadlineId`. */
  passed: string[];
}
interface Watched extends Timed {
  overdue: boolean;
  isLookUpDue: boolean | 'begun';
  attention: Attention[];
}

/** So many passed ones are kept; an agreement has few, and each amendment may bring new ones. */
const MAX_PASSED = 20;

/** The deadline has come: the provider is asked, whatever it may say (docs/architecture.md#facts-and-state). */
export function passDeadline<State extends Watched>(state: State, deadline: Deadline, now: Instant): State {
  const passed = [...state.passed, deadlineId(deadline)].slice(-MAX_PASSED);
  const requested = { ...state, passed, isLookUpDue: true };
  const detail = DEADLINES[deadline.name].late;
  if (detail === undefined) return requested;
  return raiseFlag({ ...requested, overdue: true }, 'overdue', now, {
    detail,
    next: `Nothing to do: the provider is asked ${pollIntervalsInWords('overdue')}.`,
  });
}

/** When it is noted next that the payer has not answered. */
export const nextReminderIn = ({ requestedAt: requestedAt, reminded = 0 }: Reminded): Instant | undefined =>
  requestedAt === undefined ? undefined : nextReminderAt(requestedAt, reminded);

/** It is noted, and the provider is not asked: where it waits in vain, the deadlines say so. */
export function recordReminder<State extends ResourceState<string> & Reminded>(
  state: State,
  now: Instant,
): State {
  const { requestedAt: requestedAt = now } = state;
  const reminded = remindersBy(requestedAt, now);
  const after = REMINDERS[reminded - 1]?.after;
  if (after === undefined || reminded === state.reminded) return { ...state };
  const id = `unanswered/${after.replace(' ', '_')}`;
  return recordLocalFact({ ...state, reminded }, id, 'unanswered', now, { after });
}

interface Reminded {
  requestedAt?: Instant | undefined;
  /** How often that was noted. */
  reminded?: number | undefined;
}

/** Every deadline of an agreement that stands so, passed ones included; earliest first. */
const deadlinesIn = (
  { actions, mandate, startedAt, requestedAt: requestedAt }: Timed,
  state: AgreementLifecycleState,
): Deadline[] => deadlinesOf({ state, requestedAt: requestedAt ?? startedAt, mandate, actions });

const isPassed = ({ passed }: Timed, deadline: Deadline): boolean => passed.includes(deadlineId(deadline));

/** The next time at which to ask. */
export const nextDeadlineIn = (timed: Timed, state: AgreementLifecycleState): Deadline | undefined =>
  deadlinesIn(timed, state).find((deadline) => !isPassed(timed, deadline));

/** Whether a deadline has passed without the answer that it is for. */
export const isLate = (timed: Timed, state: AgreementLifecycleState): boolean =>
  deadlinesIn(timed, state).some(
    (deadline) => DEADLINES[deadline.name].late !== undefined && isPassed(timed, deadline),
  );
