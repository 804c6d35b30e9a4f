import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { callerWith, consent, decide, exchange, codeFor } from '../../support/sandbox/caller.js';
import { aWorld } from '../../support/sandbox/world.js';

describe('access rules', () => {
  describe('offline_access', () => {
    test('returns an access token without expiry and without expires_in', async () => {
      const { url, control } = await aWorld();
      const { body } = await exchange(url, await codeFor(url, 'public offline_access'));
      expect(body.expires_in).toBeUndefined();
      expect(body.refresh_token).toBeDefined();
      await control.advance(300 * 24 * 3600);
      expect((await callerWith(url, body.access_token ?? '').get('/ping')).status).toBe(200);
    });

    test('ends with its grant', async () => {
      const { url, control } = await aWorld();
      const { access } = await consent(url, 'public offline_access');
      control.revokeGrants();
      expect((await callerWith(url, access).get('/ping')).status).toBe(401);
    });
  });

  describe('minimum version of the account', () => {
    const VERSION = 'Service-API-Version';

    test('is not revealed without a token or scope', async () => {
      const { url, control } = await aWorld();
      control.setOrganisation({ minimum_version: '20260901' });
      const { access } = await consent(url, 'public');
      expect((await callerWith(url, 'x').get('/webhooks', { [VERSION]: '20250101' })).status).toBe(401);
      expect((await callerWith(url, access).get('/webhooks', { [VERSION]: '20250101' })).status).toBe(403);
    });
  });
});

describe('user details', () => {
  test('identify the consenting user and account', async () => {
    const { caller, ...world } = await aWorld();
    const { data } = await caller.get('/user');
    const text: unknown = expect.any(String);
    const account = ['name', 'nickname', 'abn', 'phone', 'street_address', 'suburb', 'state', 'postcode'];
    expect(data).toEqual({
      first_name: text,
      last_name: text,
      mobile_phone: text,
      email: text,
      account: Object.fromEntries(account.map((field) => [field, text])),
    });
    expect((await (await world.newCaller()).get('/user')).data).toEqual(data);
    const back = await decide(world.url, 'allow', { consenter: 'other_biller' });
    const { body } = await exchange(world.url, back.searchParams.get('code') ?? '');
    const other = await callerWith(world.url, body.access_token ?? '').get('/user');
    const Keyed = z.object({ account: z.object({ nickname: z.string(), abn: z.string() }) });
    const [mine, theirs] = [Keyed.parse(data).account, Keyed.parse(other.data).account];
    expect([theirs.nickname, theirs.abn]).not.toEqual([mine.nickname, mine.abn]);
    expect(theirs.nickname).not.toBe(mine.nickname);
  });
});
