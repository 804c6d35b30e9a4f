import { expect, test } from 'vitest';
import { KEYS, anApi, post } from '../../support/api/app.js';
import { aPayment, anAgreement, problemIn } from '../../support/api/builders.js';

const asWriter = { authorization: `Bearer ${KEYS.write}` };

test('a key that may only write gets ids and states', async () => {
  const created = await post(anApi(), '/v1/agreements', anAgreement(), asWriter);
  expect([created.status, await created.json()]).toEqual([
    202,
    { data: { uid: anAgreement().uid, state: 'pending' } },
  ]);
  const paid = await post(anApi(), '/v1/agreements/agr-1/payments', aPayment(), asWriter);
  expect(Object.keys((await paid.json()) as object)).toEqual(['data']);
});

test('a new connection still has its link', async () => {
  const api = anApi();
  api.door.connections.view.mockResolvedValue(undefined);
  const created = await post(api, '/v1/connections', { id: 'new' }, asWriter);
  const { data } = (await created.json()) as { data: Record<string, unknown> };
  expect(Object.keys(data).sort()).toEqual(['authorize_url', 'id', 'status']);
  expect(data['authorize_url']).toContain('/oauth/begin/');
});

test('a dry run has its whole result', async () => {
  const api = anApi();
  api.door.payments.view.mockResolvedValue(undefined);
  const judged = await post(api, '/v1/agreements/agr-1/payments?dry_run=true', aPayment(), asWriter);
  expect(await judged.json()).toMatchObject({ data: { admissible: true, refusal: null } });
});

test('refusals stay whole', async () => {
  const refused = await post(anApi(), '/v1/agreements', { uid: 'a/b' }, asWriter);
  expect((await problemIn(refused)).errors).not.toEqual([]);
});
