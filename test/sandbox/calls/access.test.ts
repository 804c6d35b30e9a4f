// Which scope and version a call needs, what a consent is worth when that changes, and the calls that any token may make.
import { describe, expect, test } from 'vitest';
import {
  callerWith,
  consent,
  decide,
  refresh,
  exchange,
  codeFor,
  ALL_SCOPES,
} from '../../support/sandbox/caller.js';
import { FLOAT_ID } from '../../support/sandbox/payments.js';
import { aWorld } from '../../support/sandbox/world.js';

describe('what an application may ask for, what a consent is worth when that changes, tokens that never end, and the version that an account is held to', () => {
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
});

describe('which scope each operation on payments, refunds and float accounts asks for', () => {
  const ENTRIES = `/bank_accounts/${FLOAT_ID}/entries`;

  test.each([
    ['GET', '/payto/payments', 'pay_to_payments'],
    ['POST', '/payto/payments', 'pay_to_payments'],
    ['GET', '/payto/payments/none', 'pay_to_payments'],
    ['POST', '/payto/payments/none/retry', 'pay_to_payments'],
    ['GET', '/payto/refunds', 'pay_to_refunds'],
    ['POST', '/payto/refunds', 'pay_to_refunds'],
    ['GET', '/payto/refunds/none', 'pay_to_refunds'],
    ['GET', `/bank_accounts/${FLOAT_ID}`, 'bank_accounts'],
    ['GET', ENTRIES, 'bank_accounts'],
    ['GET', `${ENTRIES}/none`, 'bank_accounts'],
    ['POST', '/simulate/incoming_npp_bban_payment', 'bank_accounts'],
    ['POST', '/simulate/incoming_de_payment', 'bank_accounts'],
  ])('%s %s needs %s, and nothing else', async (method, path, scope) => {
    const { url } = await aWorld();
    const without = ALL_SCOPES.split(' ').filter((other) => other !== scope);
    const call = async (scopes: string): Promise<{ status: number; challenge: string }> => {
      const caller = callerWith(url, (await consent(url, scopes)).access);
      const { status, headers } = await (method === 'GET' ? caller.get(path) : caller.post(path, {}));
      return { status, challenge: headers.get('www-authenticate') ?? '' };
    };
    const refused = await call(without.join(' '));
    expect(refused.status).toBe(403);
    expect(refused.challenge).toContain(scope);
    expect([200, 404, 422]).toContain((await call(scope)).status);
  });
});

describe('whether the API can be reached, and who calls', () => {
  test.each(['/ping', '/user'])('GET %s takes any token, and none but a good one', async (path) => {
    const { url, control } = await aWorld();
    const caller = callerWith(url, (await consent(url, 'public')).access);
    expect((await caller.get(path)).status).toBe(200);
    expect((await callerWith(url, 'made-up').get(path)).status).toBe(401);
    control.revokeGrants();
    expect((await caller.get(path)).status).toBe(401);
  });

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

  test('both can fail like any call', async () => {
    const { caller, control } = await aWorld();
    control.addFault({ on: 'ping', do: 'error_429', retry_after_seconds: 3, times: 1 });
    const { status, headers } = await caller.get('/ping');
    expect([status, headers.get('retry-after')]).toEqual([429, '3']);
    expect(control.ledger().at(-1)).toMatchObject({ operation: 'ping', status: 429, fault: 'error_429' });
    expect((await caller.get('/ping')).status).toBe(200);
  });
});
