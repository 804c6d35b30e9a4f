// How lines of several processes share one terminal: each behind its name, in its colour where there are colours.
import { styleText } from 'node:util';

const COLOURS = { temporal: 'magenta', sandbox: 'yellow', worker: 'cyan', api: 'green' } as const;
const WIDTH = 8;

export type Painted = keyof typeof COLOURS;

/** `name     | line`. */
export function prefixed(name: Painted, line: string, hasColour: boolean): string {
  const padded = name.padEnd(WIDTH);
  return `${hasColour ? styleText(COLOURS[name], padded) : padded} | ${line}`;
}
