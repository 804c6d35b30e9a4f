// Draws the steps of an onboarding in docs/onboarding.md from the domain's own table: `npm run docs:onboarding`.
// With `--check` it writes nothing, and ends with 1 where the page is not what the code says.
import { fileURLToPath } from 'node:url';
import { ANY_STOPS, ONBOARDING_STEPS, STEPS } from '../domain/onboarding/steps.js';
import { code, codes, redraw, table } from './drawn-page.js';
import type { DrawnPage } from './drawn-page.js';

const steps = (): string =>
  table({
    headings: ['step', 'done when its resource is', 'who acts until then'],
    rows: ONBOARDING_STEPS.map((step) => {
      const { part, title, done, actor } = STEPS[step];
      return [`${code(step)}: ${title}`, `${part}: ${codes(done)}`, actor];
    }),
  });

const stops = (): string =>
  table({
    headings: ['step', 'state', 'meaning and next action'],
    rows: [
      ...ONBOARDING_STEPS.flatMap((step) => rowsOf(code(step), STEPS[step].stops)),
      ...rowsOf('any other', ANY_STOPS),
    ],
  });

const rowsOf = (step: string, states: Readonly<Record<string, string>>): string[][] =>
  Object.entries(states).map(([state, words]) => [step, code(state), words]);

export const ONBOARDING_PAGE: DrawnPage = {
  path: 'docs/onboarding.md',
  script: 'docs:onboarding',
  sections: [
    ['Steps', steps],
    ['Stops', stops],
  ],
};

if (process.argv[1] === fileURLToPath(import.meta.url)) await redraw(ONBOARDING_PAGE);
