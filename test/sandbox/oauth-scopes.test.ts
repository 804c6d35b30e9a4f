// What an application may ask for, what a consent is worth when that changes, tokens that never end, and the version
// that an account is held to.
import { describe, expect, test } from 'vitest';
import { callerWith, consent, decide, refresh, exchange, codeFor } from './caller.js';
import { aWorld } from './world.js';

const BASIC = ['public', 'pay_to_agreements'];

describe('a scope that is added to the application later', () => {
  test('is 403 for who consented before, until they consent again', async () => {
    const { url, control } = await aWorld();
    control.setApplication({ scopes: BASIC });
    const old = await consent(url, BASIC.join(' '));
    control.setApplication({ scopes: [...BASIC, 'pay_to_payments'] });
    const answer = await callerWith(url, old.access).get('/payto/payments');
    expect(answer.status).toBe(403);
    expect(answer.headers.get('www-authenticate')).toContain('scope="pay_to_payments"');
    const refreshed = (await refresh(url, old.refresh)).body;
    expect(refreshed.scope).toBe(BASIC.join(' '));
    expect((await callerWith(url, refreshed.access_token ?? '').get('/payto/payments')).status).toBe(403);
    const again = await consent(url, [...BASIC, 'pay_to_payments'].join(' '));
    expect((await callerWith(url, again.access).get('/payto/payments')).status).toBe(200);
  });

  test('cannot be asked for before it is registered', async () => {
    const { url, control } = await aWorld();
    control.setApplication({ scopes: BASIC });
    const sentBack = await decide(url, 'allow', { scope: 'public pay_to_payments' });
    expect(sentBack.searchParams.get('error')).toBe('invalid_scope');
    expect(sentBack.searchParams.get('code')).toBeNull();
  });

  test('is worth nothing any more once it is taken away', async () => {
    const { url, control, caller } = await aWorld();
    control.setApplication({ scopes: BASIC });
    expect((await caller.get('/payto/agreements')).status).toBe(200);
    expect((await caller.get('/payto/payments')).status).toBe(403);
    expect((await callerWith(url, 'x').get('/payto/payments')).status).toBe(401);
  });
});

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

  test('refuses every call that is on a lower one, or on none, with 409', async () => {
    const { url, control } = await aWorld();
    const { access } = await consent(url);
    control.setOrganisation({ minimum_version: '20260101' });
    const status = async (path: string, version?: string): Promise<number> => {
      const headers = { authorization: `Bearer ${access}`, ...(version && { [VERSION]: version }) };
      return (await fetch(`${url}${path}`, { headers })).status;
    };
    for (const path of ['/ping', '/payto/agreements', '/webhooks']) {
      expect(await status(path)).toBe(409);
      expect(await status(path, '20250101')).toBe(409);
      expect(await status(path, '20260101')).toBe(200);
      expect(await status(path, '20260901')).toBe(200);
    }
  });

  test('is named in the refusal, and can be lifted', async () => {
    const { caller, control } = await aWorld();
    control.setOrganisation({ minimum_version: '20260901' });
    const refused = await caller.get('/ping', { [VERSION]: '20260101' });
    expect(refused.errors[0]).toMatchObject({ title: 'API Version Below Minimum' });
    expect(refused.errors[0]?.detail).toContain('20260901');
    control.setOrganisation({ minimum_version: null });
    expect((await caller.get('/ping', { [VERSION]: '20250101' })).status).toBe(200);
  });

  test('is not told to who has no token or lacks the scope', async () => {
    const { url, control } = await aWorld();
    control.setOrganisation({ minimum_version: '20260901' });
    const { access } = await consent(url, 'public');
    expect((await callerWith(url, 'x').get('/webhooks', { [VERSION]: '20250101' })).status).toBe(401);
    expect((await callerWith(url, access).get('/webhooks', { [VERSION]: '20250101' })).status).toBe(403);
  });
});
