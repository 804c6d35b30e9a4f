// Draws the steps of an onboarding in docs/onboarding.md from the domain's table: `npm run docs:onboarding`.
// With `--check` it writes nothing, and exits with 1 if the page is out of date.
import { fileURLToPath } from 'node:url';
import { ANY_STOPS, ONBOARDING_STEPS, STEPS } from '../domain/onboarding/steps.js';
import { code, codes, redraw, table, type DrawnPage } from './drawn-page.js';

const steps = (): string =>
  table({
    headings: ['step', 'done when its resource is', 'who acts until then', 'stops if it is'],
    rows: [
      ...ONBOARDING_STEPS.map((step) => {
        const { part, title, done, actor, stops } = STEPS[step];
        return [`${code(step)}: ${title}`, `${part}: ${codes(done)}`, actor, codes(Object.keys(stops))];
      }),
      ['any step', '–', '–', codes(Object.keys(ANY_STOPS))],
    ],
  });

export const ONBOARDING_PAGE: DrawnPage = {
  path: 'docs/onboarding.md',
  script: 'docs:onboarding',
  sections: [['Steps', steps]],
};

if (process.argv[1] === fileURLToPath(import.meta.url)) await redraw(ONBOARDING_PAGE);
