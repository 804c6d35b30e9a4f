// Conditions of a statement. Every value is a parameter.
import { sql, type RawBuilder } from 'kysely';

export type Condition = RawBuilder<unknown>;

/** From the first, included, until the second, not included. */
export interface Range<Value> {
  from?: Value | undefined;
  until?: Value | undefined;
}

/** All of them. */
export const all = (...conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`true` : sql.join([...conditions], sql` and `);

/** The condition, if the caller gave a value for it. */
export const given = <Value>(
  value: Value | undefined,
  condition: (value: Value) => Condition,
): Condition[] => (value === undefined ? [] : [condition(value)]);

export const within = (column: Condition, { from, until }: Range<string | number> = {}): Condition[] => [
  ...given(from, (first) => sql`${column} >= ${first}`),
  ...given(until, (next) => sql`${column} < ${next}`),
];
