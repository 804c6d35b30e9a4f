import { expect, test } from 'vitest';
import { anApi, post } from '../../../support/api/app.js';

test('a stop without a connection applies to all connections', async () => {
  const api = anApi();
  const response = await post(api, '/v1/stop', { reason: 'looks wrong' });
  const links = { payments: '/v1/payments?awaiting=stop', refunds: '/v1/refunds?awaiting=stop' };
  expect(await response.json()).toMatchObject({ data: { stops: [{ connection: null, links }] } });
});

test.each(['/v1/stop', '/v1/stop/resumption'])('POST %s is refused without a reason', async (path) => {
  const api = anApi();
  expect((await post(api, path, {})).status).toBe(400);
  expect(api.door.stop.stop).not.toHaveBeenCalled();
  expect(api.door.stop.resume).not.toHaveBeenCalled();
});

test('a resumption can be limited to the stops of one principal', async () => {
  const api = anApi();
  await post(api, '/v1/stop/resumption', { connection: 'acme', reason: 'corrected', stopped_by: 'key-2' });
  expect(api.door.stop.resume).toHaveBeenCalledWith(
    expect.objectContaining({ connectionId: 'acme', reason: 'corrected', stoppedBy: 'key-2' }),
  );
});
