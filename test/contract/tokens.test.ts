import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ON_TOKEN } from '../../sandbox/faults/actions.schema.js';
import { startWorld, type World } from '../support/payments-api/contract-world.js';
import { SCOPES } from '../../tools/conform/world.js';
import { thrownBy } from '../support/payments-api/loopback.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const refresh = (refreshToken: string) => world.oauth().refresh({ refreshToken });
const isGood = async (accessToken: string): Promise<boolean> =>
  world.api.ping({ accessToken }).then(
    () => true,
    (error: unknown) => {
      expect(error).toMatchObject({ code: 'unauthorised' });
      return false;
    },
  );
const outcomes = (since: number): unknown[] =>
  world.control.ledger(since, { kind: 'token' }).map((line) => line.kind === 'token' && line.outcome);

const tokenAnswer = z.strictObject({
  access_token: z.string().min(1),
  token_type: z.literal('bearer'),
  expires_in: z.literal(7200),
  refresh_token: z.string().min(1),
  scope: z.string(),
});

describe('consent', () => {
  test('returns a one-time code for a token pair of two hours', async () => {
    const pair = await world.connect('pay_to_agreements pay_to_payments');
    expect(pair).toMatchObject({ expiresInSeconds: 7200, scope: 'pay_to_agreements pay_to_payments' });
    expect(await isGood(pair.accessToken)).toBe(true);
  });

  test('returns the documented token answer', async () => {
    const fields = {
      grant_type: 'authorization_code',
      client_id: 'sandbox-client',
      client_secret: 'sandbox-client-secret',
      redirect_uri: 'http://127.0.0.1:8080/oauth/callback',
      code: await world.consent(),
    };
    const body = new URLSearchParams(fields);
    const response = await fetch(`${world.url}/oauth/token`, { method: 'POST', body });
    expect(tokenAnswer.parse(await response.json())).toMatchObject({ scope: SCOPES });
  });

  test('allows one exchange of its code', async () => {
    const code = await world.consent();
    await world.oauth().exchangeCode({ code });
    const before = world.mark();
    expect(await thrownBy(() => world.oauth().exchangeCode({ code }))).toMatchObject({
      code: 'grant_refused',
      status: 400,
      providerCodes: ['invalid_grant'],
    });
    expect(outcomes(before)).toEqual(['code_reused']);
  });

  test('is lost with its code if the token answer is lost', async () => {
    const code = await world.consent();
    world.control.addFault({ on: 'token', do: 'cut_after_commit', times: 1 });
    const before = world.mark();
    expect(await thrownBy(() => world.oauth().exchangeCode({ code }))).toMatchObject({ code: 'unavailable' });
    expect(await thrownBy(() => world.oauth().exchangeCode({ code }))).toMatchObject({
      code: 'grant_refused',
    });
    expect(outcomes(before)).toEqual(['issued', 'code_reused']);
  });
});

describe('token refresh', () => {
  test('returns a new pair with the same scopes', async () => {
    const first = await world.connect('pay_to_agreements');
    const second = await refresh(first.refreshToken);
    expect(second).toMatchObject({ expiresInSeconds: 7200, scope: 'pay_to_agreements' });
    expect(new Set([first.refreshToken, second.refreshToken]).size).toBe(2);
    expect(await isGood(second.accessToken)).toBe(true);
  });

  test('with a used token revokes the grant', async () => {
    const first = await world.connect();
    const second = await refresh(first.refreshToken);
    const before = world.mark();
    expect(await thrownBy(() => refresh(first.refreshToken))).toMatchObject({ code: 'grant_refused' });
    expect(outcomes(before)).toEqual(['refresh_token_reused']);
    expect(await isGood(second.accessToken)).toBe(false);
    expect(await thrownBy(() => refresh(second.refreshToken ?? ''))).toMatchObject({ code: 'grant_refused' });
    expect(outcomes(before)).toEqual(['refresh_token_reused', 'grant_revoked']);
  });

  test('with a wrong client secret fails and preserves the grant', async () => {
    const { refreshToken } = await world.connect();
    const error = await thrownBy(() => world.oauth('wrong').refresh({ refreshToken }));
    expect(error).toMatchObject({ code: 'client_refused', providerCodes: ['invalid_client'] });
    expect(await refresh(refreshToken)).toMatchObject({ scope: SCOPES });
  });
});

test('the table covers every fault of token calls', () => {
  expect([...ON_TOKEN].sort()).toEqual(['grace', 'invalid_client', 'revoke_grant']);
});

describe('token refresh under a fault', () => {
  test('a slow answer within the time limit returns its pair', async () => {
    const first = await world.connect();
    world.control.addFault({ on: 'token', do: 'slow', delay_ms: 100, times: 1 });
    const second = await refresh(first.refreshToken);
    world.control.addFault({ on: 'token', do: 'trickle', pause_ms: 0, times: 1 });
    expect(await isGood((await refresh(second.refreshToken ?? '')).accessToken)).toBe(true);
  });

  test('a grant that the user revokes during the refresh is refused permanently', async () => {
    const first = await world.connect();
    world.control.addFault({ on: 'token', do: 'revoke_grant', times: 1 });
    expect(await thrownBy(() => refresh(first.refreshToken))).toMatchObject({ code: 'grant_refused' });
    expect(await thrownBy(() => refresh(first.refreshToken))).toMatchObject({ code: 'grant_refused' });
    expect(await isGood(first.accessToken)).toBe(false);
  });

  test('an invalid_client answer leaves the grant valid', async () => {
    const first = await world.connect();
    world.control.addFault({ on: 'token', do: 'invalid_client', times: 1 });
    expect(await thrownBy(() => refresh(first.refreshToken))).toMatchObject({ code: 'client_refused' });
    expect(await isGood((await refresh(first.refreshToken)).accessToken)).toBe(true);
  });
});

describe('grace period of ten seconds', () => {
  test.each(['setting', 'fault'] as const)('as a %s preserves a grant after a lost answer', async (as) => {
    const first = await world.connect();
    if (as === 'setting') world.control.setOAuth({ grace_seconds: 10 });
    else world.control.addFault({ on: 'token', do: 'grace', grace_seconds: 10 });
    world.control.addFault({ on: 'token', do: 'cut_after_commit', times: 1 });
    expect(await thrownBy(() => refresh(first.refreshToken))).toMatchObject({ code: 'unavailable' });
    await world.control.advance(5);
    const before = world.mark();
    const second = await refresh(first.refreshToken);
    expect(outcomes(before)).toEqual(['issued_again']);
    expect(second.expiresInSeconds).toBeLessThanOrEqual(7195);
    expect(await isGood(second.accessToken)).toBe(true);
    await world.control.advance(5);
    expect(await thrownBy(() => refresh(first.refreshToken))).toMatchObject({ code: 'grant_refused' });
    expect(await isGood(second.accessToken)).toBe(false);
    world.control.setOAuth({ grace_seconds: 0 });
    world.control.clearFaults();
  });
});

test('a scope added to the application requires a new consent', async () => {
  const scopes = SCOPES.split(' ');
  world.control.setApplication({ scopes: scopes.filter((scope) => scope !== 'pay_to_refunds') });
  const first = await world.connect('pay_to_agreements');
  world.control.setApplication({ scopes });
  const forbidden = { code: 'forbidden', status: 403, requiredScope: 'pay_to_refunds' };
  const read = (accessToken: string) => thrownBy(() => world.api.getRefund('ref-none', { accessToken }));
  expect(await read(first.accessToken)).toMatchObject(forbidden);
  const second = await refresh(first.refreshToken);
  expect(await read(second.accessToken)).toMatchObject(forbidden);
  const consented = await world.connect('pay_to_agreements pay_to_refunds');
  expect(await read(consented.accessToken)).toMatchObject({ code: 'not_found' });
});
