import { describe, expect, test } from 'vitest';
import { KEYS, anApi, post, type Api } from '../../support/api/app.js';
import { ApiError } from '../../../api/http/problems/errors.js';
import { aConnectionView, aPaymentView, problemIn } from '../../support/api/builders.js';

const REASON = { reason: 'The merchant has left.' };
const GIVEN = {
  ...{ requestedBy: KEYS.other, approvedBy: KEYS.all },
  ...{ requestedAt: '2026-10-01T02:00:00.000Z', expiresAt: '2026-10-02T02:00:00.000Z' },
};
const MADE = `-${Date.parse(GIVEN.requestedAt).toString(36)}`;
const ID = 'a'.repeat(32) + MADE;
const PARKED = '/v1/payments/pay-1/attention/parked/resolution';
const ANOTHER_CONSENT = aConnectionView({
  unconfirmed: { since: '2026-10-01T03:00:00.000Z', progress: 'to_confirm', account: undefined, detail: 'd' },
});
const DANGEROUS: [string, object, (api: Api) => unknown[]][] = [
  ['/v1/connections/acme/revocation', REASON, ({ door }) => door.connections.revoke.mock.calls],
  [
    '/v1/connections/acme/reauthorisation',
    { accept_other_account: true, ...REASON },
    ({ door }) => door.connections.reauthorise.mock.calls,
  ],
  [PARKED, { decision: 'adopt', ...REASON }, ({ door }) => door.payments.resolveAttention.mock.calls],
  [
    '/v1/refunds/ref-1/attention/parked/resolution',
    { decision: 'close', ...REASON },
    ({ door }) => door.refunds.resolveAttention.mock.calls,
  ],
  [
    '/v1/connections/acme/confirmation',
    { account: 'unknown', ...REASON },
    ({ door }) => door.connections.confirm.mock.calls,
  ],
  ['/v1/stop/resumption', { stopped_by: 'ops', ...REASON }, ({ door }) => door.stop.resume.mock.calls],
];
const send = async (api: Api, path: string, body: object, key: string, approval?: string) =>
  post(api, path, body, {
    authorization: `Bearer ${key}`,
    'idempotency-key': 'k',
    ...(approval !== undefined && { approval }),
  });

describe.each(DANGEROUS)('%s', (path, body, sentOn) => {
  test('only stores the first request and the approval, and runs once the first principal uses it', async () => {
    const api = anApi({ isDualControl: true });
    const { request, approve, use } = api.door.approvals;
    const problem = await problemIn(await send(api, path, body, KEYS.other));
    const [id = '', requested] = request.mock.lastCall ?? [];
    expect(problem).toMatchObject({ status: 403, code: 'approval_required' });
    expect(JSON.stringify(problem)).toContain(`Approval: ${id}${MADE}`);
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(requested).toMatchObject({ target: path, requestedBy: KEYS.other });
    await send(api, path, body, KEYS.other);
    expect(request.mock.lastCall?.[0]).toBe(id);

    approve.mockResolvedValue(GIVEN);
    const approved = await problemIn(await send(api, path, body, KEYS.all, id + MADE));
    expect(approved).toMatchObject({ status: 403, code: 'approval_given' });
    const { requestedBy: _, ...sent } = requested ?? {};
    const same = { ...sent, requestedAt: GIVEN.requestedAt };
    expect(approve.mock.calls).toEqual([[id, { ...same, by: KEYS.all }]]);
    expect([use.mock.calls, sentOn(api)]).toEqual([[], []]);

    use.mockResolvedValue(GIVEN);
    expect((await send(api, path, body, KEYS.other, id + MADE)).status).toBe(200);
    expect(use.mock.calls).toEqual([[id, { ...same, by: KEYS.other }]]);
    expect(JSON.stringify(sentOn(api))).toMatch(
      /"by":"key-other, approved by key-all"|"by":"key-other".*"approval":\{"by":"key-all"/,
    );
  });

  test('is refused with an approval that does not exist', async () => {
    for (const id of [ID, 'x', '', 'a'.repeat(32), `${ID}0000`]) {
      const api = anApi({ isDualControl: true });
      const refused = await problemIn(await send(api, path, body, KEYS.all, id + MADE));
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

test('an approval of a confirmation covers the consent that waited then, and no later one', async () => {
  const api = anApi({ isDualControl: true });
  const [path, body] = ['/v1/connections/acme/confirmation', { account: 'unknown', ...REASON }];
  await send(api, path, body, KEYS.other);
  const [id = '', requested] = api.door.approvals.request.mock.lastCall ?? [];
  api.door.connections.view.mockResolvedValue(ANOTHER_CONSENT);
  await send(api, path, body, KEYS.other, id + MADE);
  expect(api.door.approvals.use).not.toHaveBeenCalled();
  const [[presentedId, presented] = []] = api.door.approvals.approve.mock.calls;
  expect(presentedId).toBe(id);
  expect(presented?.digest).not.toBe(requested?.digest);
  expect(api.door.connections.confirm).not.toHaveBeenCalled();
});

test('an approval of a parked payment covers the flag that was raised then', async () => {
  const api = anApi({ isDualControl: true });
  const digestAt = async (since: string) => {
    const parked = { code: 'parked' as const, since, detail: 'd', next: 'n' };
    api.door.payments.view.mockResolvedValue(aPaymentView({ attention: [parked] }));
    await send(api, PARKED, { decision: 'adopt', ...REASON }, KEYS.other);
    return api.door.approvals.request.mock.lastCall?.[1].digest;
  };
  const first = await digestAt('2026-10-01T02:00:00.000Z');
  expect(await digestAt('2026-10-01T02:00:00.000Z')).toBe(first);
  expect(await digestAt('2026-10-01T03:00:00.000Z')).not.toBe(first);
});

test('an operator replaces the expected account of a connection only with an approval', async () => {
  const api = anApi({ isDualControl: true });
  const { begin, view } = api.door.connections;
  view.mockResolvedValue(aConnectionView({ status: 'awaiting_consent' }));
  const body = { id: 'acme', expected_account: { nickname: 'Other', abn: '53004085616' } };
  begin.mockRejectedValueOnce(new ApiError('other_account', 'Only an operator.'));
  const problem = await problemIn(await send(api, '/v1/connections', body, KEYS.other));
  expect(problem).toMatchObject({ code: 'approval_required' });
  expect(begin.mock.calls.map(([, request]) => request?.isOperator)).toEqual([false]);
  const [id = ''] = api.door.approvals.request.mock.lastCall ?? [];
  api.door.approvals.use.mockResolvedValue(GIVEN);
  begin.mockRejectedValueOnce(new ApiError('other_account', 'Only an operator.'));
  expect((await send(api, '/v1/connections', body, KEYS.other, id + MADE)).status).toBe(200);
  expect(begin.mock.lastCall?.[1]).toMatchObject({ isOperator: true });
});

test('what is not dangerous needs one principal', async () => {
  const api = anApi({ isDualControl: true });
  const sent = [
    await send(api, '/v1/connections/acme/reauthorisation', {}, KEYS.all),
    await send(api, '/v1/payments/pay-1/attention/conflict/resolution', REASON, KEYS.all),
    await send(api, '/v1/stop/resumption', REASON, KEYS.all),
    await send(api, '/v1/stop/resumption', { ...REASON, stopped_by: KEYS.all }, KEYS.all),
    await send(api, '/v1/stop', REASON, KEYS.all),
  ];
  expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
});
