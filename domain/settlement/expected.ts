// The way of money through a day: requested, settled, reported, credited. Each difference between two of them has a name. Pure.
import type { Total } from './reconciliation.js';
import type { Day } from '../time/calendar.js';

/** In the order in which a payment or refund passes them. */
export const SIDES = ['expected', 'settled', 'reported', 'credited'] as const;
export type Side = (typeof SIDES)[number];
/** A side that follows another one. */
export type LaterSide = Exclude<Side, 'expected'>;

/** Why a side differs from the one before it. */
export const DIFFERENCES = {
  settled: [
    'in_flight',
    'failed',
    'withdrawn',
    'lapsed',
    'unresolved',
    'unknown',
    'settled_another_day',
    'requested_another_day',
  ],
  reported: [
    'unreported',
    'missing_in_report',
    'unknown_here',
    'not_settled_here',
    'amounts_differ',
    'other_day',
    'other_connection',
  ],
  credited: [
    'not_credited',
    'credited_another_day',
    'credited_by_decision',
    'credited_amount_differs',
    'reported_another_day',
    'settled_another_day',
    'unreported',
    'missing_in_report',
    'only_in_float',
  ],
} as const satisfies Readonly<Record<LaterSide, readonly string[]>>;
export type DifferenceName = (typeof DIFFERENCES)[LaterSide][number];

/** Payments or refunds of a connection and day that differ in the same way between two sides, or, without a name, not at all. */
export interface DayStep {
  connectionId: string;
  resource: 'payment' | 'refund';
  to: LaterSide;
  name: DifferenceName | undefined;
  /** On the side before. */
  before: Total;
  after: Total;
}

/** What the plans of agreements will request on the day. */
export interface PlannedTotal extends Total {
  connectionId: string;
}

interface Explained extends Total {
  name: DifferenceName;
}

/** The later side minus the one before it. `explained` adds up to it exactly. */
export interface Difference extends Total {
  from: Side;
  to: LaterSide;
  explained: Explained[];
}

export interface ExpectedDay extends Readonly<Record<Side, Total>> {
  day: Day;
  connectionId: string;
  resource: 'payment' | 'refund';
  planned: Total;
  differences: Difference[];
}

const STEPS = [
  ['expected', 'settled'],
  ['settled', 'reported'],
  ['reported', 'credited'],
] as const;

/** By connection. A connection without anything on the day is left out. */
export function expectedDays(
  day: Day,
  steps: readonly DayStep[],
  planned: readonly PlannedTotal[],
): ExpectedDay[] {
  const groups = new Map<string, Pick<ExpectedDay, 'connectionId' | 'resource'> & { steps: DayStep[] }>();
  const groupOf = (connectionId: string, resource: ExpectedDay['resource']): { steps: DayStep[] } => {
    const key = `${connectionId}/${resource}`;
    const group = groups.get(key) ?? { connectionId, resource, steps: [] };
    groups.set(key, group);
    return group;
  };
  for (const step of steps) groupOf(step.connectionId, step.resource).steps.push(step);
  for (const { connectionId } of planned) groupOf(connectionId, 'payment');
  return [...groups.entries()]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { connectionId, resource, steps: its }]) => ({
      ...{ day, connectionId, resource },
      planned: sumOf(planned.filter((one) => resource === 'payment' && one.connectionId === connectionId)),
      ...sidesOf(its),
      differences: STEPS.map(([from, to]) => differenceOf(from, to, its)),
    }));
}

const sidesOf = (steps: readonly DayStep[]): Record<Side, Total> => {
  const after = (side: LaterSide): Total =>
    sumOf(steps.filter(({ to }) => to === side).map((one) => one.after));
  return {
    expected: sumOf(steps.filter(({ to }) => to === 'settled').map(({ before }) => before)),
    ...{ settled: after('settled'), reported: after('reported'), credited: after('credited') },
  };
};

function differenceOf(from: Side, to: LaterSide, steps: readonly DayStep[]): Difference {
  const explained = steps
    .filter((step) => step.to === to)
    .flatMap(({ name, before, after }) =>
      name === undefined
        ? []
        : [{ name, count: after.count - before.count, amount: after.amount - before.amount }],
    )
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return { from, to, ...sumOf(explained), explained };
}

const sumOf = (totals: readonly Total[]): Total => ({
  count: totals.reduce((sum, { count }) => sum + count, 0),
  amount: totals.reduce((sum, { amount }) => sum + amount, 0),
});
