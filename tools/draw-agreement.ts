// Draws docs/agreement.md's diagram and tables from the domain's own tables: `npm run docs:agreement`.
// With `--check` it writes nothing, and ends with 1 where the page is not what the code says.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { ACTIONS } from '../domain/action.js';
import { AGREEMENT_EVENTS, agreementEvent } from '../domain/agreement-events.js';
import { AGREEMENT_LIFE, isFinal } from '../domain/agreement.js';
import { isState } from '../domain/fold.js';

const PAGE = fileURLToPath(new URL('../docs/agreement.md', import.meta.url));
const BEGIN = '<!-- drawn from the code: npm run docs:agreement -->';
const END = '<!-- end of what is drawn -->';

const STATES = Object.keys(AGREEMENT_LIFE.moves).filter((state) => isState(AGREEMENT_LIFE, state));
const EVENTS = Object.keys(AGREEMENT_EVENTS).map((type) => ({ type, ...agreementEvent(type) }));

function diagram(): string {
  const moves = EVENTS.flatMap(({ type, moves: to }) =>
    (to?.from ?? []).map((from) => `  ${from} --> ${to?.to}: ${type}`),
  );
  const ends = STATES.filter(isFinal).map((state) => `  ${state} --> [*]`);
  const silent = '  pending --> created: no event; only a look shows it';
  return ['```mermaid', 'stateDiagram-v2', '  [*] --> pending', silent, ...moves, ...ends, '```'].join('\n');
}

const table = (headings: readonly string[], rows: readonly (readonly string[])[]): string =>
  [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const events = (): string =>
  table(
    ['event', 'says that', 'who can be behind it', 'moves', 'answers'],
    EVENTS.map(({ type, says, by, moves, tells, answers }) => [
      `\`${type}\``,
      says ?? '',
      (by ?? []).join(', '),
      moves === undefined
        ? tells
          ? 'nothing; a look shows the change'
          : 'nothing'
        : `${moves.from.join(', ')} → ${moves.to}`,
      (answers ?? []).map(({ action, outcome }) => `${action}: ${outcome}`).join(', '),
    ]),
  );

const answersOf = (kind: string, wanted: 'done' | 'failed'): string =>
  EVENTS.filter(({ answers }) =>
    answers?.some(({ action, outcome }) => action === kind && outcome === wanted),
  )
    .map(({ type }) => `\`${type}\``)
    .join(', ');

const actions = (): string =>
  table(
    ['command', 'asked for while', 'leads to', 'done by', 'ended without success by'],
    Object.entries(ACTIONS).map(([kind, { from, to }]) => [
      kind,
      from.join(', '),
      to ?? 'the same state',
      answersOf(kind, 'done'),
      answersOf(kind, 'failed'),
    ]),
  );

/** The page with what the code says between its marks. */
export async function drawn(page: string): Promise<string> {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) {
    throw new Error(`expected docs/agreement.md to hold the marks ${BEGIN} and ${END}; met a page without`);
  }
  const parts = ['### States', diagram(), '### Events', events(), '### Commands', actions()].join('\n\n');
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
