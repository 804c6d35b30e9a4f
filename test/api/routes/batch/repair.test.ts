import { describe, expect, test } from 'vitest';
import { anApi, post, sentOf } from '../../../support/api/app.js';
import { aBatchView, problemIn } from '../../../support/api/builders.js';

const refusing = anApi();

const retry = (filter: object, over: object = {}) => ({ id: 'r-1', reason: 'bank outage', filter, ...over });
const PARKED = { id: 'r-2', reason: 'case 5', filter: { flag: 'parked' }, decision: 'close' };

test('the filter of retries chooses payments by code and day in Sydney, and is stored with the batch', async () => {
  const api = anApi();
  const filter = { failure_code: 'AM04', failed_on: '2026-11-12' };
  expect((await post(api, '/v1/retries?dry_run=true', retry(filter, { connection: 'acme' }))).status).toBe(
    202,
  );
  expect(api.door.batches.find.retries.mock.lastCall?.[0]).toEqual({
    ...{ code: 'AM04', agreement: undefined, connection: 'acme' },
    entered: { from: '2026-11-11T13:00:00.000Z', until: '2026-11-12T13:00:00.000Z' },
  });
  expect(api.door.batches.start.mock.lastCall?.[0]).toMatchObject({
    ...{ id: 'r-1', kind: 'retries', isDryRun: true, connection: 'acme' },
    repair: { reason: 'bank outage', filter },
  });
});

test.each([
  ['no filter', '/v1/retries', retry({}), '/filter'],
  [
    'a day and a period',
    '/v1/retries',
    retry({ failed_on: '2026-11-12', failed_from: '2026-11-12T00:00:00Z' }),
    '/filter/failed_on',
  ],
  ['no reason', '/v1/retries', { ...retry({ failure_code: 'AM04' }), reason: undefined }, '/reason'],
  ['parked without a decision', '/v1/resolutions', { ...PARKED, decision: undefined }, '/decision'],
  ['a decision for another flag', '/v1/resolutions', { ...PARKED, filter: { flag: 'overdue' } }, '/decision'],
])('a repair with %s is refused', async (_, path, body, pointer) => {
  expect(await problemIn(await post(refusing, path, body))).toMatchObject({
    ...{ code: 'invalid_request', errors: [{ pointer }] },
  });
  expect(sentOf(refusing.door)).toBe(0);
});

test('a repeat finds no rows again', async () => {
  const api = anApi();
  const repair = { reason: 'bank outage', filter: { failure_code: 'AM04' }, found: 'd' };
  const view = aBatchView({ id: 'r-1', kind: 'retries', repair, amounts: { done: 300 } });
  api.door.batches.repaired.mockResolvedValue(view);
  const answer: unknown = await (await post(api, '/v1/retries', retry({ failure_code: 'AM04' }))).json();
  expect(answer).toMatchObject({ data: { id: 'r-1', repair: { amounts: { done: 300, waiting: 0 } } } });
  expect(api.door.batches.find.retries).not.toHaveBeenCalled();
  expect(api.door.batches.start).not.toHaveBeenCalled();
});

describe('with dual control', () => {
  const control = { isDualControl: true };
  test.each([
    ['parked payments', PARKED, 403],
    ['parked resources of all kinds', { ...PARKED, filter: { flag: 'parked', resource: 'refund' } }, 403],
    ['parked clients', { ...PARKED, filter: { flag: 'parked', resource: 'client' } }, 202],
    ['other flags', { ...PARKED, filter: { flag: 'overdue' }, decision: undefined }, 202],
  ])('%s are answered with %i', async (_, body, status) => {
    const api = anApi(control);
    const response = await post(api, '/v1/resolutions', body);
    expect(response.status).toBe(status);
    expect(api.door.batches.start.mock.calls).toHaveLength(status === 202 ? 1 : 0);
  });

  test('a dry run needs no approval', async () => {
    expect((await post(anApi(control), '/v1/resolutions?dry_run=true', PARKED)).status).toBe(202);
  });
});
