// Keeps the store in one file between runs: read at start, saved shortly after changes and on shutdown.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StoreDocument, toDocument, type Store } from './document.js';

const SAVE_AFTER_MS = 200;
/** A big store takes its time to be written out: saving takes no more than this part of it. */
const SHARE_OF_TIME = 0.1;

/** The saved store, or undefined where none was saved yet. */
export async function loadDocument(path: string): Promise<StoreDocument | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const parsed = StoreDocument.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new Error(
    `SANDBOX_DATA_FILE must be a store this sandbox saved, but ${path} is not; remove it to begin anew`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Saves soon after changes, in one go for many. `close` saves what is left. */
export function keepSaved(store: Store, path: string): { close(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  let lastTookMs = 0;

  async function write(): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    const began = performance.now();
    const text = JSON.stringify(toDocument(store));
    lastTookMs = performance.now() - began;
    // Renamed into place: a crash while writing leaves the file of before.
    await writeFile(`${path}.new`, text, { mode: 0o600 });
    await rename(`${path}.new`, path);
  }
  function save(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write, write);
    return writing;
  }
  store.onTouch(() => {
    timer ??= setTimeout(
      () => {
        save().catch((error: unknown) => {
          console.error('sandbox could not save its data file:', error);
        });
      },
      Math.max(SAVE_AFTER_MS, lastTookMs / SHARE_OF_TIME),
    );
  });
  return { close: save };
}
