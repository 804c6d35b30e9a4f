import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const HISTORIES = fileURLToPath(new URL('./histories/', import.meta.url));

export const UNRELEASED = 'unreleased';
export const folderOf = (version: string): string => `${HISTORIES}${version}/`;
export const fileOf = (version: string, script: string): string => `${folderOf(version)}${script}.json`;
export const versions = (): string[] => readdirSync(HISTORIES);
export const namesOf = (version: string): string[] =>
  readdirSync(folderOf(version)).map((file) => file.replace(/\.json$/, ''));

const Runs = z.array(z.object({ workflowId: z.string(), history: z.unknown() })).min(1);
export type Run = z.infer<typeof Runs>[number];
export const runsOf = (version: string, script: string): Run[] =>
  Runs.parse(JSON.parse(readFileSync(fileOf(version, script), 'utf8')));

export const ofToday = (names: readonly string[]): string | undefined =>
  names.includes(UNRELEASED) ? UNRELEASED : newestOf(names);

export function newestOf(names: readonly string[]): string | undefined {
  const odd = names.find((name) => !/^v?\d+\.\d+\.\d+$/.test(name));
  if (odd !== undefined) throw new Error(`expected a release name like v1.2.0; got ${odd}`);
  const { compare } = new Intl.Collator('en', { numeric: true });
  return names.toSorted(compare).at(-1);
}
