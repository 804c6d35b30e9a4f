// A page of docs/ of which the part between two marks is drawn from the code. What stands outside the marks is written by hand.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

export interface DrawnPage {
  /** Its path in the repository. */
  path: string;
  /** The script that draws it anew; its name is part of the first mark. */
  script: string;
  /** In the order of the page. */
  sections: readonly (readonly [heading: string, draw: () => string])[];
}

const END = '<!-- end of what is drawn -->';

/** The text of a page with what the code says between its marks. */
export async function drawn(text: string, { path, script, sections }: DrawnPage): Promise<string> {
  const begin = `<!-- drawn from the code: npm run ${script} -->`;
  const [before, rest] = text.split(begin);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) {
    throw new Error(`expected ${path} to hold the marks ${begin} and ${END}; met a page without`);
  }
  const parts = sections.map(([heading, draw]) => `### ${heading}\n\n${draw()}`).join('\n\n');
  const whole = `${before}${begin}\n\n${parts}\n\n${END}${after}`;
  return format(whole, { ...(await resolveConfig(fileOf(path))), parser: 'markdown' });
}

/** Writes the page anew; with `--check` it writes nothing, and ends with 1 where the page is not what the code says. */
export async function redraw(page: DrawnPage): Promise<void> {
  const text = await readFile(fileOf(page.path), 'utf8');
  const wanted = await drawn(text, page);
  if (text === wanted) return console.log(`${page.path} is what the code says`);
  if (!process.argv.includes('--check')) {
    await writeFile(fileOf(page.path), wanted);
    return console.log(`${page.path} has been drawn anew`);
  }
  console.error(`${page.path} is not what the code says; run npm run ${page.script}`);
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
