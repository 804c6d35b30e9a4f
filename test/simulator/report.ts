import { FAULTS, medianOf, type Run } from './run.js';
import { ROWS } from './rules.js';

export function reportOf({ lives, met, steps, faults, cpuSeconds }: Run): string {
  const line = (name: string): string => `${String(met.get(name) ?? 0).padStart(9)}  ${name}`;
  return [
    ...ROWS.map(line),
    ...[...met.keys()].filter((name) => name.startsWith('refund ')).map(line),
    ...FAULTS.map(line),
    `${lives} lives, ${Math.round(lives / cpuSeconds)} per second of CPU`,
    `median: ${medianOf(steps)} steps and ${medianOf(faults)} faults per life`,
  ].join('\n');
}
