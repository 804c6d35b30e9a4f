import { describe, expect, test } from 'vitest';
import { KEYS, anApi, post } from '../../support/api/app.js';
import { problemIn } from '../../support/api/builders.js';
import type { Api } from '../../support/api/app.js';

const REASON = { reason: 'The merchant has left.' };
const PENDING = { requestedBy: 'ops', expiresAt: '2026-10-02T02:00:00.000Z' };
const ID = 'a'.repeat(32);
const DANGEROUS: [string, object, (api: Api) => unknown[]][] = [
  ['/v1/connections/acme/revocation', REASON, ({ door }) => door.connections.revoke.mock.calls],
  [
    '/v1/connections/acme/reauthorisation',
    { accept_other_account: true, ...REASON },
    ({ door }) => door.connections.renew.mock.calls,
  ],
  [
    '/v1/payments/pay-1/attention/parked/resolution',
    { decision: 'adopt', ...REASON },
    ({ door }) => door.payments.resolveAttention.mock.calls,
  ],
  [
    '/v1/refunds/ref-1/attention/parked/resolution',
    { decision: 'close', ...REASON },
    ({ door }) => door.refunds.resolveAttention.mock.calls,
  ],
  ['/v1/stop/resumption', { approved_by: KEYS.all, ...REASON }, ({ door }) => door.stop.resume.mock.calls],
];
const send = async (api: Api, path: string, body: object, key: string, approval?: string) =>
  post(api, path, body, {
    authorization: `Bearer ${key}`,
    'idempotency-key': 'k',
    ...(approval !== undefined && { approval }),
  });

describe.each(DANGEROUS)('%s', (path, body, sentOn) => {
  test('only stores the first request, and runs once another principal repeats it', async () => {
    const api = anApi({ isDualControl: true });
    const problem = await problemIn(await send(api, path, body, KEYS.other));
    expect(problem).toMatchObject({ status: 403, code: 'approval_required' });
    expect(sentOn(api)).toEqual([]);
    const [id = '', requested] = api.door.approvals.request.mock.lastCall ?? [];
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(requested).toMatchObject({ target: path, requestedBy: KEYS.other });
    await send(api, path, body, KEYS.other);
    expect(api.door.approvals.request.mock.lastCall?.[0]).toBe(id);

    api.door.approvals.approve.mockResolvedValue(PENDING);
    expect((await send(api, path, body, KEYS.all, id)).status).toBe(200);
    const { requestedBy: _, ...same } = requested ?? {};
    expect(api.door.approvals.approve.mock.calls).toEqual([[id, { ...same, by: KEYS.all }]]);
    expect(JSON.stringify(sentOn(api))).toMatch(/"by":"ops(, approved by key-all)?"/);
  });

  test('is refused with an approval that does not exist', async () => {
    for (const id of [ID, 'x', '']) {
      const api = anApi({ isDualControl: true });
      const refused = await problemIn(await send(api, path, body, KEYS.all, id));
      expect(refused).toMatchObject({ code: 'approval_unknown' });
      expect(sentOn(api)).toEqual([]);
    }
  });

  test('needs one principal by default', async () => {
    const api = anApi();
    expect((await send(api, path, body, KEYS.other)).status).toBe(200);
    expect(sentOn(api)).toHaveLength(1);
    expect(api.door.approvals.request).not.toHaveBeenCalled();
  });
});

test('what is not dangerous needs one principal', async () => {
  const api = anApi({ isDualControl: true });
  const sent = [
    await send(api, '/v1/connections/acme/reauthorisation', {}, KEYS.all),
    await send(api, '/v1/payments/pay-1/attention/conflict/resolution', REASON, KEYS.all),
    await send(api, '/v1/stop/resumption', REASON, KEYS.all),
    await send(api, '/v1/stop', REASON, KEYS.all),
  ];
  expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});
