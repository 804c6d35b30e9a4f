import type { Records } from '../../activities/dependencies.js';

export const NO_RECORDS: Records = {
  write: () => Promise.resolve(),
  rowsOf: () => Promise.resolve([]),
  uidsIn: () => Promise.resolve([]),
  storeEntries: () => Promise.resolve(0),
  entriesFrom: () => Promise.resolve([]),
};
