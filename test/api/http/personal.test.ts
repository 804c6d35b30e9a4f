import { expect, test } from 'vitest';
import { ApiError } from '../../../api/http/problems/errors.js';
import { requestedBefore } from '../../../domain/agreement/reminder.js';
import { KEYS, NOW, anApi, get } from '../../support/api/app.js';
import { anAgreementView, anEntryOf, problemIn } from '../../support/api/builders.js';

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
  const state = { ...anEntryOf(), factId: undefined, data: { debtor: { party_name: 'Ada Payer' } } };
  const entries = [anEntryOf({ reason }), state];
  api.door.timeline.mockResolvedValue({ entries, next: undefined, isWhole: true });
  const seenBy = async (key: string) => (await get(api, '/v1/agreements/agr-1/timeline', key)).json();
  const hidden = { code: 'AC06', detail: '*********, *************678, is blocked' };
  expect(await seenBy(KEYS.read)).toMatchObject({ data: [{ fact: { reason: hidden } }, {}] });
  expect(await seenBy(KEYS.readPersonal)).toMatchObject({ data: [{ fact: { reason } }, {}] });
});

test('a problem is masked in the same way as a response', async () => {
  const api = anApi();
  const detail = 'Account 062-000 12345678 is in use.';
  api.door.agreements.view.mockRejectedValue(new ApiError('idempotency_conflict', detail));
  const answer = await get(api, '/v1/agreements/agr-1', KEYS.read);
  expect(await problemIn(answer)).toMatchObject({ detail: 'Account *************678 is in use.' });
});

const at = new Date(NOW).toISOString();

test.each(['1h', '24h', '4d'] as const)(
  'the next page of agreements unanswered after %s keeps the filter',
  async (unanswered) => {
    const api = anApi();
    api.door.agreements.list.mockResolvedValue({ items: [], next: { value: 'v', uid: 'agr-1' } });
    const answer: unknown = await (await get(api, `/v1/agreements?unanswered=${unanswered}`)).json();
    const { filter } = api.door.agreements.list.mock.lastCall?.[0] ?? {};
    expect(filter).toMatchObject({
      states: ['created'],
      created: { until: requestedBefore(unanswered, at) },
    });
    expect(JSON.stringify(answer)).toContain(`unanswered=${unanswered}`);
    expect((await get(api, '/v1/agreements?unanswered=2h')).status).toBe(400);
  },
);
