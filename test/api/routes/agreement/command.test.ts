import { describe, expect, test } from 'vitest';
import { KEYS, anApi, post, sentOf } from '../../../support/api/app.js';
import { aClientOrder } from '../../../support/workflows/provider.js';
import { aClientView, anAgreementView, problemIn } from '../../../support/api/builders.js';

const refusing = anApi();

const WHY = { reason: 'customer_requested', narrative: 'As asked by phone' };
const CHANGES = { changes: { payment_terms: { max_amount: 40_000 }, validity_end_date: null } };
const KEYED = { 'idempotency-key': 'key-1' };

const DIGEST: unknown = expect.stringMatching(/^[0-9a-f]{32}$/);
const requestsOf = ({ door }: ReturnType<typeof anApi>) =>
  door.agreements.act.mock.calls.map(([, request]) => request);

const COMMANDS = [
  ['suspension', 'suspension', WHY],
  ['cancellation', 'cancellation', WHY],
  ['reactivation', 'reactivation', {}],
  ['amendment', 'amendment', CHANGES],
  ['amendment/recall', 'amendment_recall', {}],
  ['identification', 'identification', { initiator: { client_id: 'client-1' } }],
] as const;

describe.each(COMMANDS)('POST /v1/agreements/{uid}/%s', (path, kind, body) => {
  const url = `/v1/agreements/agr-1/${path}`;

  test('sends the command with its key and returns the agreement with its pending action', async () => {
    const api = anApi();
    const requestedAt = '2026-10-01T02:00:00.000Z';
    const pending = [{ kind, key: 'digest', callersKey: 'key-1', requestedAt, isAccepted: false }];
    api.door.agreements.view.mockResolvedValue(anAgreementView({ state: 'active', pending }));
    const answer = await post(api, url, body, KEYED);
    expect(answer.status).toBe(202);
    expect(await answer.json()).toMatchObject({
      data: { pending_action: { kind, key: 'key-1', accepted: false } },
    });
    const [request] = requestsOf(api);
    expect(request).toEqual({ key: DIGEST, callersKey: 'key-1', by: 'key-all', command: { kind, body } });
  });

  test('refuses an unknown field with 400 and sends nothing', async () => {
    const answer = await post(refusing, url, { ...body, colour: 'red' }, KEYED);
    expect(await problemIn(answer)).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(sentOf(refusing.door)).toBe(0);
  });
});

describe('agreement command without parameters', () => {
  const silent = (api: ReturnType<typeof anApi>, path: string, headers: Record<string, string> = {}) =>
    api.app.request(`/v1/agreements/agr-1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEYS.all}`, ...KEYED, ...headers },
    });

  test.each([
    ['reactivation', 'reactivation'],
    ['amendment/recall', 'amendment_recall'],
  ])('accepts a request without a body: %s', async (path, kind) => {
    const api = anApi();
    for (const headers of [{}, { 'content-type': 'application/json' }]) {
      expect((await silent(api, path, headers)).status).toBe(202);
    }
    const [first, second] = requestsOf(api);
    expect(first).toMatchObject({ command: { kind, body: {} } });
    expect(second).toEqual(first);
  });

  test('accepts a request without a body: look-up', async () => {
    const api = anApi();
    expect((await silent(api, 'look-up')).status).toBe(202);
    expect(api.door.agreements.lookUp).toHaveBeenCalledTimes(1);
  });
});

describe('body of an agreement command', () => {
  test.each([
    ['suspension', { ...WHY, reason: 'mandate_expired' }, '/reason'],
    ['suspension', { ...WHY, narrative: '' }, '/narrative'],
    ['cancellation', { ...WHY, narrative: 'ü'.repeat(257) }, '/narrative'],
    ['amendment', { changes: {} }, '/changes'],
    ['amendment', { changes: { validity_start_date: '2027-01-01' } }, '/changes/validity_start_date'],
    ['amendment', { changes: { initiator: { name: 'Other' } } }, '/changes/initiator'],
    ['amendment', { changes: { payment_terms: { max_amount: 0 } } }, '/changes/payment_terms/max_amount'],
  ])('of %s is refused with 400 if invalid: %j', async (path, body, pointer) => {
    const problem = await problemIn(await post(refusing, `/v1/agreements/agr-1/${path}`, body, KEYED));
    expect(problem.status).toBe(400);
    expect(problem.pointers).toContain(pointer);
    expect(sentOf(refusing.door)).toBe(0);
  });

  test('has the reason initiating_party_requested by default', async () => {
    const api = anApi();
    await post(api, '/v1/agreements/agr-1/suspension', { narrative: 'A pause' }, KEYED);
    expect(api.door.agreements.act.mock.calls[0]?.[1].command.body).toEqual({
      reason: 'initiating_party_requested',
      narrative: 'A pause',
    });
  });
});

describe('identification of one agreement', () => {
  const DEBTORS = { type: 'bban', value: '200001-12340001' };
  const account = { ...DEBTORS, connectionId: 'acme', isRegistered: true, isVerified: true };
  const byClient = { initiator: { client_id: 'cl-1' } };
  const byAccount = { debtor: { payment_account_uid: 'acc-1' } };
  const mandate = {
    debtor: { account_identifier: DEBTORS },
    initiator: { legal_name: 'Corner Gym Pty Ltd' },
  };
  const identified = async (api: ReturnType<typeof anApi>, body: object) =>
    post(api, '/v1/agreements/agr-1/identification', body, KEYED);

  test.each([
    [
      'rule 2: a client with another legal name',
      { order: aClientOrder({ legal_name: 'Other' }) },
      {},
      byClient,
    ],
    ['a client of another connection', { connectionId: 'other' }, {}, byClient],
    ['rule 3: an account that does not belong to the debtor', {}, { value: '200001-1' }, byAccount],
    ['rule 3: an unregistered account', {}, { isRegistered: false }, byAccount],
    ['an account of another connection', {}, { connectionId: 'other' }, byAccount],
  ])('is refused for %s', async (_, ofClient, ofAccount, body) => {
    const api = anApi();
    api.door.agreements.view.mockResolvedValue(anAgreementView({ state: 'active', mandate }));
    api.door.initiators.client.mockResolvedValue(aClientView(ofClient));
    api.door.initiators.account.mockResolvedValue({ ...account, ...ofAccount });
    expect(await problemIn(await identified(api, body))).toMatchObject({
      status: 422,
      code: 'provider_would_refuse',
      pointers: [body === byClient ? '/initiator/client_id' : '/debtor/payment_account_uid'],
    });
    expect(api.door.agreements.act).not.toHaveBeenCalled();
  });

  test('refuses a client without the PayTo service (ZCLT05), and accepts one below a suspended client', async () => {
    const api = anApi();
    api.door.agreements.view.mockResolvedValue(anAgreementView({ state: 'active', mandate }));
    const beneath = aClientView({ order: aClientOrder({ parent_client_id: 'cl-2' }) });
    const read = api.door.initiators.client;
    read.mockImplementation((id) =>
      Promise.resolve(id === 'cl-1' ? beneath : aClientView({ state: 'suspended' })),
    );
    expect((await identified(api, byClient)).status).toBe(202);
    read.mockResolvedValue(aClientView({ state: 'not_configured' }));
    expect(await problemIn(await identified(api, byClient))).toMatchObject({
      status: 422,
      code: 'client_not_active',
    });
  });
});

describe('resolution of an attention flag', () => {
  const url = '/v1/agreements/agr-1/attention/conflict/resolution';

  test('passes the reason and the principal to the workflow', async () => {
    const api = anApi();
    const headers = { authorization: `Bearer ${KEYS.operate}`, ...KEYED };
    expect((await post(api, url, { reason: 'mended there' }, headers)).status).toBe(200);
    expect(api.door.agreements.resolveAttention.mock.calls).toEqual([
      ['agr-1', { key: DIGEST, code: 'conflict', reason: 'mended there', by: KEYS.operate }],
    ]);
  });

  test.each([
    ['/v1/agreements/agr-1/attention/boredom/resolution', { reason: 'x' }],
    [url, {}],
    [url, { reason: '' }],
  ])('refuses an invalid request with 400: %s %j', async (path, body) => {
    const problem = await problemIn(await post(refusing, path, body, KEYED));
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(sentOf(refusing.door)).toBe(0);
  });
});
