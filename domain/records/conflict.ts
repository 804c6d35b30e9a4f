// Two things under one uid: the flag of the first one. Pure.
import { raise, type Attention } from '../attention/flags.js';
import type { Instant } from '../facts/fact.js';
import type { ResourceName } from '../resources.js';

/** @param since when the other thing was recorded first. */
export const otherUnderUid = (resource: ResourceName, since: Instant): Attention => ({
  ...{ code: 'conflict', since },
  detail: `Another ${resource.replaceAll('-', ' ')} was requested under this uid after Temporal had forgotten this one.`,
  next: 'The table `conflicts` of the records has the other one. Compare both with the provider. Resolving this flag while the other one has a run lets that one go on: withdraw or end it first.',
});

/** A view, or a state, of any form with the flag. If it has a flag of that code, that one stays. */
export function withFlag(value: unknown, flag: Attention): object & { attention: Attention[] } {
  const fields = fieldsOf(value);
  const list = Array.isArray(fields['attention']) ? (fields['attention'] as Attention[]) : [];
  return { ...fields, attention: raise(list, flag) };
}

/** What a later run needs, with the flag in its state. Without a state, it stays as it is. */
export const carriedWithFlag = (carried: object, flag: Attention): object =>
  'state' in carried ? { ...carried, state: withFlag(carried.state, flag) } : carried;

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};
