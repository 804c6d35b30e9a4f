// A file of entries that is read again when it changes, such as a mounted secret. An entry that left the file is never used again.
import { readFileSync, statSync } from 'node:fs';

const EVERY_MS = 5000;

export interface WatchedFile<T> {
  /** What the file states now. */
  current: () => T;
  /** Reads the file now, if it changed. */
  check: () => void;
}

interface Watching<T> {
  path: string;
  /** @throws Error that states the expected form, never the content. */
  parse: (text: string) => T;
  /** A new version was read, or it has this fault. */
  onChange: (problem?: string) => void;
}

/** Errors about the process or the machine. They do not show that anybody removed an entry. */
const BUSY: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EINTR', 'EIO']);

/**
 * If a later version has a fault, only the earlier entries stay valid that it still contains, each as an unchanged line. If the file is
 * missing or cannot be read, none does. @throws Error if the first version is invalid.
 */
export function watchFile<T>({ path, parse, onChange }: Watching<T>): WatchedFile<T> {
  const versionOf = (): string => {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs}/${size}/${ino}`;
  };
  let version = versionOf();
  let text = readFileSync(path, 'utf8');
  let content = parse(text);
  const keepOnly = (lines: readonly string[]): void => {
    text = linesIn(text)
      .filter((line) => lines.includes(line))
      .join('\n');
    content = parse(text);
  };
  const take = (found: string): void => {
    try {
      content = parse(found);
      text = found;
      onChange();
    } catch (error) {
      keepOnly(linesIn(found));
      onChange(messageOf(error));
    }
  };
  const miss = (error: unknown): void => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (version === code) return;
    version = code;
    if (!BUSY.has(code)) keepOnly([]);
    onChange(messageOf(error));
  };
  const check = (): void => {
    let read: string;
    try {
      const found = versionOf();
      if (found === version) return;
      read = readFileSync(path, 'utf8');
      version = found;
    } catch (error) {
      miss(error);
      return;
    }
    take(read);
  };
  setInterval(check, EVERY_MS).unref();
  return { current: () => content, check };
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'expected a readable file';

/** The lines without comments (`#`) and empty ones. */
export const linesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
