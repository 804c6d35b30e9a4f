import { expect, test } from 'vitest';
import { ApiError } from '../../../api/http/problems/errors.js';
import { KEYS, anApi, get } from '../../support/api/app.js';
import { aFact, anAgreementView, problemIn } from '../../support/api/builders.js';

test('the name of a PayID is shown only to keys with operate', async () => {
  const api = anApi();
  api.door.agreements.view.mockResolvedValue(anAgreementView({ payIdDisplayName: 'Ada P' }));
  const seenBy = async (key: string) => (await get(api, '/v1/agreements/agr-1', key)).json();
  expect(await seenBy(KEYS.all)).toMatchObject({ data: { payid_display_name: 'Ada P' } });
  for (const key of [KEYS.read, KEYS.readPersonal])
    expect(await seenBy(key)).toMatchObject({ data: { payid_display_name: null } });
});

test('timeline texts hide the payer and account from a key without personal', async () => {
  const api = anApi();
  const reason = { code: 'AC06', detail: 'Ada Payer, 062-000 12345678, is blocked' };
  const facts = [aFact({ reason })];
  const timeline = { facts, olderCount: 0, conflicts: [], personalValues: ['Ada Payer'] };
  api.door.agreements.timeline.mockResolvedValue(timeline);
  const seenBy = async (key: string) => (await get(api, '/v1/agreements/agr-1/timeline', key)).json();
  const hidden = { code: 'AC06', detail: '*********, *************678, is blocked' };
  expect(await seenBy(KEYS.read)).toMatchObject({ data: [{ reason: hidden }] });
  expect(await seenBy(KEYS.readPersonal)).toMatchObject({ data: [{ reason }] });
});

test('a problem is masked in the same way as a response', async () => {
  const api = anApi();
  const detail = 'Account 062-000 12345678 is in use.';
  api.door.agreements.view.mockRejectedValue(new ApiError('look_up_pending', detail));
  const answer = await get(api, '/v1/agreements/agr-1', KEYS.read);
  expect(await problemIn(answer)).toMatchObject({ detail: 'Account *************678 is in use.' });
});

test.each(['1h', '24h', '4d'])(
  'the next page of agreements unanswered after %s keeps the filter',
  async (unanswered) => {
    const api = anApi();
    api.door.agreements.list.mockResolvedValue({ items: [], next: 'bmV4dA' });
    const answer: unknown = await (await get(api, `/v1/agreements?unanswered=${unanswered}`)).json();
    expect(api.door.agreements.list).toHaveBeenLastCalledWith(expect.objectContaining({ unanswered }));
    expect(JSON.stringify(answer)).toContain(`unanswered=${unanswered}`);
    expect((await get(api, '/v1/agreements?unanswered=2h')).status).toBe(400);
  },
);
