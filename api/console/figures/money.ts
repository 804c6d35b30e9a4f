// The money of today, of this month and of the latest 30 days, and payments in flight by age. All sums are whole cents.
import { startOfSydneyDay, sydneyDayOf } from '../../../domain/time/sydney.js';
import { ApiError } from '../../http/problems/errors.js';
import type { Visit } from '../visit.js';
import { connectionsOf } from './scope.js';

export interface Sum {
  count: number;
  amount: number;
}
interface Figure {
  today: Sum;
  month: Sum;
}
export interface Day {
  day: string;
  settled: number;
  failed: number;
}
export interface Figures {
  requested: Figure;
  settled: Figure;
  failed: Figure;
  refunded: Figure;
  days: Day[];
  inFlight: (Sum & { name: string })[];
  /** Why figures are missing. */
  problem?: string;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const CHART_DAYS = 30;
/** No payment is older. */
const FIRST = '2000-01-01T00:00:00.000Z';
const IN_FLIGHT = ['requested', 'created', 'submitting', 'pending', 'under_investigation', 'retrying'];

const NOTHING: Sum = { count: 0, amount: 0 };
const sum = (sums: readonly Sum[]): Sum =>
  sums.reduce(
    (all, { count, amount }) => ({ count: all.count + count, amount: all.amount + amount }),
    NOTHING,
  );
const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** The figures of the connections that the key may see. While the records are away, they are zero, and `problem` says so. */
export async function moneyOf(visit: Visit): Promise<Figures> {
  try {
    return await figuresOf(visit);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const none = { today: NOTHING, month: NOTHING };
    return {
      ...{ requested: none, settled: none, failed: none, refunded: none, days: [], inFlight: [] },
      problem: `These figures are not available now: ${error.detail}`,
    };
  }
}

async function figuresOf(visit: Visit): Promise<Figures> {
  const nowMs = visit.dependencies.clock.now();
  const today = sydneyDayOf(new Date(nowMs).toISOString());
  const tomorrow = dayAfter(today, 1);
  const month = `${today.slice(0, 8)}01`;
  const chartFrom = dayAfter(today, 1 - CHART_DAYS);
  const totals = totalsFor(visit);
  const starts = { today: startOfSydneyDay(today), month: startOfSydneyDay(month) };
  const until = startOfSydneyDay(tomorrow);
  const from = startOfSydneyDay(month < chartFrom ? month : chartFrom);
  const [byDay, requestedToday, requestedMonth, inFlight, refunded] = await Promise.all([
    totals({}, from, until),
    totals({ created: { from: starts.today, until } }, starts.today, until),
    totals({ created: { from: starts.month, until } }, starts.month, until),
    inFlightOf(totals, nowMs, until),
    totalsFor(visit, 'refunds')({ states: ['processed'] }, starts.month, until),
  ]);
  const of = (state: string, since: string) =>
    sum(byDay.filter((total) => total.state === state && total.day >= since));
  const figure = (state: string): Figure => ({ today: of(state, today), month: of(state, month) });
  const refundedOn = refunded.filter(({ day }) => day === today);
  const days = Array.from({ length: CHART_DAYS }, (_, index) => dayAfter(chartFrom, index));
  const on = (day: string, state: string) =>
    sum(byDay.filter((total) => total.day === day && total.state === state)).amount;
  return {
    requested: { today: sum(requestedToday), month: sum(requestedMonth) },
    ...{ settled: figure('settled'), failed: figure('failed'), inFlight },
    refunded: { today: sum(refundedOn), month: sum(refunded) },
    days: days.map((day) => ({ day, settled: on(day, 'settled'), failed: on(day, 'failed') })),
  };
}

type Filter = Parameters<Visit['dependencies']['temporal']['payments']['totals']>[0];
type Totals = (
  filter: Filter,
  from: string,
  until: string,
) => Promise<(Sum & { day: string; state: string })[]>;

const totalsFor =
  ({ key, dependencies: { temporal } }: Visit, of: 'payments' | 'refunds' = 'payments'): Totals =>
  async (filter, from, until) => {
    const ofConnections = connectionsOf(key).map((connection) =>
      temporal[of].totals({ ...filter, connection }, { from, until }),
    );
    return (await Promise.all(ofConnections)).flat();
  };

async function inFlightOf(totals: Totals, nowMs: number, until: string): Promise<Figures['inFlight']> {
  const ago = (ms: number) => new Date(nowMs - ms).toISOString();
  const ages = [
    { name: 'Younger than an hour', created: { from: ago(HOUR_MS), until } },
    { name: 'An hour to a day', created: { from: ago(DAY_MS), until: ago(HOUR_MS) } },
    { name: 'A day to three days', created: { from: ago(3 * DAY_MS), until: ago(DAY_MS) } },
    { name: 'Older than three days', created: { from: FIRST, until: ago(3 * DAY_MS) } },
  ];
  return Promise.all(
    ages.map(async ({ name, created }) => ({
      name,
      ...sum(await totals({ states: IN_FLIGHT, created }, FIRST, until)),
    })),
  );
}
