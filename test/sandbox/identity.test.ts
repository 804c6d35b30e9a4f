// Whether the API can be reached, and who calls.
import { expect, test } from 'vitest';
import { callerWith, consent } from './caller.js';
import { aWorld } from './world.js';

test.each(['/ping', '/user'])('GET %s takes any token, and none but a good one', async (path) => {
  const { url, control } = await aWorld();
  const caller = callerWith(url, (await consent(url, 'public')).access);
  expect((await caller.get(path)).status).toBe(200);
  expect((await callerWith(url, 'made-up').get(path)).status).toBe(401);
  control.revokeGrants();
  expect((await caller.get(path)).status).toBe(401);
});

test('the user is always the same, with the account behind it', async () => {
  const { caller, ...world } = await aWorld();
  const { data } = await caller.get('/user');
  expect(Object.keys(data).sort()).toEqual(['account', 'email', 'first_name', 'id', 'last_name']);
  expect((await (await world.newCaller()).get('/user')).data).toEqual(data);
});

test('both can fail like any call', async () => {
  const { caller, control } = await aWorld();
  control.addFault({ on: 'ping', do: 'error_429', retry_after_seconds: 3, times: 1 });
  const { status, headers } = await caller.get('/ping');
  expect([status, headers.get('retry-after')]).toEqual([429, '3']);
  expect(control.ledger().at(-1)).toMatchObject({ operation: 'ping', status: 429, fault: 'error_429' });
  expect((await caller.get('/ping')).status).toBe(200);
});
