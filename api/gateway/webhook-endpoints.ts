// Endpoints for webhooks: their rows in the records, and the workflow of each that delivers.
import { ApplicationFailure } from '@temporalio/common';
import {
  sendWebhookNow,
  webhookEndpointChanged,
  webhookEndpointWorkflowId,
  type WebhookEndpointInput,
} from '../../workflows/webhook-endpoint/contract.js';
import { ApiError, notFound } from '../http/problems/errors.js';
import type { StoredDelivery } from '../../records/webhook-endpoint-deliveries.js';
import type { ConfirmedKey } from '../../records/webhook-endpoint-keys.js';
import type { StoredEndpoint } from '../../records/webhook-endpoint-rows.js';
import type { WebhookEndpoints } from '../../records/webhook-endpoints.js';
import { type Calls, noneIfNotFound } from './temporal/calls.js';
import { updateWithStart } from './temporal/updates.js';

const WORKFLOW = 'webhook-endpoint';
/** An attempt may take 10 s, and its worker some time to begin. */
const SENDING_MS = 15_000;

/** Each call of the records throws the ApiError `records_unavailable`. */
export type WebhookEndpointsGateway = Omit<WebhookEndpoints, 'confirmKeys'> & {
  /** Sends one event now. @returns the attempt. @throws ApiError also `worker_unavailable`, `gone`, `not_found` */
  sendNow: (id: string, sending: Sending) => Promise<StoredDelivery>;
  /** Confirms keys, and starts the workflows of their endpoints. @param which `undelivered`: of those that no worker has taken. */
  confirmKeys: (keys: readonly ConfirmedKey[], which: 'all' | 'undelivered') => Promise<void>;
};

export interface Sending {
  event: { test: true } | { eventId: string };
  /** Repeats with the same one send once. */
  requestKey: string | undefined;
}

export function createWebhookEndpointsGateway(calls: Calls): WebhookEndpointsGateway {
  const { ask } = calls.recorded;
  const rows = rowsOf(ask);
  return {
    ...rows,
    create: async (requested) => {
      const created = await rows.create(requested);
      if ('endpoint' in created) await signalChange(calls, created.endpoint);
      return created;
    },
    change: async (id, change) => {
      const endpoint = await rows.change(id, change);
      if (endpoint !== undefined) await signalChange(calls, endpoint);
      return endpoint;
    },
    remove: async (id, by) => {
      const isRemoved = await rows.remove(id, by);
      if (isRemoved) await unlessAway(signal(calls, id));
      return isRemoved;
    },
    rotateSecret: async (id, rotation) => {
      const rotated = await rows.rotateSecret(id, rotation);
      if (rotated.is === 'rotated') await unlessAway(signal(calls, id));
      return rotated;
    },
    startReplay: async (id, replay) => {
      const started = await rows.startReplay(id, replay);
      if (started.is === 'started') await unlessAway(signal(calls, id));
      return started;
    },
    sendNow: async (id, sending) => {
      const { deliveryId } = await send(calls, id, sending);
      const delivery = await rows.delivery(id, deliveryId);
      if (delivery === undefined) throw notFound('a webhook endpoint');
      return delivery;
    },
    confirmKeys: async (keys, which) => {
      const endpoints = await ask(({ webhookEndpoints }) => webhookEndpoints.confirmKeys(keys));
      for (const { id, isDelivered } of endpoints)
        if (which === 'all' || !isDelivered) await startWithSignal(calls, id);
    },
  };
}

const rowsOf = (ask: Calls['recorded']['ask']): Omit<WebhookEndpoints, 'confirmKeys'> => ({
  create: (requested) => ask((reader) => reader.webhookEndpoints.create(requested)),
  list: () => ask((reader) => reader.webhookEndpoints.list()),
  read: (id) => ask((reader) => reader.webhookEndpoints.read(id)),
  change: (id, change) => ask((reader) => reader.webhookEndpoints.change(id, change)),
  remove: (id, by) => ask((reader) => reader.webhookEndpoints.remove(id, by)),
  resolveFlag: (id, resolution) => ask((reader) => reader.webhookEndpoints.resolveFlag(id, resolution)),
  rotateSecret: (id, rotation) => ask((reader) => reader.webhookEndpoints.rotateSecret(id, rotation)),
  startReplay: (id, replay) => ask((reader) => reader.webhookEndpoints.startReplay(id, replay)),
  deliveries: (id, request) => ask((reader) => reader.webhookEndpoints.deliveries(id, request)),
  delivery: (id, delivery) => ask((reader) => reader.webhookEndpoints.delivery(id, delivery)),
});

const signalChange = (calls: Calls, { id, status }: StoredEndpoint): Promise<void> =>
  unlessAway(status === 'enabled' ? startWithSignal(calls, id) : signal(calls, id));

const startWithSignal = ({ client, taskQueue, short }: Calls, endpointId: string): Promise<void> =>
  short(async () => {
    const input: WebhookEndpointInput = { endpointId };
    await client.workflow.signalWithStart(WORKFLOW, {
      ...{ workflowId: webhookEndpointWorkflowId(endpointId), taskQueue, args: [input] },
      ...{ signal: webhookEndpointChanged, signalArgs: [] },
    });
  });

const signal = ({ client, short }: Calls, endpointId: string): Promise<void> =>
  short(() =>
    client.workflow.getHandle(webhookEndpointWorkflowId(endpointId)).signal(webhookEndpointChanged),
  ).catch(noneIfNotFound);

/** The change is stored. If Temporal is away, a worker reads it later, or the next confirmation of keys starts the workflow. */
const unlessAway = (signalled: Promise<void>): Promise<void> =>
  signalled.catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
  });

const send = (calls: Calls, endpointId: string, { event, requestKey }: Sending) => {
  const input: WebhookEndpointInput = { endpointId };
  const start = { workflow: WORKFLOW, workflowId: webhookEndpointWorkflowId(endpointId), args: [input] };
  const within = { withinMs: SENDING_MS, updateId: requestKey };
  return updateWithStart(calls, start, sendWebhookNow, [event], within).catch((error: unknown) => {
    throw refusalOf(error) ?? error;
  });
};

const REFUSALS: Readonly<Record<string, (() => ApiError) | undefined>> = {
  endpoint_unknown: () => notFound('a webhook endpoint'),
  event_unknown: () =>
    new ApiError('gone', 'The event is no longer stored, or the endpoint may no longer receive it.'),
  not_sent: () =>
    new ApiError(
      'records_unavailable',
      'The records database did not answer the worker, so the event may not have been sent. Repeat the request later with another key.',
    ),
};

/** The activity's failure may be the cause of others. */
function refusalOf(error: unknown): ApiError | undefined {
  for (let met = error; met instanceof Error; met = met.cause) {
    if (met instanceof ApplicationFailure) return REFUSALS[met.type ?? '']?.();
  }
  return undefined;
}
