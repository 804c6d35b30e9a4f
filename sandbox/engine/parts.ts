// Creates the parts that all routes and lifecycles share.
import type { CallName } from '../faults/rule.schema.js';
import { createFaults, type Faults } from '../faults/selection.js';
import { createOpenCalls, type OpenCalls } from '../http/open-calls.js';
import { createStore, type Store, type StoreDocument } from '../store/document.js';
import { createClock, type Clock } from '../time/clock.js';
import { createLedger, type Ledger, createPast, type Past } from '../time/ledger.js';
import { createScheduler, type Scheduler } from '../time/scheduler.js';
import { createWebhookQueue, type WebhookQueue } from '../webhooks/queue.js';
import { settingsOver, type Settings, type StartSettings } from './settings.js';

export interface Engine {
  settings: Settings;
  store: Store;
  clock: Clock;
  past: Past;
  ledger: Ledger;
  faults: Faults;
  scheduler: Scheduler;
  openCalls: OpenCalls;
  /** The operations that change nothing. */
  reads: Set<CallName>;
  webhooks: WebhookQueue;
}

export function createEngine(start: StartSettings, document?: StoreDocument): Engine {
  const store = createStore(document);
  const settings = settingsOver(start, store);
  const clock = createClock(store);
  const past = createPast(store, clock);
  const ledger = createLedger(store, clock, past);
  const faults = createFaults(store);
  if (start.seed !== null && start.seed !== faults.seed()) faults.reseed(start.seed);
  const scheduler = createScheduler(store, clock);
  const openCalls = createOpenCalls();
  const parts = { settings, store, clock, past, ledger, faults, scheduler, openCalls };
  const webhooks = createWebhookQueue(parts);
  return { ...parts, reads: new Set(), webhooks };
}
