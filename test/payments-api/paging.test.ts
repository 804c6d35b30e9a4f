// Lists over many pages (facts 6), and never to another host.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALL, anAgreementAnswer, anEvent, paymentsApi } from './examples.js';
import { json, startLoopback, thrownBy } from './loopback.js';
import type { Loopback } from './loopback.js';

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
const paths = (): string[] => provider.asked.map(({ path }) => path);

test.each([
  ['a path', () => '/payto/agreements?starting_after=a'],
  ['a query alone', () => '?starting_after=a'],
  ['a path without its slash', () => 'payto/agreements?starting_after=a'],
  ['an address on our host', () => `${provider.url}/payto/agreements?starting_after=a`],
  [
    'an address on our host of another scheme',
    () => `https://${provider.host}/payto/agreements?starting_after=a`,
  ],
])('follows a next page given as %s', async (_form, next) => {
  provider.answers(page(['a'], next()), page(['b']));
  expect(await uidsOf()).toEqual(['a', 'b']);
  expect(paths()).toEqual(['/payto/agreements', '/payto/agreements?starting_after=a']);
});

test('stays under the path of its base URL', async () => {
  provider.answers(page(['a'], '/payto/agreements?starting_after=a'), page(['b']));
  await uidsOf(`${provider.url}/v9`);
  expect(paths()[1]).toBe('/v9/payto/agreements?starting_after=a');
});

test('takes an opaque cursor as it is', async () => {
  provider.answers(page(['a'], '?starting_after=a%2Bb%3D%3D&per_page=2'), page(['b']));
  await uidsOf();
  expect(paths()[1]).toBe('/payto/agreements?starting_after=a%2Bb%3D%3D&per_page=2');
});

const ANOTHER_HOST = { code: 'malformed', message: expect.stringContaining('links.next') as string };

test('takes the token to no other host', async () => {
  elsewhere.answers(page(['c']));
  provider.answers(page(['a'], `${elsewhere.url}/payto/agreements?starting_after=a`));
  expect(await thrownBy(() => uidsOf())).toMatchObject(ANOTHER_HOST);
  expect(elsewhere.asked).toHaveLength(0);
  expect(provider.asked).toHaveLength(1);
});

test.each(['//elsewhere.example/x?y', 'http://[', 'javascript:alert(1)'])(
  'refuses %j as a next page',
  async (next) => {
    provider.answers(page(['a'], next));
    expect(await thrownBy(() => uidsOf())).toMatchObject(ANOTHER_HOST);
  },
);

test('stops at a circle instead of walking it for ever', async () => {
  provider.answers(
    page(['a'], '?starting_after=a'),
    page(['b'], '?starting_after=b'),
    page(['a'], '?starting_after=a'),
  );
  expect(await thrownBy(() => uidsOf())).toMatchObject({ code: 'malformed' });
});

test.each([undefined, null, 7, { href: 'x' }])('ends where the next page is %j', async (next) => {
  provider.answers(page(['a'], next));
  expect(await uidsOf()).toEqual(['a']);
});

test('asks for the next page only when it is wanted', async () => {
  provider.answers(page(['a', 'b'], '?starting_after=b'));
  const list = paymentsApi(provider.url).listAgreements({}, CALL)[Symbol.asyncIterator]();
  await list.next();
  await list.next();
  expect(provider.asked).toHaveLength(1);
});

test('filters by state and asks for a page size', async () => {
  provider.answers(page([]));
  const filter = { state: ['active', 'suspended'], perPage: 50 };
  await paymentsApi(provider.url).listAgreements(filter, CALL)[Symbol.asyncIterator]().next();
  expect(paths()).toEqual(['/payto/agreements?state=active%2Csuspended&per_page=50']);
});

test('leaves out what is no agreement and keeps the rest of the page', async () => {
  provider.answers(json(200, { data: [null, 7, {}, { state: 'active' }, { id: 'b' }, { uid: 'a' }] }));
  expect(await uidsOf()).toEqual(['b', 'a']);
});

test.each([{}, { data: null }, { data: {} }, 7])('calls %j no page', async (answer) => {
  provider.answers(json(200, answer));
  expect(await thrownBy(() => uidsOf())).toMatchObject({ code: 'malformed' });
});

test('reads history over all its pages', async () => {
  const historyPage = (id: string, next?: string) => json(200, { data: [anEvent({ id })], links: { next } });
  provider.answers(historyPage('2', '/payto/agreements/agr-2f9c/history?starting_after=2'), historyPage('1'));
  const facts = await paymentsApi(provider.url).getAgreementHistory('agr-2f9c', CALL);
  expect(facts.map(({ id }) => id)).toEqual(['2', '1']);
});

test('reads no more than 50 pages of history', async () => {
  let served = 0;
  provider.answers((response, asked) =>
    json(200, { data: [anEvent({ id: String(++served) })], links: { next: `?starting_after=${served}` } })(
      response,
      asked,
    ),
  );
  expect(await paymentsApi(provider.url).getAgreementHistory('agr-2f9c', CALL)).toHaveLength(50);
  expect(served).toBe(50);
});

test('a failure on a later page is the failure of the list', async () => {
  provider.answers(page(['a'], '?starting_after=a'), json(500, {}));
  expect(await thrownBy(() => uidsOf())).toMatchObject({ code: 'unavailable' });
});
