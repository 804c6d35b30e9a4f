import { stored } from './nothing-recorded.js';
import type { Records } from '../../activities/dependencies.js';

export const NO_RECORDS: Records = {
  write: stored,
  remembered: () => Promise.resolve(undefined),
  bindKey: ({ key: _, ...bound }) => Promise.resolve(bound),
  flagRow: () => Promise.resolve(false),
  rowsOf: () => Promise.resolve([]),
  uidsIn: () => Promise.resolve([]),
  clientUid: () => Promise.resolve(undefined),
  counterpartiesWith: () => Promise.resolve([]),
  storeEntries: () => Promise.resolve(),
  countEntries: () => Promise.resolve(0),
  entriesFrom: () => Promise.resolve([]),
  matchEntries: () => Promise.resolve(0),
  creditsWithoutCase: () => Promise.resolve([]),
  floatEntry: () => Promise.resolve(undefined),
  firstActivity: () => Promise.resolve(undefined),
  storedDays: () => Promise.resolve([]),
  storeReport: () => Promise.resolve('same'),
};
