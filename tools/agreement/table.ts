// A table of a markdown page.

export interface Table {
  headings: readonly string[];
  rows: readonly (readonly string[])[];
}

export const table = ({ headings, rows }: Table): string =>
  [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

export const code = (word: string): string => `\`${word}\``;
export const codes = (words: readonly string[]): string => words.map(code).join(', ');
