// A page of docs/ with a generated part between two marks. The rest of the page is written by hand.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

export interface DrawnPage {
  path: string;
  /** The script that draws it; its name is part of the first mark. */
  script: string;
  sections: readonly (readonly [heading: string, draw: () => string])[];
}

const END = '<!-- end of the drawn part -->';

/** The text of a page with the generated part between its marks. */
export async function drawn(text: string, { path, script, sections }: DrawnPage): Promise<string> {
  const begin = `<!-- drawn from the code: npm run ${script} -->`;
  const [before, rest] = text.split(begin);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) {
    throw new Error(`expected ${path} to contain the marks ${begin} and ${END}; add the missing one`);
  }
  const parts = sections.map(([heading, draw]) => `### ${heading}\n\n${draw()}`).join('\n\n');
  const whole = `${before}${begin}\n\n${parts}\n\n${END}${after}`;
  return format(whole, { ...(await resolveConfig(fileOf(path))), parser: 'markdown' });
}

/** Updates the page. With `--check` it writes nothing, and exits with 1 if the page is out of date. */
export async function redraw(page: DrawnPage): Promise<void> {
  const text = await readFile(fileOf(page.path), 'utf8');
  const wanted = await drawn(text, page);
  if (text === wanted) return console.log(`${page.path} is up to date`);
  if (!process.argv.includes('--check')) {
    await writeFile(fileOf(page.path), wanted);
    return console.log(`${page.path} was updated`);
  }
  console.error(`${page.path} is out of date; run npm run ${page.script}`);
  process.exitCode = 1;
}

const fileOf = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

export interface Table {
  headings: readonly string[];
  rows: readonly (readonly string[])[];
}

export const table = ({ headings, rows }: Table): string =>
  [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

export const code = (text: string): string => `\`${text}\``;
export const codes = (texts: readonly string[]): string => texts.map(code).join(', ');
