// Which resources have ended, for the retention of the records. Pure.
import { RESOURCES } from '../resources.js';
import type { ExpiringResource } from '../resources.js';

export const hasEnded = (resource: ExpiringResource, state: string): boolean =>
  RESOURCES[resource].ended.some((one) => one === state);

const DAY_MS = 24 * 3_600_000;
const DAYS = { d: 1, y: 365.25 } as const;

/** Reads `90d` or `7y`. @returns milliseconds; undefined for any other text. */
export function retentionIn(text: string): number | undefined {
  const [, count = '', unit] = /^([1-9]\d{0,4})([dy])$/.exec(text) ?? [];
  return unit === 'd' || unit === 'y' ? Number(count) * DAYS[unit] * DAY_MS : undefined;
}
