// Where recorded histories are: one file for each story, holding each of its runs.
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
export const HISTORIES = fileURLToPath(new URL('./histories/', import.meta.url));
export const fileOf = (story: string): string => `${HISTORIES}${story}.json`;
