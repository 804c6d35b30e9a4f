// Draws docs/agreement.md's diagram and tables from the domain's own tables: `npm run docs:agreement`.
// With `--check` it writes nothing, and ends with 1 where the page is not what the code says.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { deadlines } from './agreement/deadlines.js';
import { diagram, events, localFacts } from './agreement/events.js';
import { pending, polls } from './agreement/pending.js';

const PAGE = fileURLToPath(new URL('../docs/agreement.md', import.meta.url));
const BEGIN = '<!-- drawn from the code: npm run docs:agreement -->';
const END = '<!-- end of what is drawn -->';

const SECTIONS = [
  ['States', diagram],
  ['Events', events],
  ['Facts of our own', localFacts],
  ['Pending', pending],
  ['Polls', polls],
  ['Deadlines', deadlines],
] as const;

/** The page with what the code says between its marks. */
export async function drawn(page: string): Promise<string> {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) {
    throw new Error(`expected docs/agreement.md to hold the marks ${BEGIN} and ${END}; met a page without`);
  }
  const parts = SECTIONS.map(([heading, draw]) => `### ${heading}\n\n${draw()}`).join('\n\n');
  const whole = `${before}${BEGIN}\n\n${parts}\n\n${END}${after}`;
  return format(whole, { ...(await resolveConfig(PAGE)), parser: 'markdown' });
}

async function main(): Promise<void> {
  const page = await readFile(PAGE, 'utf8');
  const wanted = await drawn(page);
  if (page === wanted) return console.log('docs/agreement.md is what the code says');
  if (!process.argv.includes('--check')) {
    await writeFile(PAGE, wanted);
    return console.log('docs/agreement.md has been drawn anew');
  }
  console.error('docs/agreement.md is not what the code says; run npm run docs:agreement');
  process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
