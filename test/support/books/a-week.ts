// A random week of money: what settled, what the provider lists and reports of it, and the errors that were planted in its report and list.
import { addDays } from '../../../domain/time/calendar.js';
import { startOfSydneyDay } from '../../../domain/time/sydney.js';
import type { CreditDecisionName } from '../../../domain/float/credit.js';
import type { NewFloatEntry } from '../../../domain/float/entries.js';
import type { ExceptionKind } from '../../../domain/settlement/reconciliation.js';
import type { SettlementRow } from '../../../domain/settlement/report.js';

/** Draws a whole number from 0 to `most`. */
export type Draw = (most: number) => number;

type Resource = 'payment' | 'refund';

export interface Money {
  uid: string;
  resource: Resource;
  amount: number;
  at: string;
  /** Or else it is in flight, or has failed. */
  isSettled: boolean;
  /** It belongs to the second connection. */
  isForeign: boolean;
}

/** An entry of the float account, as the provider made it. */
export interface Listed extends NewFloatEntry {
  day: number;
  /** The payment or refund that it settles. */
  clears: string | undefined;
  /** `late`: the provider lists it only after the first reading. `lost`: it never does. */
  delivery: 'first' | 'late' | 'lost';
}

export interface Case {
  entryId: string;
  amount: number;
  decision: 'open' | CreditDecisionName;
  at: string;
  paymentUid: string | undefined;
}

export interface Week {
  days: string[];
  money: Money[];
  opening: number;
  /** In the order in which the provider made them. */
  entries: Listed[];
  cases: Case[];
  /** The first version of each day's report, and the one that counts. */
  reports: { first: SettlementRow[]; newest: SettlementRow[] }[];
  /** `kind uid` of each day. */
  planted: string[][];
}

/** The first days of weeks: two end with a change of the clocks, and one has New Year. */
export const MONDAYS = ['2026-09-28', '2027-03-29', '2026-12-28'];
const DAYS = 7;
const MOST_PAYMENTS = 12;
const MOST_CENTS = 100_000;

/** Notes what happens, on days from 0 to 6. */
interface Book {
  name: string;
  draw: Draw;
  week: Week;
  cents: () => number;
  /** Sometimes the first or the last instant of the day. */
  momentIn: (day: number) => string;
  /** Something that happened on the day, settled if nothing else is given. */
  pay: (uid: string, day: number, over?: Partial<Money>) => Money;
  /** A line for it in the report of the day. */
  report: (day: number, of: Pick<Money, 'uid' | 'resource'>, over: Partial<SettlementRow>) => void;
  /** An entry of the float account. */
  move: (day: number, entry: Pick<Listed, 'id' | 'at' | 'amount'> & Partial<Listed>) => void;
  plant: (day: number, kind: ExceptionKind, uid: string) => void;
}

function aBook(draw: Draw, name: string, monday: string): Book {
  const days = Array.from({ length: DAYS }, (_, day) => addDays(monday, day));
  const week: Week = {
    ...{ days, money: [], opening: 1 + draw(MOST_CENTS), entries: [], cases: [] },
    reports: days.map(() => ({ first: [], newest: [] })),
    planted: days.map(() => []),
  };
  const cents = (): number => 1 + draw(MOST_CENTS);
  const momentIn = (day: number): string => {
    const from = Date.parse(startOfSydneyDay(addDays(monday, day)));
    const last = Date.parse(startOfSydneyDay(addDays(monday, day + 1))) - 1;
    return new Date(from + Math.round(((last - from) * draw(5000)) / 5000)).toISOString();
  };
  return {
    ...{ name, draw, week, cents, momentIn },
    pay: (uid, day, over = {}) => {
      const facts = { resource: 'payment' as const, amount: cents(), at: momentIn(day) };
      const money = { ...facts, uid, isSettled: true, isForeign: false, ...over };
      week.money.push(money);
      return money;
    },
    report: (day, { uid, resource: kind }, over) => {
      const rows = week.reports[day]?.newest ?? [];
      rows.push({ uid, kind, settledAt: momentIn(day), ...over, number: rows.length + 1 });
    },
    move: (day, entry) => {
      const delivery = draw(5) === 0 ? 'late' : 'first';
      const listed = { description: 'Rent of somebody', clears: undefined, delivery, ...entry } as const;
      week.entries.push({ ...listed, day, balanceAfter: 0 });
    },
    plant: (day, kind, uid) => void week.planted[day]?.push(`${kind} ${uid}`),
  };
}

/** The entry of a payment or refund that the provider names. */
const settle = (book: Book, day: number, { uid, resource, amount, at }: Money): void =>
  book.move(day, {
    ...{ id: `${uid}-entry-${day}`, at, amount: resource === 'payment' ? amount : -amount },
    ...{ description: `PayTo ${resource} ${uid}`, clears: uid },
  });

/** Some credits are still on their way. */
const perhapsSettle = (book: Book, day: number, money: Money): void => {
  if (book.draw(4) > 0) settle(book, day, money);
};

function aPayment(book: Book, uid: string): void {
  const { draw, report } = book;
  const day = draw(DAYS - 1);
  const payment = book.pay(uid, day);
  report(day, payment, { amount: payment.amount, settledAt: payment.at });
  perhapsSettle(book, day, payment);
  if (draw(3) === 0) aRefund(book, payment, day, Math.min(day + draw(1), DAYS - 1));
}

function aRefund(book: Book, payment: Money, paidOn: number, day: number): void {
  const drawn = book.momentIn(day);
  // Perhaps at the same instant.
  const at = day === paidOn && drawn < payment.at ? payment.at : drawn;
  const amount = 1 + book.draw(payment.amount - 1);
  const refund = book.pay(`${payment.uid}-refund`, day, { resource: 'refund', amount, at });
  book.report(day, refund, { amount, settledAt: at });
  settle(book, day, refund);
}

function aCase(book: Book, entryId: string): void {
  const day = book.draw(DAYS - 1);
  const [at, amount] = [book.momentIn(day), book.cents()];
  const decision = (['open', 'kept', 'returned', 'ignored', 'matched'] as const)[book.draw(4)] ?? 'open';
  const payment = decision === 'matched' ? book.pay(`${entryId}-payment`, day, { at, amount }) : undefined;
  if (payment !== undefined) book.report(day, payment, { amount });
  book.move(day, { id: entryId, at, amount, clears: payment?.uid });
  if (decision === 'returned') sendBack(book, day, { entryId, amount });
  const decided = Math.min(day + book.draw(2), DAYS - 1);
  const late = book.momentIn(decided);
  book.week.cases.push({
    ...{ entryId, amount, decision, at: late < at ? at : late },
    paymentUid: payment?.uid,
  });
}

/** The debit of a credit that is returned does not name it. */
function sendBack(book: Book, day: number, { entryId, amount }: Pick<Case, 'entryId' | 'amount'>): void {
  const later = day + book.draw(1);
  if (later === day || later === DAYS) return;
  book.move(later, { id: `${entryId}-back`, at: book.momentIn(later), amount: -amount });
}

/** Each plants one error, on a day before the last one. */
const PLANTERS: Readonly<Record<ExceptionKind, (book: Book, uid: string, day: number) => void>> = {
  missing_in_report: (book, uid, day) => {
    perhapsSettle(book, day, book.pay(uid, day));
    book.plant(day, 'missing_in_report', uid);
  },
  unknown_here: (book, uid, day) => {
    const resource = (['payment', 'refund'] as const)[book.draw(1)] ?? 'payment';
    book.report(day, { uid, resource }, { amount: book.cents() });
    book.plant(day, 'unknown_here', uid);
  },
  not_settled_here: (book, uid, day) => {
    const payment = book.pay(uid, day, { isSettled: false });
    book.report(day, payment, { amount: payment.amount });
    perhapsSettle(book, day, payment);
    book.plant(day, 'not_settled_here', uid);
  },
  amounts_differ: (book, uid, day) => {
    const payment = book.pay(uid, day);
    perhapsSettle(book, day, payment);
    const reportedOn = day + book.draw(1);
    book.report(reportedOn, payment, { amount: payment.amount + 1 });
    book.plant(day, 'amounts_differ', uid);
    if (reportedOn !== day) book.plant(reportedOn, 'other_day', uid);
  },
  other_day: (book, uid, day) => {
    const payment = book.pay(uid, day);
    const isReportedLater = book.draw(1) === 0;
    const isCreditedLater = !isReportedLater || book.draw(1) === 0;
    book.report(isReportedLater ? day + 1 : day, payment, { amount: payment.amount });
    if (isReportedLater) book.plant(day, 'other_day', uid);
    if (isCreditedLater) settle(book, day + 1, { ...payment, at: book.momentIn(day + 1) });
    else settle(book, day, payment);
    book.plant(day + 1, 'other_day', uid);
  },
  other_connection: (book, uid, day) => {
    const payment = book.pay(uid, day, { isForeign: true });
    book.report(day, payment, { amount: payment.amount });
    book.plant(day, 'other_connection', uid);
  },
  repeated_line: (book, uid, day) => {
    const payment = book.pay(uid, day);
    const more = 1 + book.draw(1);
    for (let n = 0; n <= more; n += 1) book.report(day, payment, { amount: payment.amount + n });
    for (let n = 0; n < more; n += 1) book.plant(day, 'repeated_line', uid);
  },
  unreadable_line: (book, uid, day) => {
    const hasUid = book.draw(1) === 0;
    book.report(
      day,
      { uid: hasUid ? uid : '', resource: 'payment' },
      { amount: hasUid ? undefined : book.cents() },
    );
    book.plant(day, 'unreadable_line', hasUid ? uid : '');
  },
  reversal: (book, uid, day) => {
    const payment = book.pay(uid, day);
    book.report(day, payment, { amount: payment.amount });
    settle(book, day, payment);
    const amount = -payment.amount;
    book.report(day + 1, payment, { amount, problem: 'reversal' });
    const [id, at] = [`${uid}-back`, book.momentIn(day + 1)];
    if (book.draw(1) === 0) book.move(day + 1, { id, at, amount, description: `Reversal of ${uid}` });
    book.plant(day + 1, 'reversal', uid);
  },
  unlisted_type: (book, uid, day) => {
    const over = { kind: undefined, amount: book.cents(), problem: 'unlisted_type' as const };
    book.report(day, { uid, resource: 'payment' }, over);
    book.plant(day, 'unlisted_type', uid);
  },
  only_in_float: (book, uid, day) => {
    const resource = (['payment', 'refund'] as const)[book.draw(1)] ?? 'payment';
    const money = book.pay(uid, day, { isSettled: false, resource });
    settle(book, day, money);
    book.plant(day, 'only_in_float', uid);
    // The money of a refund that failed comes back, and that of a payment may be taken back.
    const back = { ...money, amount: -money.amount, at: book.momentIn(day + 1) };
    if (resource === 'refund' || book.draw(1) === 0) settle(book, day + 1, back);
  },
};

/** Puts the entries in their order, and loses one in half of the weeks: the balances have it, and the list never does. */
function close(book: Book): void {
  const { draw, name, week } = book;
  week.entries.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const at = 1 + draw(Math.max(0, week.entries.length - 2));
  const [before, after] = [week.entries[at - 1], week.entries[at]];
  const gapMs = Date.parse(after?.at ?? '') - Date.parse(before?.at ?? '');
  if (after !== undefined && gapMs > 1 && draw(1) === 0)
    week.entries.splice(at, 0, {
      ...{ ...after, id: `${name}-lost`, amount: draw(1) === 0 ? book.cents() : -book.cents() },
      ...{ at: new Date(Date.parse(after.at) - 1).toISOString() },
      ...{ description: undefined, clears: undefined, delivery: 'lost' },
    });
  let balance = week.opening;
  for (const entry of week.entries) entry.balanceAfter = balance += entry.amount;
  for (const versions of week.reports) {
    const { newest } = versions;
    const stranger = { uid: `${name}-gone`, kind: 'payment', amount: 1, number: newest.length + 1 } as const;
    versions.first = [...newest.slice(draw(newest.length)), stranger];
  }
}

/** @param name makes the ids of each week its own. */
export function aWeek(draw: Draw, name: string, monday: string): Week {
  const book = aBook(draw, name, monday);
  for (let n = draw(MOST_PAYMENTS); n >= 0; n -= 1) aPayment(book, `${name}-payment-${n}`);
  for (let n = draw(3); n >= 0; n -= 1) aCase(book, `${name}-credit-${n}`);
  for (let n = draw(1); n >= 0; n -= 1) {
    const day = draw(DAYS - 1);
    const [id, at, amount] = [`${name}-fee-${n}`, book.momentIn(day), -book.cents()];
    book.move(day, { id, at, amount, description: 'Monthly fee' });
  }
  const last = new Date(Date.parse(startOfSydneyDay(addDays(monday, DAYS))) - 1).toISOString();
  book.move(DAYS - 1, { id: `${name}-last`, at: last, amount: book.cents() });
  for (const [kind, plant] of Object.entries(PLANTERS))
    plant(book, `${name}-${kind.replaceAll('_', '-')}`, draw(DAYS - 2));
  close(book);
  return book.week;
}
