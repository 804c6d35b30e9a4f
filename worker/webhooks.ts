// What the delivery of webhooks needs of the worker: events as the API answers them, and a signal when rows change.
import { eventAnswer, thinEvent } from '../api/routes/event/answer.schema.js';
import { NEEDED_SCOPES } from '../domain/needed-scopes.js';
import { listen } from '../records/listen.js';
import { NO_PROGRESS } from '../records/progress.js';
import { createWebhookRows } from '../records/webhook-delivery.js';
import { traceOf, type Logger } from '../telemetry/logger.js';
import type { WebhookSettings } from '../activities/dependencies.js';
import type { WebhookRows } from '../domain/records/webhooks.js';
import type { Opened } from '../records/database.js';
import type { RenderEvent } from '../records/webhook-events.js';
import type { WorkerConfig } from './config.js';

const neededScopes = [...NEEDED_SCOPES.keys()].join(' ');

/** A key that can no longer read resources receives none. */
const seesResources = (scopes: readonly string[]): boolean =>
  scopes.includes('read') || scopes.includes('operate');

/** The event as the API answers it, without links to Temporal's UI. */
const renderEvent =
  (namespace: string, onUnreadable: (error: unknown) => void): RenderEvent =>
  async (event, { scopes, form }) => {
    const answer = await eventAnswer(event, {
      scopes,
      neededScopes,
      temporalUi: { url: undefined, namespace },
      onUnreadable: (_, error) => onUnreadable(error),
    });
    return JSON.stringify(form === 'full' && seesResources(scopes) ? answer : thinEvent(answer));
  };

/** @param onUnreadable an event could not be opened or rendered, and is tried again; or the view before it, and `previous` is null. */
export const webhookRows = (
  opened: Opened,
  namespace: string,
  onUnreadable: (error: unknown) => void,
): WebhookRows =>
  createWebhookRows({ ...opened, render: renderEvent(namespace, onUnreadable), onUnreadable });

export interface OpenedWebhooks {
  rows: WebhookRows;
  settings: WebhookSettings;
  close: () => Promise<void>;
}

/** Listens for changed rows on a connection of its own. */
export function openWebhooks(config: WorkerConfig, db: Opened['db'], log: Logger): OpenedWebhooks {
  const stopping = new AbortController();
  // Besides the runtime, which stops the workers.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort());
  const { ENCRYPTION_KEYS: keyring, WEBHOOK_PRIVATE_ADDRESSES: addresses } = config;
  const listener = listen({
    ...{ db, progress: NO_PROGRESS, settings: config.RECORDS_LISTEN_URL ?? config.RECORDS_URL },
    onAway: (error) => log.warn('records database does not tell of changes', traceOf(error)),
  });
  return {
    rows: webhookRows({ db, keyring }, config.temporal.namespace, (error) =>
      log.error('event could not be read for webhooks', traceOf(error)),
    ),
    settings: {
      allowsPrivate: addresses === 'allow',
      watchAll: listener.watchAll,
      stopping: stopping.signal,
    },
    close: listener.close,
  };
}
