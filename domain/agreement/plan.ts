// Planned payments: the days, in Sydney, and the amounts. Pure.
import { SPANS, addDays, periodOf, type Day, type Recurring } from '../time/calendar.js';
import type { Instant } from '../facts/fact.js';
import type { PaymentOrder } from './mandate.js';
import type { PaymentHandling } from '../payment/handling.js';
import type { Judgement } from '../terms/judgement.js';

/** Also the number of dates that are checked ahead in a series without an end. */
export const MOST_PLANNED = 400;

/** `finished`: no date is left. `ended`: a caller ended it. */
export const PLAN_STATES = ['active', 'finished', 'ended'] as const;

/** A payment in each period, on the day of the first date. Month ends are clamped, and do not shift later dates. */
export interface PlannedSeries {
  every: Recurring;
  from: Day;
  /** The last possible day; absent: as long as the agreement allows. */
  until?: Day | undefined;
  /** Cents. */
  amount: number;
}

export interface PlannedPayment {
  date: Day;
  /** Cents. */
  amount: number;
  last_payment?: boolean | undefined;
}

/** A series, or up to 400 single payments in the order of their dates. */
export type Schedule = PlannedSeries | { dates: PlannedPayment[] };

/** For a date on which no payment could be taken: leave it out, or take only the newest missed payment as soon as possible. */
export const ON_MISSED = ['skip', 'catch_up_one'] as const;
export type OnMissed = (typeof ON_MISSED)[number];

/** For a date that is no business day: take the payment on the business day before or after it, or on the date. */
export const ON_HOLIDAY = ['before', 'after', 'same'] as const;
export type OnHoliday = (typeof ON_HOLIDAY)[number];

/** A planned payment with the day on which it is due. Its date stays its identity. */
export interface DuePayment extends PlannedPayment {
  /** The business day that replaces the date, which is no business day. */
  takenOn?: Day | undefined;
  /** Why the payment stays on a date that is no business day. */
  notMoved?: { code: string; detail: string } | undefined;
}

/** A requested plan. */
export interface PlanRequest {
  schedule: Schedule;
  onMissed: OnMissed;
  onHoliday: OnHoliday;
  /** The fields of every payment except its amount. */
  order: Omit<PaymentOrder, 'amount' | 'last_payment'>;
  /** Applies to every payment; not sent to the provider. */
  handling?: PaymentHandling | undefined;
  /** Each payment's uid is this and its date, plus a number if the previous payment for that date was not sent. */
  uidBase: string;
  by: string;
}

/** A payment that could not be taken on its day. */
export interface OwedPayment extends DuePayment {
  /** It is not tried again before this day. */
  from?: Day | undefined;
  /** The payment that was requested for it but was not taken. */
  instead?: string | undefined;
}

export interface PlanEntry extends DuePayment {
  at: Instant;
  /** The payment's uid; absent if none was requested. */
  uid?: string | undefined;
  /** Why nothing was taken. */
  reason?: { code: string; detail: string } | undefined;
}

/** A planned payment that is about to start. */
export interface StartingPayment {
  uid: string;
  planned: DuePayment;
  order: PaymentOrder;
  handling?: PaymentHandling | undefined;
  requestedBy: string;
  judged: Judgement;
  /** The records have nothing under its uid. Only needed if the agreement has dropped payments. */
  isChecked?: true | undefined;
  /** Whether its uid is free is unclear, so it is tried again then. */
  again?: Instant | undefined;
}

export interface Plan extends PlanRequest {
  since: Instant;
  /** Counted from 1; each replacement plan adds one. */
  version: number;
  /** Every date up to this one has been taken, left out, or is owed. */
  doneUpTo: Day;
  /** It is taken as soon as possible. */
  owed?: OwedPayment | undefined;
  /** It is in the ledger, and its workflow starts next. A new plan does not change it. */
  starting?: StartingPayment | undefined;
  /** When the flag `plan` was raised for a payment, and its date if the flag is lowered once that payment has ended. */
  flagged?: { date?: Day | undefined; since: Instant } | undefined;
  /** The newest entries, oldest first. */
  log: PlanEntry[];
  ended?: { at: Instant; by: string } | undefined;
}

/** The planned payments after a day, in order. A series does not go beyond `last`, which the agreement's terms set. */
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

/** The first `count` items. */
export function firstOf<T>(given: Iterable<T>, count: number): T[] {
  const first: T[] = [];
  for (const one of given) if (first.push(one) >= count) break;
  return first;
}

/** The date of the planned payment before this one, and of the one after it; undefined if there is none. */
export function neighboursOf(
  schedule: Schedule,
  date: Day,
): { previous: Day | undefined; next: Day | undefined } {
  if ('dates' in schedule)
    return {
      previous: schedule.dates.findLast((one) => one.date < date)?.date,
      next: schedule.dates.find((one) => one.date > date)?.date,
    };
  const { every, from, until } = schedule;
  const { from: previous } = periodOf(dayBefore(date), SPANS[every], from);
  const { next } = periodOf(date, SPANS[every], from);
  return {
    previous: previous < from ? undefined : previous,
    next: until !== undefined && next > until ? undefined : next,
  };
}

/** The day on which a payment is due. */
export const dueDayOf = ({ date, takenOn = date }: DuePayment): Day => takenOn;

/** The last day on which it can be taken in time: one that moved to an earlier day can still be taken on its date. */
export const lastChanceOf = ({ date, takenOn = date }: DuePayment): Day => (takenOn > date ? takenOn : date);

/** The `doneUpTo` of a plan that starts on the given day. */
export const dayBefore = (day: Day): Day => addDays(day, -1);
