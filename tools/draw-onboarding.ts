// Draws the steps of an onboarding in docs/onboarding.md from the domain's own table: `npm run docs:onboarding`.
// With `--check` it writes nothing, and ends with 1 where the page is not what the code says.
import { fileURLToPath } from 'node:url';
import { ONBOARDING_STEPS, STEPS } from '../domain/onboarding/steps.js';
import { code, redraw, table } from './drawn-page.js';
import type { DrawnPage } from './drawn-page.js';

const steps = (): string =>
  table({
    headings: ['step', 'done once its resource is', 'who acts meanwhile'],
    rows: ONBOARDING_STEPS.map((step) => {
      const { part, title, done, actor } = STEPS[step];
      return [`${code(step)}: ${title}`, `${part}: ${done.map(code).join(', ')}`, actor];
    }),
  });

const stops = (): string =>
  table({
    headings: ['step', 'its resource is', 'what that means, and what to do'],
    rows: ONBOARDING_STEPS.flatMap((step) =>
      Object.entries(STEPS[step].stops).map(([state, words]) => [code(step), code(state), words]),
    ),
  });

export const ONBOARDING_PAGE: DrawnPage = {
  path: 'docs/onboarding.md',
  script: 'docs:onboarding',
  sections: [
    ['Steps', steps],
    ['Stops', stops],
  ],
};

if (process.argv[1] === fileURLToPath(import.meta.url)) await redraw(ONBOARDING_PAGE);
