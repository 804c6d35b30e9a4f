import { describe, expect, test } from 'vitest';
import { callerWith, consent, form, refresh, type Fields } from '../../support/sandbox/caller.js';
import { aWorld } from '../../support/sandbox/world.js';
const CLIENT = { client_id: 'sandbox-client', client_secret: 'sandbox-client-secret' };

async function rawRefresh(url: string, refreshToken: string, overrides: Fields = {}) {
  const fields = { ...CLIENT, grant_type: 'refresh_token', refresh_token: refreshToken, ...overrides };
  const response = await fetch(`${url}/oauth/token`, form(fields));
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function aGrant() {
  const world = await aWorld();
  const tokens = await consent(world.url);
  const grant = world.control.state().grants.at(-1)?.id ?? '';
  const lastToken = () => world.control.ledger(0, { kind: 'token' }).at(-1);
  const isGood = async (access: string): Promise<boolean> =>
    (await callerWith(world.url, access).get('/ping')).status === 200;
  return { ...world, tokens, grant, lastToken, isGood };
}

describe('fault after the commit', () => {
  test('is not used up by a refused token request', async () => {
    const { url, control } = await aGrant();
    control.addFault({ on: 'token', do: 'malformed_json', times: 1 });
    expect((await refresh(url, 'made-up')).body.error).toBe('invalid_grant');
    expect(control.state().faults).toHaveLength(1);
  });
});

test('a fault for one grant does not affect other grants', async () => {
  const { url, control, tokens, grant } = await aGrant();
  const other = await consent(url);
  control.addFault({ on: 'token', do: 'error_503', resource_uid: grant });
  control.addFault({ on: 'token', do: 'revoke_grant', resource_uid: grant });
  expect((await refresh(url, other.refresh)).status).toBe(200);
  expect((await rawRefresh(url, tokens.refresh)).status).toBe(503);
});

describe('grace period', () => {
  test('ends when the new pair is used, and then a repeat revokes the grant', async () => {
    const { url, control, tokens } = await aGrant();
    control.setOAuth({ grace_seconds: 10 });
    const first = (await refresh(url, tokens.refresh)).body;
    expect((await refresh(url, first.refresh_token ?? '')).status).toBe(200);
    expect((await refresh(url, tokens.refresh)).body.error).toBe('invalid_grant');
    expect(control.state().grants.at(-1)?.revoked).toBe(true);
  });

  test('does not restore a revoked grant', async () => {
    const { url, control, tokens } = await aGrant();
    control.setOAuth({ grace_seconds: 10 });
    await refresh(url, tokens.refresh);
    control.revokeGrants();
    expect((await refresh(url, tokens.refresh)).body.error).toBe('invalid_grant');
  });

  test('reveals no token in state or ledger', async () => {
    const { url, control, tokens } = await aGrant();
    control.setOAuth({ grace_seconds: 10 });
    const { body } = await refresh(url, tokens.refresh);
    const everything = JSON.stringify([control.state(), control.ledger()]);
    for (const secret of [body.access_token, body.refresh_token]) expect(everything).not.toContain(secret);
  });
});
