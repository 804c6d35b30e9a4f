// A file of settings that is read again when it changes, such as a mounted secret. A version that cannot be read changes nothing.
import { readFileSync, statSync } from 'node:fs';

const EVERY_MS = 5000;

export interface WatchedFile<T> {
  /** The content of the last valid version. */
  current: () => T;
  /** Reads the file now, if it changed. */
  check: () => void;
}

interface Watching<T> {
  path: string;
  /** @throws Error that states the expected form, never the content. */
  parse: (text: string) => T;
  /** A new version was read, or could not be: the reason. */
  onChange: (problem?: string) => void;
}

/** @throws Error if the first version is invalid. */
export function watchFile<T>({ path, parse, onChange }: Watching<T>): WatchedFile<T> {
  const versionOf = (): string => {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs}/${size}/${ino}`;
  };
  const read = (): T => parse(readFileSync(path, 'utf8'));
  let version = versionOf();
  let content = read();
  const check = (): void => {
    try {
      const found = versionOf();
      if (found === version) return;
      version = found;
      content = read();
      onChange();
    } catch (error) {
      onChange(error instanceof Error ? error.message : 'expected a readable file');
    }
  };
  setInterval(check, EVERY_MS).unref();
  return { current: () => content, check };
}

/** The lines without comments (`#`) and empty ones. */
export const linesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
