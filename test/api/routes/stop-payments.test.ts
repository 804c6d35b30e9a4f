import { expect, test } from 'vitest';
import { ApiError } from '../../../api/errors.js';
import { anApi, get, post } from '../../support/api/app.js';
import { problemIn } from '../../support/api/builders.js';

const SINCE = '2026-10-01T02:00:00.000Z';

test('POST /v1/stop passes on whose, why, and by which key', async () => {
  const api = anApi();
  const response = await post(api, '/v1/stop', { connection: 'acme', reason: 'looks wrong' });
  expect(response.status).toBe(200);
  const stop = { reason: 'looks wrong', by: 'key-all', since: SINCE };
  const links = {
    payments: '/v1/payments?awaiting=stop&connection=acme',
    refunds: '/v1/refunds?awaiting=stop&connection=acme',
  };
  expect(await response.json()).toEqual({ data: { stops: [{ connection: 'acme', ...stop, links }] } });
});

test('without a connection all are stopped', async () => {
  const api = anApi();
  const response = await post(api, '/v1/stop', { reason: 'looks wrong' });
  const links = { payments: '/v1/payments?awaiting=stop', refunds: '/v1/refunds?awaiting=stop' };
  expect(await response.json()).toMatchObject({ data: { stops: [{ connection: null, links }] } });
});

test('a connection that does not exist is refused', async () => {
  const api = anApi();
  api.door.stop.stop.mockRejectedValue(new ApiError('connection_unknown', 'No.'));
  const problem = await problemIn(await post(api, '/v1/stop', { connection: 'acne', reason: 'looks wrong' }));
  expect(problem).toMatchObject({ status: 422, code: 'connection_unknown' });
});

test('POST /v1/stop/lifting passes on whose and why, and answers what is still stopped', async () => {
  const api = anApi();
  api.door.stop.lift.mockResolvedValue([{ reason: 'looks wrong', by: 'key-1', since: SINCE }]);
  const response = await post(api, '/v1/stop/lifting', { connection: 'acme', reason: 'corrected' });
  expect(await response.json()).toMatchObject({ data: { stops: [{ connection: null, by: 'key-1' }] } });
  const asked = { connectionId: 'acme', reason: 'corrected', by: 'key-all' };
  expect(api.door.stop.lift).toHaveBeenCalledExactlyOnceWith(asked);
});

test('GET /v1/stop answers what is stopped, and how many wait', async () => {
  const data = { stops: [], waiting: { payments: 2, refunds: 1 } };
  expect(await (await get(anApi(), '/v1/stop')).json()).toEqual({ data });
});

test.each(['/v1/stop', '/v1/stop/lifting'])('%s is refused without a reason', async (path) => {
  const api = anApi();
  expect((await post(api, path, {})).status).toBe(400);
  expect(api.door.stop.stop).not.toHaveBeenCalled();
  expect(api.door.stop.lift).not.toHaveBeenCalled();
});
