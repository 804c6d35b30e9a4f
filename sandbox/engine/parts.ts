// Creates the parts that all routes and lifecycles share.
import type { CallName } from '../faults/rule.schema.js';
import { createFaults } from '../faults/selection.js';
import { createOpenCalls } from '../http/open-calls.js';
import { createStore, type StoreDocument } from '../store/document.js';
import { createClock } from '../time/clock.js';
import { createLedger, createPast } from '../time/ledger.js';
import { createScheduler } from '../time/scheduler.js';
import { createWebhookQueue } from '../webhooks/queue.js';
import { settingsOver, type StartSettings } from './settings.js';

export type Engine = ReturnType<typeof createEngine>;

export function createEngine(start: StartSettings, document?: StoreDocument) {
  const store = createStore(document);
  const settings = settingsOver(start, store);
  const clock = createClock(store);
  const past = createPast(store, clock);
  const ledger = createLedger(store, clock, past);
  const faults = createFaults(store);
  if (start.seed !== null && start.seed !== faults.seed()) faults.reseed(start.seed);
  const scheduler = createScheduler(store, clock);
  const openCalls = createOpenCalls();
  /** The operations that change nothing. */
  const reads = new Set<CallName>();
  const parts = { settings, store, clock, past, ledger, faults, scheduler, openCalls };
  const webhooks = createWebhookQueue(parts);
  return { ...parts, reads, webhooks };
}
