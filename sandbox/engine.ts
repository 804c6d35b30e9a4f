// The parts every route and every life is made with, put together once.
import { createClock, type Clock } from './time/clock.js';
import type { CallName } from './faults/fault.schema.js';
import { createFaults, type Faults } from './faults/faults.js';
import { createLedger, type Ledger } from './ledger.js';
import { createOpenCalls, type OpenCalls } from './http/open-calls.js';
import { createPast, type Past } from './past.js';
import { createRecentPairs, type RecentPairs } from './oauth/recent-pairs.js';
import { createScheduler, type Scheduler } from './time/scheduler.js';
import { settingsOver, type Settings, type StartSettings } from './settings.js';
import { createStore, type Store, type StoreDocument } from './store.js';
import { createWebhookQueue, type WebhookQueue } from './webhooks/webhook-queue.js';

export interface Engine {
  settings: Settings;
  store: Store;
  clock: Clock;
  past: Past;
  ledger: Ledger;
  faults: Faults;
  scheduler: Scheduler;
  openCalls: OpenCalls;
  recentPairs: RecentPairs;
  /** The operations that change nothing, as they were registered. */
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
  return { ...parts, recentPairs: createRecentPairs(), reads: new Set(), webhooks };
}
