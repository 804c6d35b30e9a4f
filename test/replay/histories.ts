// Where recorded histories are: a folder for each release, and one for what is not released; a file for each story, with each
// of its runs.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const HISTORIES = fileURLToPath(new URL('./histories/', import.meta.url));

/** Recorded anew whenever workflow code changes; a release takes it over under its version, and that one replays for ever. */
export const UNRELEASED = 'unreleased';
export const folderOf = (version: string): string => `${HISTORIES}${version}/`;
export const fileOf = (version: string, story: string): string => `${folderOf(version)}${story}.json`;
export const versions = (): string[] => readdirSync(HISTORIES);
export const storiesOf = (version: string): string[] =>
  readdirSync(folderOf(version)).map((file) => file.replace(/\.json$/, ''));
