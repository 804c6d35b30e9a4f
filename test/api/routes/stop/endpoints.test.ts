import { expect, test } from 'vitest';
import { anApi, post } from '../../../support/api/app.js';

test('without a connection all are stopped', async () => {
  const api = anApi();
  const response = await post(api, '/v1/stop', { reason: 'looks wrong' });
  const links = { payments: '/v1/payments?awaiting=stop', refunds: '/v1/refunds?awaiting=stop' };
  expect(await response.json()).toMatchObject({ data: { stops: [{ connection: null, links }] } });
});

test.each(['/v1/stop', '/v1/stop/lifting'])('%s is refused without a reason', async (path) => {
  const api = anApi();
  expect((await post(api, path, {})).status).toBe(400);
  expect(api.door.stop.stop).not.toHaveBeenCalled();
  expect(api.door.stop.resume).not.toHaveBeenCalled();
});
