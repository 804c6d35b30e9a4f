// Arguments of people as values of the API.
import { InvalidArgumentError } from 'commander';

const MS = { s: 1000, min: 60_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const AGO = /^(\d{1,6})(s|min|m|h|d|w)$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?$/;

/** `2h` (ago), `2026-11-12` (its start in local time) or a time of RFC 3339, as UTC. @throws InvalidArgumentError */
export function instantOf(text: string, nowMs = Date.now()): string {
  const [, count, unit] = AGO.exec(text) ?? [];
  if (count !== undefined) return new Date(nowMs - Number(count) * MS[unit as keyof typeof MS]).toISOString();
  const at = DAY.test(text) ? new Date(`${text}T00:00:00`) : INSTANT.test(text) ? new Date(text) : undefined;
  if (at !== undefined && !Number.isNaN(at.getTime())) return at.toISOString();
  throw new InvalidArgumentError('Expected a time such as 2h (ago), 2026-11-12 or 2026-11-12T09:30:00Z.');
}

/** Dollars as cents. @throws InvalidArgumentError */
export function centsOf(text: string): string {
  const [, whole, part = ''] = /^\$?(\d{1,12})(?:\.(\d\d))?$/.exec(text) ?? [];
  if (whole === undefined) throw new InvalidArgumentError('Expected dollars such as 42 or 42.50.');
  return String(Number(whole) * 100 + Number(part));
}

/** A whole number from 1 on. @throws InvalidArgumentError */
export function countOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Expected a whole number from 1 on.');
  return Number(text);
}
