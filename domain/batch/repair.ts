// Repairs of many resources that exist: what their rows have in common. Pure.
import type { AttentionCode } from '../attention/flags.js';
import type { Decision } from '../attention/resolution.js';
import type { ProviderResource } from '../resources.js';

/** A filter that matches more is refused. */
export const MOST_REPAIRED = 10_000;

/** The resources whose flags an operator can resolve in a batch. */
export const RESOLVABLE = [
  'agreement',
  'payment',
  'refund',
  'client',
  'counterparty',
] as const satisfies readonly ProviderResource[];
export type Resolvable = (typeof RESOLVABLE)[number];

/** What the rows of a repair have in common. */
export interface Repair {
  /** Why it is done, in the words of its principal. */
  reason: string;
  /** As the caller sent it. */
  filter: Readonly<Record<string, string | undefined>>;
  /** Digest of the rows that the filter has found. A repeat that finds others does not complete an interrupted upload. */
  found: string;
  /** Only of a repair that resolves a flag. */
  flag?: AttentionCode | undefined;
  decision?: Decision | undefined;
  /** The principals for the records of the resources, if another one has approved it. */
  by?: string | undefined;
}
