import { expect, test, vi } from 'vitest';
import { createWaitLimiter } from '../../../api/http/wait-limiter.js';
import { watched } from '../../../api/http/wait.js';
import { KEYS, anApi, get, sentOf } from '../../support/api/app.js';
import { problemIn } from '../../support/api/builders.js';
import type { StoredAuditEvent } from '../../../records/audit.js';

test('waits beyond the limit of a key are refused before anything changes, and other requests are not', async () => {
  const api = anApi({ waits: { ofKey: 0, ofProcess: 9 } });
  const refused = await get(api, '/v1/payments/pay-1?wait=5');
  expect(refused.headers.get('retry-after')).toBe('2');
  expect(await problemIn(refused)).toMatchObject({ status: 429, code: 'too_many_requests' });
  expect(sentOf(api.door)).toBe(0);
  for (const path of ['/v1/payments/pay-1', '/v1/payments/pay-1?wait=0'])
    expect((await get(api, path)).status).toBe(200);
});

test('the limits are per key and per process, and a wait that ends frees its place', () => {
  const { enter } = createWaitLimiter({ ofKey: 2, ofProcess: 3 });
  const [leave] = [enter('a'), enter('a'), enter('b')];
  expect(() => enter('a')).toThrow('2 requests of this API key');
  expect(() => enter('c')).toThrow('3 requests');
  leave?.();
  expect(() => enter('a')).not.toThrow();
});

test('a shutdown ends a wait with the current view', async () => {
  const stopping = new AbortController();
  const read = vi.fn<() => Promise<string>>(() => Promise.resolve('current'));
  const changed = vi.fn<() => Promise<void>>(() => Promise.resolve(stopping.abort()));
  const view = await watched('first', {
    ...{ read, isOver: () => false, seconds: 30, workflowId: 'payment/pay-1' },
    ...{ gone: new AbortController().signal, stopping: stopping.signal },
    clock: { now: () => 0, pause: () => Promise.resolve() },
    changes: { watch: () => ({ changed, stop: () => undefined }) },
  });
  expect(view).toBe('current');
  expect(changed).toHaveBeenCalledOnce();
  expect(read).toHaveBeenCalledOnce();
});

test('operators’ requests and refusals are audited with their path, and reads are not', async () => {
  const api = anApi();
  await get(api, '/v1/audit', KEYS.read);
  await get(api, '/v1/audit');
  const body = JSON.stringify({ reason: 'looks wrong' });
  const headers = { authorization: `Bearer ${KEYS.stop}`, 'content-type': 'application/json' };
  await api.app.request('/v1/stop', { method: 'POST', headers, body });
  expect(api.audited).toEqual([
    { action: 'listAuditEvents', outcome: 'insufficient_scope', target: '/v1/audit', details: undefined },
    { action: 'stopPayments', outcome: 'done', target: '/v1/stop', details: { all_connections: true } },
  ]);
});

test('the audit log is answered in pages and as JSON lines', async () => {
  const api = anApi();
  const event = (position: number): StoredAuditEvent => ({
    ...{
      id: `event-${position}`,
      place: [1, '700', position],
      at: '2026-10-01T01:00:00.000Z',
      action: 'stopPayments',
      outcome: 'done',
      principal: 'ops',
    },
    details: {},
  });
  api.auditRead.mockResolvedValueOnce([event(9), event(8)]);
  const page = (await (await get(api, '/v1/audit?per_page=1&principal=ops')).json()) as {
    data: unknown[];
    links: { next: string };
  };
  expect(page.data).toMatchObject([{ action: 'stopPayments', principal: 'ops' }]);
  await get(api, page.links.next);
  expect(api.auditRead).toHaveBeenLastCalledWith({ principal: 'ops' }, { before: [1, '700', 9], limit: 2 });
  api.auditRead.mockResolvedValueOnce([event(9)]).mockResolvedValueOnce([event(3)]);
  const headers = { authorization: `Bearer ${KEYS.operate}`, accept: 'application/x-ndjson' };
  const lines = await (await api.app.request('/v1/audit', { headers })).text();
  expect(lines.trim().split('\n')).toHaveLength(3);
  expect(lines).toContain('{"end":true,"lines":2}');
  api.auditRead.mockRejectedValueOnce(new Error('gone'));
  expect(await problemIn(await get(api, '/v1/audit'))).toMatchObject({
    status: 503,
    code: 'records_unavailable',
  });
});
