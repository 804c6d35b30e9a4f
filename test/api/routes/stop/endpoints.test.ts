import { expect, test } from 'vitest';
import { KEYS, anApi, post } from '../../../support/api/app.js';
import { problemIn } from '../../../support/api/builders.js';

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

test('a resumption can be limited to the stops of one principal, and names its approver', async () => {
  const api = anApi();
  const body = { connection: 'acme', reason: 'corrected', stopped_by: 'key-2', approved_by: KEYS.other };
  await post(api, '/v1/stop/resumption', body);
  expect(api.door.stop.resume).toHaveBeenCalledWith(
    expect.objectContaining({ connectionId: 'acme', stoppedBy: 'key-2', approvedBy: KEYS.other }),
  );
});

test.each([KEYS.all, KEYS.read, 'nobody'])('%s cannot approve a resumption of key-all', async (approver) => {
  const api = anApi();
  const answer = await post(api, '/v1/stop/resumption', { reason: 'corrected', approved_by: approver });
  expect(await problemIn(answer)).toMatchObject({
    ...{ code: 'approver_not_allowed', errors: [{ pointer: '/approved_by' }] },
  });
  expect(api.door.stop.resume).not.toHaveBeenCalled();
});
