import { describe, expect, test } from 'vitest';
import { callerWith, consent, decide, exchange, codeFor } from '../../support/sandbox/caller.js';
import { aWorld } from '../../support/sandbox/world.js';

describe('tokens that never end, and the version that an account is held to', () => {
  describe('offline_access', () => {
    test('brings an access token that does not end, and says so by telling no lifetime', async () => {
      const { url, control } = await aWorld();
      const { body } = await exchange(url, await codeFor(url, 'public offline_access'));
      expect(body.expires_in).toBeUndefined();
      expect(body.refresh_token).toBeDefined();
      await control.advance(300 * 24 * 3600);
      expect((await callerWith(url, body.access_token ?? '').get('/ping')).status).toBe(200);
    });

    test('does not outlive its grant', async () => {
      const { url, control } = await aWorld();
      const { access } = await consent(url, 'public offline_access');
      control.revokeGrants();
      expect((await callerWith(url, access).get('/ping')).status).toBe(401);
    });
  });

  describe('the minimum version of the account', () => {
    const VERSION = 'Service-API-Version';

    test('is not told to who has no token or lacks the scope', async () => {
      const { url, control } = await aWorld();
      control.setOrganisation({ minimum_version: '20260901' });
      const { access } = await consent(url, 'public');
      expect((await callerWith(url, 'x').get('/webhooks', { [VERSION]: '20250101' })).status).toBe(401);
      expect((await callerWith(url, access).get('/webhooks', { [VERSION]: '20250101' })).status).toBe(403);
    });
  });
});

describe('whether the API can be reached, and who calls', () => {
  test('the user is that who consented, with the account behind it', async () => {
    const { caller, ...world } = await aWorld();
    const { data } = await caller.get('/user');
    expect(Object.keys(data).sort()).toEqual(['account', 'email', 'first_name', 'id', 'last_name']);
    expect((await (await world.newCaller()).get('/user')).data).toEqual(data);
    const back = await decide(world.url, 'allow', { consenter: 'other_biller' });
    const { body } = await exchange(world.url, back.searchParams.get('code') ?? '');
    const other = await callerWith(world.url, body.access_token ?? '').get('/user');
    expect(Object.keys(other.data)).toEqual(Object.keys(data));
    for (const field of ['id', 'account']) expect(other.data[field]).not.toEqual(data[field]);
  });
});
