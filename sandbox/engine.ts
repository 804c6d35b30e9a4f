// The parts every route and every life is made with, put together once.
import { createClock, type Clock } from './time/clock.js';
import { createFaults, type Faults } from './faults/faults.js';
import { createLedger, type Ledger } from './ledger.js';
import { createOpenCalls, type OpenCalls } from './http/open-calls.js';
import { createScheduler, type Scheduler } from './time/scheduler.js';
import type { Settings } from './settings.js';
import { createStore, type Store, type StoreDocument } from './store.js';
import { createWebhookQueue, type WebhookQueue } from './webhooks/webhook-queue.js';

export interface Engine {
  settings: Settings;
  store: Store;
  clock: Clock;
  ledger: Ledger;
  faults: Faults;
  scheduler: Scheduler;
  openCalls: OpenCalls;
  webhooks: WebhookQueue;
}

export function createEngine(settings: Settings, document?: StoreDocument): Engine {
  const store = createStore(document);
  const clock = createClock(store);
  const ledger = createLedger(store, clock);
  const faults = createFaults(store);
  const scheduler = createScheduler(store, clock);
  const openCalls = createOpenCalls();
  const parts = { settings, store, clock, ledger, faults, scheduler, openCalls };
  return { ...parts, webhooks: createWebhookQueue(parts) };
}
