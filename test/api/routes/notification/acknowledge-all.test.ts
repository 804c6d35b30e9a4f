import { expect, test } from 'vitest';
import { KEYS, anApi, post } from '../../../support/api/app.js';
import { aNotificationView, problemIn } from '../../../support/api/builders.js';

const PATH = '/v1/notifications/acknowledgements';
const BODY = { type: 'debit.cleared', received_before: '2026-11-27T00:00:00Z', reason: 'not ours' };
const views = (type: string, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const view = aNotificationView({ uid: `${type}/${index}` });
    return { ...view, fact: { ...view.fact, type } };
  });
const next = { value: '2026-11-01T00:00:00.000Z', uid: 'n' };
const onePage = { items: [...views('debit.cleared', 2), ...views('credit.cleared', 1)], next: undefined };

test('open notifications of one type are acknowledged, oldest first', async () => {
  const api = anApi();
  const { list, acknowledge } = api.door.notifications;
  list.mockResolvedValueOnce(onePage);
  const answer = await post(api, PATH, BODY);
  expect(await answer.json()).toEqual({ data: { matched: 2, acknowledged: 2, continue_from: null } });
  expect(list).toHaveBeenCalledWith({
    filter: { states: ['open'], created: { from: undefined, until: '2026-11-27T00:00:00.000Z' } },
    ...{ sort: { by: 'created', isDescending: false }, after: undefined, limit: 200 },
  });
  const given = { reason: 'not ours', by: KEYS.all };
  expect(acknowledge.mock.calls).toEqual([0, 1].map((index) => [`debit.cleared/${index}`, given]));
  const details = { type: 'debit.cleared', matched: 2, acknowledged: 2 };
  expect(api.audited).toMatchObject([{ action: 'acknowledgeNotifications', details }]);
});

test('a dry run only counts, over several pages', async () => {
  const api = anApi();
  const { list, acknowledge } = api.door.notifications;
  list.mockResolvedValueOnce({ items: views('debit.cleared', 200), next }).mockResolvedValueOnce(onePage);
  const answer = await post(api, PATH, { ...BODY, dry_run: true });
  expect(await answer.json()).toEqual({ data: { matched: 202, acknowledged: 0, continue_from: null } });
  expect(list.mock.lastCall?.[0].after).toEqual(next);
  expect(acknowledge).not.toHaveBeenCalled();
});

test.each([
  ['200 matches', 'debit.cleared', 1],
  ['5,000 others', 'credit.cleared', 25],
])('a request ends after %s, and says where to continue', async (_, type, pages) => {
  const api = anApi();
  const { list } = api.door.notifications;
  list.mockResolvedValue({ items: views(type, 200), next });
  const answer = await post(api, PATH, { ...BODY, received_from: '2026-10-01T00:00:00Z' });
  expect(await answer.json()).toMatchObject({ data: { continue_from: next.value } });
  expect(list).toHaveBeenCalledTimes(pages);
  expect(list.mock.lastCall?.[0].filter.created?.from).toBe('2026-10-01T00:00:00.000Z');
});

test.each([{ type: undefined }, { received_before: 'soon' }, { reason: '' }])(
  'a request with %j is refused',
  async (wrong) => {
    expect(await problemIn(await post(anApi(), PATH, { ...BODY, ...wrong }))).toMatchObject({ status: 400 });
  },
);
