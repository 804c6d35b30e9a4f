import {
  ServiceError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  type Client,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { expect, test, vi } from 'vitest';
import { createRecorded } from '../../../api/gateway/records.js';
import { createCalls } from '../../../api/gateway/temporal/calls.js';
import { createWebhookEndpointsGateway } from '../../../api/gateway/webhook-endpoints.js';
import { RECORDS_AWAY } from '../../support/records-away.js';
import { refusal } from '../../support/api/gateway.js';
import { aDelivery, anEndpoint, webhookDoors } from '../../support/api/mocked-gateway.js';
import type { WebhookEndpoints } from '../../../records/webhook-endpoints.js';

const AWAY = Object.assign(new Error('unavailable'), { code: 14, details: '', metadata: {} });

function aRoom() {
  const { sendNow: _, confirmKeys: __, ...rows } = webhookDoors().webhookEndpoints;
  const confirmKeys = vi.fn<WebhookEndpoints['confirmKeys']>();
  const workflow = {
    signalWithStart: vi.fn<(...of: unknown[]) => Promise<void>>(() => Promise.resolve()),
    signal: vi.fn<(...of: unknown[]) => Promise<void>>(() => Promise.resolve()),
    executeUpdateWithStart: vi.fn(() => Promise.resolve({ deliveryId: 'd-9' })),
    options: {},
  };
  const client = {
    withDeadline: <T>(_: number, call: () => Promise<T>) => call(),
    workflow: { ...workflow, getHandle: () => ({ signal: workflow.signal }) },
  } as unknown as Client;
  const recorded = createRecorded({ ...RECORDS_AWAY, webhookEndpoints: { ...rows, confirmKeys } });
  const gateway = createWebhookEndpointsGateway(createCalls({ client, taskQueue: 'payto', recorded }));
  return { gateway, rows, confirmKeys, workflow };
}

test('a change is kept although Temporal is away, since the row counts', async () => {
  const { gateway, workflow } = aRoom();
  workflow.signalWithStart.mockRejectedValue(new ServiceError('away', { cause: AWAY }));
  const change = { settings: {}, by: 'shop' };
  expect(await gateway.change('we-1', change)).toMatchObject({ id: 'we-1' });
});

test('a disabled endpoint is only signalled, and one without a workflow needs no signal', async () => {
  const { gateway, rows, workflow } = aRoom();
  rows.change.mockResolvedValue(anEndpoint({ status: 'disabled' }));
  workflow.signal.mockRejectedValue(
    new WorkflowNotFoundError('not found', 'webhook-endpoint/we-1', undefined),
  );
  await gateway.change('we-1', { settings: {}, status: 'disabled', by: 'shop' });
  expect(await gateway.remove('we-1', 'shop')).toBe(true);
  expect(workflow.signal).toHaveBeenCalledTimes(2);
  expect(workflow.signalWithStart).not.toHaveBeenCalled();
});

test('confirmed keys start the workflows that no worker has taken, at first those of all', async () => {
  const { gateway, confirmKeys, workflow } = aRoom();
  confirmKeys.mockResolvedValue([
    { id: 'we-1', isDelivered: true },
    { id: 'we-2', isDelivered: false },
  ]);
  await gateway.confirmKeys([], 'undelivered');
  await gateway.confirmKeys([], 'all');
  const started = workflow.signalWithStart.mock.calls.map(([, options]) => options);
  expect(started).toMatchObject(
    ['we-2', 'we-1', 'we-2'].map((id) => ({ workflowId: `webhook-endpoint/${id}`, taskQueue: 'payto' })),
  );
});

test('an event is sent once for its key, and the refusals of the worker become problems', async () => {
  const { gateway, rows, workflow } = aRoom();
  rows.delivery.mockImplementation((_, id) => Promise.resolve(aDelivery({ id })));
  const sending = { event: { eventId: 'evt_1' }, requestKey: 'k-1' };
  expect(await gateway.sendNow('we-1', sending)).toMatchObject({ id: 'd-9' });
  expect(workflow.executeUpdateWithStart.mock.lastCall).toMatchObject([
    { name: 'sendWebhookNow' },
    { args: [sending.event], updateId: 'k-1' },
  ]);
  for (const [type, code] of [
    ['event_unknown', 'gone'],
    ['endpoint_unknown', 'not_found'],
    ['not_sent', 'records_unavailable'],
  ] as const) {
    const failure = new WorkflowUpdateFailedError('failed', ApplicationFailure.nonRetryable('', type));
    workflow.executeUpdateWithStart.mockRejectedValueOnce(failure);
    expect(await refusal(gateway.sendNow('we-1', sending))).toMatchObject({ code });
  }
});
