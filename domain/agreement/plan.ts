// Payments that are planned ahead: which days, in Sydney, and how much on each. Pure.
import { SPANS, addDays, periodOf } from '../time/calendar.js';
import type { Day, Recurring } from '../time/calendar.js';
import type { Instant } from '../facts/fact.js';
import type { PaymentOrder } from './mandate.js';
import type { PaymentHandling } from '../payment/handling.js';
import type { Judgement } from '../terms/judgement.js';

/** Also of what a rule goes on to without end, so many are looked at ahead. */
export const MOST_PLANNED = 400;

/** `finished`: no date is left. `ended`: by a caller. */
export const PLAN_STATES = ['active', 'finished', 'ended'] as const;

/** So often, on the day of its first date: month ends are clamped, and do not move the dates after them. */
export interface PlannedSeries {
  every: Recurring;
  from: Day;
  /** The last day on which one may be; left out, as long as the agreement allows. */
  until?: Day | undefined;
  /** Cents. */
  amount: number;
}

export interface PlannedPayment {
  date: Day;
  /** Cents. */
  amount: number;
  /** Of balloon terms. */
  last_payment?: boolean | undefined;
}

/** What is planned: a series, or each of up to 400 payments, in the order of their dates. */
export type Schedule = PlannedSeries | { dates: PlannedPayment[] };

/** What becomes of a date on which nothing could be taken: it is left out, or the newest of them is taken as soon as one can be. */
export const ON_MISSED = ['skip', 'catch_up_one'] as const;
export type OnMissed = (typeof ON_MISSED)[number];

/** What is asked for with a plan. */
export interface PlanRequest {
  schedule: Schedule;
  onMissed: OnMissed;
  /** What each payment says besides its amount. */
  order: Omit<PaymentOrder, 'amount' | 'last_payment'>;
  /** Beside it. */
  handling?: PaymentHandling | undefined;
  /** Each payment's uid is this and its date, and a number where what was asked for before on that date was not sent. */
  uidBase: string;
  /** The principal that asked for it. */
  by: string;
}

export interface PlanEntry extends PlannedPayment {
  at: Instant;
  /** Of the payment; absent where it was left out. */
  uid?: string | undefined;
  /** Why it was left out. */
  reason?: { code: string; detail: string } | undefined;
}

export interface Plan extends PlanRequest {
  since: Instant;
  /** Counted from 1: each plan that takes the place of another is one more. */
  version: number;
  /** Every date up to this one has been taken, left out, or is owed. */
  doneUpTo: Day;
  /** It could not be taken on its day, and is taken once it can be. */
  owed?: PlannedPayment | undefined;
  /** It is in the ledger, and its workflow starts next. A plan that is put meanwhile does not change it. */
  starting?:
    | {
        uid: string;
        planned: PlannedPayment;
        order: PaymentOrder;
        handling?: PaymentHandling | undefined;
        requestedBy: string;
        judged: Judgement;
      }
    | undefined;
  /** The newest, oldest first. */
  log: PlanEntry[];
  ended?: { at: Instant; by: string } | undefined;
}

/** The planned payments after a day, first to last; of a series not beyond the given last day, which the agreement's terms set. */
export function* plannedAfter(
  schedule: Schedule,
  after: Day | undefined,
  last?: Day,
): Generator<PlannedPayment> {
  const isNews = ({ date }: PlannedPayment): boolean => after === undefined || date > after;
  if ('dates' in schedule) return yield* schedule.dates.filter(isNews);
  const { every, from, until, amount } = schedule;
  const nextAfter = (day: Day): Day => (day < from ? from : periodOf(day, SPANS[every], from).next);
  for (let date = after === undefined ? from : nextAfter(after); ; date = nextAfter(date)) {
    if ((until !== undefined && date > until) || (last !== undefined && date > last)) return;
    yield { date, amount };
  }
}

/** The first so many of them. */
export function firstOf<T>(given: Iterable<T>, count: number): T[] {
  const first: T[] = [];
  for (const one of given) if (first.push(one) >= count) break;
  return first;
}

/** Those of a day and before it that are not done yet. */
export function plannedUpTo(
  schedule: Schedule,
  after: Day | undefined,
  day: Day,
  last?: Day,
): PlannedPayment[] {
  const due: PlannedPayment[] = [];
  for (const planned of plannedAfter(schedule, after, last)) {
    if (planned.date > day) break;
    due.push(planned);
  }
  return due;
}

/** The day before: everything from the given day on is still to come. */
export const dayBefore = (day: Day): Day => addDays(day, -1);
