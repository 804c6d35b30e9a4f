import { expect, test } from 'vitest';
import { KEYS, anApi, post } from '../../../support/api/app.js';

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

test('a resumption of the stops of another principal is sent without an approval, and the workflow refuses it', async () => {
  const api = anApi();
  await post(api, '/v1/stop/resumption', { connection: 'acme', reason: 'corrected', stopped_by: 'key-2' });
  expect(api.door.stop.resume.mock.calls).toEqual([
    [{ ...{ connectionId: 'acme', reason: 'corrected', stoppedBy: 'key-2' }, by: KEYS.all }],
  ]);
});

test('a name in the body is no approval', async () => {
  for (const isDualControl of [true, false]) {
    const api = anApi({ isDualControl });
    const body = { reason: 'corrected', stopped_by: 'key-2', approved_by: KEYS.other };
    expect((await post(api, '/v1/stop/resumption', body)).status).toBe(400);
    expect(api.door.stop.resume).not.toHaveBeenCalled();
  }
});

test('the approval of a resumption names its approver and the time of its request', async () => {
  const api = anApi({ isDualControl: true });
  const body = { reason: 'corrected', stopped_by: 'key-2' };
  await post(api, '/v1/stop/resumption', body);
  const [id = ''] = api.door.approvals.request.mock.lastCall ?? [];
  const [requestedAt, expiresAt] = ['2026-10-01T02:00:00.000Z', '2026-10-02T02:00:00.000Z'];
  const given = { requestedBy: KEYS.all, approvedBy: KEYS.other, requestedAt, expiresAt };
  api.door.approvals.use.mockResolvedValue(given);
  const approval = `${id}-${Date.parse(requestedAt).toString(36)}`;
  await post(api, '/v1/stop/resumption', body, { approval });
  expect(api.door.stop.resume.mock.lastCall?.[0]).toMatchObject({
    ...{ by: KEYS.all, stoppedBy: 'key-2', approval: { by: KEYS.other, requestedAt } },
  });
});
