import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CALL, anAgreementAnswer, anEvent, paymentsApi } from '../../support/payments-api/examples.js';
import {
  json,
  raw,
  startLoopback,
  thrownBy,
  type Answer,
  type Loopback,
} from '../../support/payments-api/loopback.js';

let provider: Loopback;
let elsewhere: Loopback;
beforeAll(async () => {
  provider = await startLoopback();
  elsewhere = await startLoopback();
});
afterAll(() => Promise.all([provider.close(), elsewhere.close()]));

const page = (uids: string[], next?: unknown) =>
  json(200, {
    data: uids.map((uid) => anAgreementAnswer({ uid })),
    links: next === undefined ? {} : { next },
  });
const uidsOf = async (baseUrl = provider.url): Promise<string[]> => {
  const uids: string[] = [];
  for await (const { uid } of paymentsApi(baseUrl).listAgreements({}, CALL)) uids.push(uid);
  return uids;
};
const JSON_TYPE = { 'content-type': 'application/json' };
const paths = (): string[] => provider.requests.map(({ path }) => path);

test.each([
  ['a path', () => '/payto/agreements?starting_after=a'],
  ['a query', () => '?starting_after=a'],
  ['a path without a leading slash', () => 'payto/agreements?starting_after=a'],
  ['a URL on the same host', () => `${provider.url}/payto/agreements?starting_after=a`],
  [
    'a URL on the same host with a different scheme',
    () => `https://${provider.host}/payto/agreements?starting_after=a`,
  ],
])('a next page given as %s is followed', async (_form, next) => {
  provider.answers(page(['a'], next()), page(['b']));
  expect(await uidsOf()).toEqual(['a', 'b']);
  expect(paths()).toEqual(['/payto/agreements', '/payto/agreements?starting_after=a']);
});

test('a next page keeps the path of the base URL', async () => {
  provider.answers(page(['a'], '/payto/agreements?starting_after=a'), page(['b']));
  await uidsOf(`${provider.url}/v9`);
  expect(paths()[1]).toBe('/v9/payto/agreements?starting_after=a');
});

test('an opaque cursor is sent unchanged', async () => {
  provider.answers(page(['a'], '?starting_after=a%2Bb%3D%3D&per_page=2'), page(['b']));
  await uidsOf();
  expect(paths()[1]).toBe('/payto/agreements?starting_after=a%2Bb%3D%3D&per_page=2');
});

const ANOTHER_HOST = { code: 'malformed', message: expect.stringContaining('links.next') as string };

test('the token is not sent to another host', async () => {
  elsewhere.answers(page(['c']));
  provider.answers(page(['a'], `${elsewhere.url}/payto/agreements?starting_after=a`));
  expect(await thrownBy(() => uidsOf())).toMatchObject(ANOTHER_HOST);
  expect(elsewhere.requests).toHaveLength(0);
  expect(provider.requests).toHaveLength(1);
});

test.each([
  '//elsewhere.example/x?y',
  '\\\\elsewhere.example/x?y',
  'http://127.0.0.1:1@elsewhere.example/x?y',
  'http://[',
  'javascript:alert(1)',
  `?starting_after=${'a'.repeat(4096)}`,
])('%j is refused as a next page', async (next) => {
  provider.answers(page(['a'], next));
  expect(await thrownBy(() => uidsOf())).toMatchObject(ANOTHER_HOST);
});

test('a cycle of pages is malformed', async () => {
  provider.answers(
    page(['a'], '?starting_after=a'),
    page(['b'], '?starting_after=b'),
    page(['a'], '?starting_after=a'),
  );
  expect(await thrownBy(() => uidsOf())).toMatchObject({ code: 'malformed' });
});

test.each([undefined, null, '', 7, { href: 'x' }])('a list ends if the next page is %j', async (next) => {
  provider.answers(page(['a'], next));
  expect(await uidsOf()).toEqual(['a']);
});

test('no page is fetched after the caller stops iterating', async () => {
  provider.answers(page(['a'], '?starting_after=a'), page(['b'], '?starting_after=b'), page(['c']));
  for await (const { uid } of paymentsApi(provider.url).listAgreements({}, CALL)) if (uid === 'b') break;
  await new Promise((resolve) => setImmediate(resolve));
  expect(provider.requests).toHaveLength(2);
});

test('invalid entries are skipped and the others returned', async () => {
  provider.answers(json(200, { data: [null, 7, {}, { state: 'active' }, { id: 'b' }, { uid: 'a' }] }));
  expect(await uidsOf()).toEqual(['b', 'a']);
});

test.each([{}, { data: null }, { data: {} }, { data: new Array(1001).fill({}) }, [], 7])(
  '%j is not a page',
  async (answer) => {
    provider.answers(json(200, answer));
    expect(await thrownBy(() => uidsOf())).toMatchObject({ code: 'malformed' });
  },
);

describe('paging by Link header', () => {
  const ACCOUNT = '0190a000-0000-7000-8000-000000000001';
  const ENTRIES = `/bank_accounts/${ACCOUNT}/entries`;
  const entries = (id: string, link?: string | string[], links: object = {}): Answer => {
    return (response, request) => {
      if (link !== undefined) response.setHeader('link', link);
      json(200, { data: [{ id }], links })(response, request);
    };
  };
  const idsOf = async (): Promise<unknown[]> => {
    const ids: unknown[] = [];
    for await (const { id } of paymentsApi(provider.url).listFloatAccountEntries(ACCOUNT, {}, CALL))
      ids.push(id);
    return ids;
  };

  test.each([
    ['a path', () => `<${ENTRIES}?starting_after=a>; rel="next"`],
    ['a URL on the same host', () => `<${provider.url}${ENTRIES}?starting_after=a>; rel=next`],
    ['one of several links', () => `</x?page=0>; rel="first", <?starting_after=a>; rel="next last"`],
    ['one of several headers', () => ['</x?page=0>; rel="first"', '<?starting_after=a>; rel="next"']],
  ])('follows %s', async (_form, link) => {
    provider.answers(entries('a', link()), entries('b', '</x?page=0>; rel="first"'));
    expect(await idsOf()).toEqual(['a', 'b']);
    expect(paths()).toEqual([ENTRIES, `${ENTRIES}?starting_after=a`]);
  });

  test('falls back to the link in the body', async () => {
    provider.answers(entries('a', undefined, { next: '?starting_after=a' }), entries('b'));
    expect(await idsOf()).toEqual(['a', 'b']);
  });

  test('does not send the token to another host', async () => {
    elsewhere.answers(json(200, { data: [] }));
    provider.answers(entries('a', `<${elsewhere.url}${ENTRIES}?starting_after=a>; rel="next"`));
    expect(await thrownBy(idsOf)).toMatchObject(ANOTHER_HOST);
    expect([elsewhere.requests.length, provider.requests.length]).toEqual([0, 1]);
  });

  test('reports an unreadable header as malformed', async () => {
    provider.answers(entries('a', `${ENTRIES}?starting_after=a; rel=next`));
    expect(await thrownBy(idsOf)).toMatchObject({ code: 'malformed' });
  });

  test('reports a cycle as malformed', async () => {
    provider.answers(entries('a', '<?starting_after=a>; rel=next'));
    expect(await thrownBy(idsOf)).toMatchObject({ code: 'malformed' });
    expect(provider.requests).toHaveLength(2);
  });
});

test('a Link header is ignored if the list pages by its body', async () => {
  provider.answers(
    raw(200, '{"data":[{"uid":"a"}]}', { ...JSON_TYPE, link: '<?starting_after=a>; rel=next' }),
  );
  expect(await uidsOf()).toEqual(['a']);
});

test('history is limited to 50 pages', async () => {
  let served = 0;
  provider.answers((response, request) =>
    json(200, { data: [anEvent({ id: String(++served) })], links: { next: `?starting_after=${served}` } })(
      response,
      request,
    ),
  );
  expect(await paymentsApi(provider.url).getAgreementHistory('agr-2f9c', CALL)).toHaveLength(50);
  expect(served).toBe(50);
});

test('a failure of a later page fails the list', async () => {
  provider.answers(page(['a'], '?starting_after=a'), json(500, {}));
  expect(await thrownBy(() => uidsOf())).toMatchObject({ code: 'unavailable' });
});
