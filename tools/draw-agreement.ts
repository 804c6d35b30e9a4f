// Draws the diagram and tables of docs/agreement.md from the domain's tables: `npm run docs:agreement`.
// With `--check` it writes nothing, and exits with 1 if the page is out of date.
import { fileURLToPath } from 'node:url';
import { diagram, events, localFacts } from './agreement/events.js';
import { deadlines, pending, polls } from './agreement/pending.js';
import { redraw, type DrawnPage } from './drawn-page.js';

export const AGREEMENT_PAGE: DrawnPage = {
  path: 'docs/agreement.md',
  script: 'docs:agreement',
  sections: [
    ['States', diagram],
    ['Events', events],
    ['Recorded facts', localFacts],
    ['Pending', pending],
    ['Polls', polls],
    ['Deadlines', deadlines],
  ],
};

if (process.argv[1] === fileURLToPath(import.meta.url)) await redraw(AGREEMENT_PAGE);
