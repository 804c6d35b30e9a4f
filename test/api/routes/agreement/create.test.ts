import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ApiError } from '../../../../api/http/problems/errors.js';
import { KEYS, anApi, get, post } from '../../../support/api/app.js';
import { aClientOrder } from '../../../support/workflows/provider.js';
import {
  aClientView,
  aMandate,
  anAgreement,
  anAgreementView,
  problemIn,
} from '../../../support/api/builders.js';

const refusing = anApi();

const Links = z.object({ links: z.object({ next: z.string() }) });

describe('POST /v1/agreements', () => {
  test('answers 202 with the agreement, its links and its awaiting field', async () => {
    const api = anApi({ uiUrl: 'http://ui.test:8233' });
    const response = await post(api, '/v1/agreements', { ...anAgreement(), connection: 'acme' });
    expect(response.status).toBe(202);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toMatchObject({
      data: {
        ...anAgreement(),
        connection: 'acme',
        state: 'pending',
        awaiting: { what: 'provider-acceptance', until: null },
        pending_action: null,
        links: {
          self: '/v1/agreements/agr-1',
          timeline: '/v1/agreements/agr-1/timeline',
          payments: '/v1/agreements/agr-1/payments',
          temporal_ui: 'http://ui.test:8233/namespaces/default/workflows/agreement%2Fagr-1',
        },
      },
    });
    expect(api.door.agreements.start).toHaveBeenCalledExactlyOnceWith({
      uid: 'agr-1',
      connection: 'acme',
      mandate: aMandate(),
      caller: { principal: 'key-all', connections: undefined },
    });
    expect(api.door.agreements.view).not.toHaveBeenCalled();
  });

  test.each(['\u007f', 'ü', 'x'.repeat(256), '', 'two, joined by HTTP'])(
    'refuses the invalid Idempotency-Key %j with 400',
    async (key) => {
      const problem = await problemIn(
        await post(refusing, '/v1/agreements', anAgreement(), { 'idempotency-key': key }),
      );
      expect(problem).toMatchObject({
        status: 400,
        code: 'invalid_request',
        errors: [{ header: 'Idempotency-Key' }],
      });
      expect(refusing.door.agreements.start).not.toHaveBeenCalled();
    },
  );

  test('passes on the uid and digests of the Idempotency-Key and body, separate for each principal', async () => {
    const api = anApi();
    const useOf = async (key: string, body: object = anAgreement(), secret: string = KEYS.all) => {
      const headers = { 'idempotency-key': key, authorization: `Bearer ${secret}` };
      await post(api, '/v1/agreements', body, headers);
      return api.door.agreements.start.mock.lastCall?.[0].use;
    };
    const first = await useOf('order 77 ~!');
    expect(JSON.stringify(first)).not.toContain('order');
    expect(first).toMatchObject({ uid: 'agr-1' });
    const turned = Object.fromEntries(Object.entries(anAgreement()).reverse());
    expect(await useOf('order 77 ~!', turned)).toEqual(first);
    const other = await useOf('order 77 ~!', { ...anAgreement(), uid: 'agr-2' });
    expect(other).toMatchObject({ key: first?.key, uid: 'agr-2' });
    expect(other?.body).not.toBe(first?.body);
    expect((await useOf('order 78'))?.key).not.toBe(first?.key);
    expect((await useOf('order 77 ~!', anAgreement(), KEYS.write))?.key).not.toBe(first?.key);
  });

  test.each([
    ['temporal_unavailable', 503],
    ['worker_unavailable', 503],
  ] as const)('answers %s as %i with Retry-After', async (code, status) => {
    const api = anApi();
    api.door.agreements.start.mockRejectedValue(new ApiError(code, 'Later.'));
    const response = await post(api, '/v1/agreements', anAgreement());
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await problemIn(response)).toMatchObject({ status, code });
  });

  test('answers 500 without internal details and logs it with the request id', async () => {
    const api = anApi();
    api.door.agreements.start.mockRejectedValue(new Error('secret: A Payer 200001-12340001'));
    const response = await post(api, '/v1/agreements', anAgreement());
    const problem = await problemIn(response);
    expect(problem).toMatchObject({ status: 500, code: 'internal' });
    const all = api.lines.join('') + JSON.stringify(problem);
    expect(all).not.toMatch(/secret|12340001|A Payer/);
    expect(api.lines.join('')).toMatch(new RegExp(`"request_id":"${problem.request_id}".*"thrown_at":`));
  });
});

describe('waiting with ?wait=', () => {
  test('delays the response until the payer has answered', async () => {
    const api = anApi();
    const { view } = api.door.agreements;
    view
      .mockResolvedValueOnce(anAgreementView())
      .mockResolvedValueOnce(anAgreementView({ state: 'created' }));
    view.mockResolvedValue(anAgreementView({ state: 'active' }));
    const before = api.time.now;
    const response = await post(api, '/v1/agreements?wait=30', anAgreement());
    expect(response.status).toBe(202);
    expect(await response.json()).toMatchObject({ data: { state: 'active' } });
    expect(view).toHaveBeenCalledTimes(3);
    expect(api.time.now - before).toBe(3 * 500);
  });

  test('returns the current state at the time limit, after polling with growing intervals', async () => {
    const api = anApi();
    const before = api.time.now;
    expect(await (await get(api, '/v1/agreements/agr-1?wait=5')).json()).toMatchObject({
      data: { state: 'pending' },
    });
    expect(api.time.now - before).toBe(5000);
    expect(api.door.agreements.view.mock.calls.length).toBeLessThan(16);
  });

  test('reads an ended agreement only once', async () => {
    const api = anApi();
    api.door.agreements.view.mockResolvedValue(anAgreementView({ state: 'declined' }));
    await get(api, '/v1/agreements/agr-1?wait=30');
    expect(api.door.agreements.view).toHaveBeenCalledOnce();
  });

  test('still answers 202 if an outage starts after the agreement was accepted', async () => {
    const api = anApi();
    api.door.agreements.view.mockRejectedValue(new ApiError('worker_unavailable', 'Later.'));
    expect((await post(api, '/v1/agreements?wait=2', anAgreement())).status).toBe(202);
  });

  test('stops polling when the caller disconnects', async () => {
    const api = anApi();
    const gone = new AbortController();
    api.door.agreements.view.mockImplementation(() => {
      gone.abort();
      return Promise.resolve(anAgreementView());
    });
    const headers = { authorization: 'Bearer key-all' };
    await api.app.request('/v1/agreements/agr-1?wait=30', { headers, signal: gone.signal });
    expect(api.door.agreements.view).toHaveBeenCalledOnce();
  });
});

const AT = '2026-10-01T01:00:00.000Z';

describe('GET /v1/agreements', () => {
  test('applies filters, keeps them in the link to the next page, and refuses forged cursors', async () => {
    const api = anApi();
    const { list } = api.door.agreements;
    list.mockResolvedValueOnce({
      items: [anAgreementView({ state: 'active', paymentCount: 2 })],
      next: { value: AT, uid: 'agr-1' },
    });
    const filters = { state: 'active', attention: 'overdue', connection: 'acme' };
    const path = `/v1/agreements?${new URLSearchParams(filters).toString()}&per_page=1`;
    const answer: unknown = await (await get(api, path)).json();
    const asked = {
      filter: expect.objectContaining({
        states: ['active'],
        attention: 'overdue',
        connection: 'acme',
      }) as object,
      sort: { by: 'created', isDescending: true },
      limit: 1,
    };
    expect(list).toHaveBeenLastCalledWith({ ...asked, after: undefined });
    expect(answer).toMatchObject({
      data: [{ uid: 'agr-1', state: 'active', payments: { count: 2 } }],
    });
    const { next } = Links.parse(answer).links;
    expect(next).toMatch(/^\/v1\/agreements\?.*attention=overdue.*&sort=-created&per_page=1&cursor=/);
    expect(next).not.toContain(Buffer.from(AT).toString('base64url'));
    expect(await (await get(api, next)).json()).toMatchObject({ data: [], links: {} });
    expect(list).toHaveBeenLastCalledWith({ ...asked, after: { value: AT, uid: 'agr-1' } });
    expect(await problemIn(await get(api, next.replace('sort=-created', 'sort=created')))).toMatchObject({
      parameters: ['cursor'],
    });
    expect(await problemIn(await get(api, `${next.slice(0, -3)}AAA`))).toMatchObject({
      status: 400,
      parameters: ['cursor'],
    });
    expect(list).toHaveBeenCalledTimes(2);
  });
});

describe('agreement with an initiator or debtor that the provider would refuse', () => {
  const byClient = { ...anAgreement(), initiator: { client_id: 'cl-1' } };
  const suspended = aClientView({ state: 'suspended' });

  test('is refused for a suspended client, except as a repeat of an accepted request', async () => {
    const api = anApi();
    api.door.initiators.client.mockResolvedValue(suspended);
    expect((await post(api, '/v1/agreements', byClient)).status).toBe(202);
    api.door.agreements.start.mockClear();
    const named = anAgreementView({ requestedMandate: undefined, mandate: undefined });
    for (const found of [undefined, named]) {
      api.door.agreements.view.mockResolvedValue(found);
      expect(await problemIn(await post(api, '/v1/agreements', byClient))).toMatchObject({
        status: 422,
        code: 'client_not_active',
        errors: [{ pointer: '/initiator/client_id' }],
      });
    }
    expect(api.door.agreements.start).not.toHaveBeenCalled();
  });

  test.each([
    ['of high risk without a payment account', byClient, '/debtor/payment_account_uid'],
    [
      'with a name not registered on the client',
      { ...anAgreement(), initiator: { client_id: 'cl-1', name: 'Another' } },
      '/initiator/name',
    ],
    ['for a client of another connection', { ...byClient, connection: 'other' }, '/initiator/client_id'],
  ])('is refused (%s)', async (title, body, pointer) => {
    const api = anApi();
    const order = aClientOrder(title.startsWith('of high') ? { merchant_category_code: '7995' } : {});
    api.door.initiators.client.mockResolvedValue(aClientView({ order }));
    api.door.agreements.view.mockResolvedValue(undefined);
    const problem = await problemIn(await post(api, '/v1/agreements', body));
    expect(problem).toMatchObject({ status: 422, code: 'provider_would_refuse', pointers: [pointer] });
  });

  test('is refused for a high-risk primary client without a payment account', async () => {
    const api = anApi({ primaryCategory: '7995' });
    api.door.agreements.view.mockResolvedValue(undefined);
    const problem = await problemIn(await post(api, '/v1/agreements', anAgreement()));
    expect(problem.pointers).toEqual(['/debtor/payment_account_uid']);
  });
});
