import { setTimeout as delay } from 'node:timers/promises';
import { stored } from './nothing-recorded.js';
import type { Records, WebhookSettings } from '../../activities/dependencies.js';

export const NO_RECORDS: Records = {
  write: stored,
  remembered: () => Promise.resolve(undefined),
  bindKey: ({ key: _, ...bound }) => Promise.resolve(bound),
  flagRow: () => Promise.resolve(false),
  rowsOf: () => Promise.resolve([]),
  uidsIn: () => Promise.resolve([]),
  clientUid: () => Promise.resolve(undefined),
  counterpartiesWith: () => Promise.resolve([]),
  storeEntries: () => Promise.resolve(0),
  markRead: () => Promise.resolve(),
  farReadAt: () => Promise.resolve(undefined),
  lastInstantBefore: () => Promise.resolve(undefined),
  countEntries: () => Promise.resolve(0),
  entriesFrom: () => Promise.resolve([]),
  matchEntries: () => Promise.resolve(0),
  creditsWithoutCase: () => Promise.resolve([]),
  floatEntry: () => Promise.resolve(undefined),
  entryOfCase: () => Promise.resolve(undefined),
  claimEntry: (_accountUid, _id, caseUid) => Promise.resolve(caseUid),
  similarEntries: () => Promise.resolve([]),
  firstActivity: () => Promise.resolve(undefined),
  storedDays: () => Promise.resolve([]),
  storeReport: () => Promise.resolve('same'),
  readEndpoint: () => Promise.resolve(undefined),
  takeCursors: () => Promise.resolve(new Map()),
  releaseCursors: () => Promise.resolve(),
  nextEvents: (_endpoint, { place }) => Promise.resolve({ events: [], next: place, isNewest: true }),
  waitingEvents: (_endpoint, { place }) => Promise.resolve({ events: [], next: place, isNewest: true }),
  oneEvent: () => Promise.resolve(undefined),
  storeProgress: () => Promise.resolve(),
  storeManual: () => Promise.resolve('delivery-1'),
};

/** Nothing is notified. */
export const NO_WEBHOOKS: WebhookSettings = {
  allowsPrivate: true,
  watchAll: () => ({
    changed: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
    stop: () => undefined,
  }),
  stopping: new AbortController().signal,
};
