// Saves the store in one file: loaded at the start, saved shortly after changes and at shutdown.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StoreDocument, toDocument, type Store } from './document.js';

const SAVE_AFTER_MS = 200;
/** A large store takes long to write. Saving uses at most this share of the time. */
const SHARE_OF_TIME = 0.1;

/** The saved store, or undefined if there is none yet. */
export async function loadDocument(path: string): Promise<StoreDocument | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const parsed = StoreDocument.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new Error(
    `SANDBOX_DATA_FILE must be a store saved by this version of the sandbox, but ${path} is not; delete the file to start with an empty store`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Saves soon after changes and combines frequent changes. `close` saves unsaved changes. */
export function keepSaved(store: Store, path: string): { close(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  let lastTookMs = 0;

  async function write(): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    const began = performance.now();
    const text = JSON.stringify(toDocument(store));
    lastTookMs = performance.now() - began;
    // The rename is atomic: a crash during the write leaves the previous file.
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
          console.error('sandbox data file save failed:', error);
        });
      },
      Math.max(SAVE_AFTER_MS, lastTookMs / SHARE_OF_TIME),
    );
  });
  return { close: save };
}
