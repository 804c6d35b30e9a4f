import { describe, expect, expectTypeOf, test } from 'vitest';
import { ApiError } from '../../api/http/problems/errors.js';
import {
  ApiProblem,
  answerOf,
  changedAfterIn,
  createClient,
  type Agreement,
  type CreateAgreement,
} from '../../client/create.js';
import { KEYS, anApi } from '../support/api/app.js';
import { aPayment, anAgreement } from '../support/api/builders.js';

function aClient(apiKey: string = KEYS.all) {
  const api = anApi();
  const fetch = async (request: Request) => api.app.request(request);
  return { api, client: createClient({ url: 'http://api.test', apiKey, fetch }) };
}

/** A client whose requests are recorded and answered by `answer`. */
function aRecordingClient(answer: () => Response) {
  const urls: string[] = [];
  const fetch = async ({ url }: Request) => {
    urls.push(url);
    return Promise.resolve(answer());
  };
  return { urls, client: createClient({ url: 'http://api.test/', apiKey: 'k', fetch }) };
}

const agreement: CreateAgreement = {
  ...anAgreement(),
  purpose: 'utility',
  debtor: { account_identifier: { type: 'bban', value: '200001-12340001' } },
  creditor: { party_name: 'B Biller' },
  payment_terms: { type: 'variable', frequency: 'monthly', max_amount: 25_000 },
};

describe('typed client call', () => {
  test('creates an agreement and returns a typed response', async () => {
    const { api, client } = aClient();
    const { data } = await answerOf(
      client.POST('/v1/agreements', { body: agreement, params: { query: { wait: 0 } } }),
    );
    expectTypeOf(data.state).toEqualTypeOf<Agreement['state']>();
    expect(data).toMatchObject({ uid: 'agr-1', state: 'pending' });
    expect(api.door.agreements.start).toHaveBeenCalledOnce();
  });

  test('sends path, query and header parameters', async () => {
    const { api, client } = aClient();
    const params = { path: { uid: 'agr-1' }, header: { 'Idempotency-Key': 'key-1' } };
    await answerOf(client.POST('/v1/agreements/{uid}/reactivation', { params }));
    expect(api.door.agreements.act.mock.calls).toMatchObject([
      ['agr-1', { callersKey: 'key-1', command: { kind: 'reactivation', body: {} } }],
    ]);
    const query = { state: 'active' as const, per_page: 5 };
    await answerOf(client.GET('/v1/agreements', { params: { query } }));
    expect(api.door.agreements.list).toHaveBeenCalledWith(expect.objectContaining({ limit: 5 }));
    expect(api.door.agreements.list.mock.lastCall?.[0].filter).toMatchObject({ states: ['active'] });
  });

  test('follows changes from page to page', async () => {
    const { api, client } = aClient();
    const follow = async (changed_after: string) =>
      changedAfterIn(
        (await answerOf(client.GET('/v1/refunds', { params: { query: { changed_after } } }))).links,
      );
    await follow(await follow('start'));
    const after = { era: 1, transaction: '700', uid: '' };
    expect(api.door.changed.mock.calls).toMatchObject([
      ['refund', { after: undefined }],
      ['refund', { after }],
    ]);
    expect(() => changedAfterIn({})).toThrow('expected the links');
  });

  test('encodes parameters, and returns content that is not JSON as text', async () => {
    const { urls, client } = aRecordingClient(
      () => new Response('a,b', { headers: { 'content-type': 'text/csv' } }),
    );
    const params = { path: { uid: 'a/b c', day: '2026-01-02' } };
    expect(await answerOf(client.GET('/v1/float-accounts/{uid}/statements/{day}', { params }))).toBe('a,b');
    await client.GET('/v1/audit', { params: { query: { cursor: 'x&y=é' } } });
    expect(urls).toEqual([
      'http://api.test/v1/float-accounts/a%2Fb%20c/statements/2026-01-02',
      'http://api.test/v1/audit?cursor=x%26y%3D%C3%A9',
    ]);
  });

  test('rejects with the error of fetch if no response arrives', async () => {
    const lost = new TypeError('fetch failed');
    const { client } = aRecordingClient(() => {
      throw lost;
    });
    await expect(client.GET('/v1/stop')).rejects.toBe(lost);
  });

  test('requires the parameters and types of the contract', () => {
    const { client } = aClient();
    const call = () => {
      // @ts-expect-error a command has an Idempotency-Key
      void client.POST('/v1/agreements/{uid}/reactivation', { params: { path: { uid: 'agr-1' } } });
      const body = { ...aPayment(), amount: '42' };
      // @ts-expect-error the document has no such path
      void client.GET('/v1/agreement');
      // @ts-expect-error an amount is a number of cents
      void client.POST('/v1/agreements/{uid}/payments', { params: { path: { uid: 'agr-1' } }, body });
    };
    expect(call).toBeTypeOf('function');
  });
});

describe('problem in the client', () => {
  test('is thrown as an ApiProblem with its status, code and request id', async () => {
    const { api, client } = aClient();
    api.door.agreements.view.mockRejectedValue(new ApiError('worker_unavailable', 'Later.'));
    const call = answerOf(client.GET('/v1/agreements/{uid}', { params: { path: { uid: 'agr-1' } } }));
    const problem = await call.catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(ApiProblem);
    expect(problem).toMatchObject({ status: 503, code: 'worker_unavailable' });
    expect(problem).toHaveProperty('requestId', expect.stringMatching(/^[0-9a-f-]{36}$/));
  });

  test('is thrown with the code unauthenticated for an unknown key', async () => {
    const { client } = aClient('wrong');
    await expect(answerOf(client.GET('/v1/agreements', {}))).rejects.toMatchObject({
      code: 'unauthenticated',
    });
  });

  test('has no code if a gateway in between returned the error', async () => {
    const fetch = () => Promise.resolve(new Response('<h1>Bad gateway</h1>', { status: 502 }));
    const client = createClient({ url: 'http://api.test', apiKey: 'k', fetch });
    await expect(answerOf(client.GET('/v1/agreements', {}))).rejects.toMatchObject({
      status: 502,
      code: undefined,
    });
  });
});
