// What goes wrong at the authorisation server: answers spoiled before and after a pair was given out, grants that are
// lost while they are in use, and the grace that some servers have.
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { callerWith, consent, form, refresh, type Fields } from '../../support/sandbox/caller.js';
import { aWorld } from '../../support/sandbox/world.js';

const Pair = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_in: z.number().optional(),
});
const CLIENT = { client_id: 'sandbox-client', client_secret: 'sandbox-client-secret' };

/** The answer as it is, JSON or not. */
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

describe('before a pair was given out', () => {
  test.each([
    ['error_500_before', 500],
    ['error_503', 503],
    ['error_429', 429],
    ['redirect', 307],
  ] as const)('%s: a %i, and the refresh token is as good as before', async (action, status) => {
    const { url, control, tokens, lastToken } = await aGrant();
    control.addFault({ on: 'token', do: action, times: 1 });
    expect((await rawRefresh(url, tokens.refresh)).status).toBe(status);
    expect(lastToken()).toMatchObject({ outcome: 'not_processed', status, fault: action });
    expect((await refresh(url, tokens.refresh)).status).toBe(200);
  });

  test('a redirect of the token endpoint leads to another host', async () => {
    const { url, control, tokens } = await aGrant();
    control.addFault({ on: 'token', do: 'redirect', to: 'https://evil.example', status: 308 });
    const { status, headers } = await rawRefresh(url, tokens.refresh);
    expect([status, headers.get('location')]).toEqual([308, 'https://evil.example/oauth/token']);
  });

  test('invalid_client: as if the client were not known, and nothing is used up', async () => {
    const { url, control, tokens, lastToken } = await aGrant();
    control.addFault({ on: 'token', do: 'invalid_client', times: 1 });
    expect(await refresh(url, tokens.refresh)).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    expect(lastToken()).toMatchObject({ outcome: 'invalid_client', fault: 'invalid_client' });
    expect((await refresh(url, tokens.refresh)).status).toBe(200);
  });
});

describe('after a pair was given out', () => {
  test.each(['error_500_after_commit', 'malformed_json', 'wrong_content_type'] as const)(
    '%s: the pair is lost, the refresh token is used up, and trying it again costs the grant',
    async (action) => {
      const { url, control, tokens, lastToken, isGood } = await aGrant();
      control.addFault({ on: 'token', do: action, times: 1 });
      const { text } = await rawRefresh(url, tokens.refresh);
      expect(Pair.safeParse(jsonOf(text)).success).toBe(false);
      expect(lastToken()).toMatchObject({ outcome: 'issued', generation: 2, fault: action });
      expect(await isGood(tokens.access)).toBe(true);
      expect((await refresh(url, tokens.refresh)).body.error).toBe('invalid_grant');
      expect(await isGood(tokens.access)).toBe(false);
    },
  );

  test('slow and byte by byte, the pair comes whole', async () => {
    const { url, control, tokens, isGood } = await aGrant();
    control.addFault({ on: 'token', do: 'slow', delay_ms: 50, times: 1 });
    const first = Pair.parse(jsonOf((await rawRefresh(url, tokens.refresh)).text));
    control.addFault({ on: 'token', do: 'trickle', pause_ms: 0, times: 1 });
    const { headers, text } = await rawRefresh(url, first.refresh_token);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(await isGood(Pair.parse(jsonOf(text)).access_token)).toBe(true);
  });

  test('a refused request uses up no fault that comes after', async () => {
    const { url, control } = await aGrant();
    control.addFault({ on: 'token', do: 'malformed_json', times: 1 });
    expect((await refresh(url, 'made-up')).body.error).toBe('invalid_grant');
    expect(control.state().faults).toHaveLength(1);
  });
});

test('revoke_grant: the user takes the grant back just before the refresh', async () => {
  const { url, control, tokens, lastToken, isGood } = await aGrant();
  control.addFault({ on: 'token', do: 'revoke_grant', times: 1 });
  expect((await refresh(url, tokens.refresh)).body.error).toBe('invalid_grant');
  expect(lastToken()).toMatchObject({ outcome: 'grant_revoked', fault: 'revoke_grant' });
  expect(await isGood(tokens.access)).toBe(false);
});

test('a fault for one grant leaves the others alone', async () => {
  const { url, control, tokens, grant } = await aGrant();
  const other = await consent(url);
  control.addFault({ on: 'token', do: 'error_503', resource_uid: grant });
  control.addFault({ on: 'token', do: 'revoke_grant', resource_uid: grant });
  expect((await refresh(url, other.refresh)).status).toBe(200);
  expect((await rawRefresh(url, tokens.refresh)).status).toBe(503);
});

describe('grace', () => {
  test.each(['setting', 'fault'])('as a %s: within ten seconds the same pair comes again', async (kind) => {
    const { url, control, tokens, lastToken, isGood } = await aGrant();
    if (kind === 'setting') control.setOAuth({ grace_seconds: 10 });
    else control.addFault({ on: 'token', do: 'grace' });
    const first = (await refresh(url, tokens.refresh)).body;
    await control.advance(9);
    const again = (await refresh(url, tokens.refresh)).body;
    expect(again).toEqual({ ...first, expires_in: again.expires_in });
    expect(again.expires_in).toBeLessThanOrEqual(7200 - 9);
    const fault = kind === 'fault' ? 'grace' : null;
    expect(lastToken()).toMatchObject({ outcome: 'issued_again', generation: 2, fault });
    expect(await isGood(again.access_token ?? '')).toBe(true);
    await control.advance(1);
    expect((await refresh(url, tokens.refresh)).body.error).toBe('invalid_grant');
    expect(await isGood(first.access_token ?? '')).toBe(false);
  });

  test('ends early for whoever goes on from the new pair: then a repeat is a theft', async () => {
    const { url, control, tokens } = await aGrant();
    control.setOAuth({ grace_seconds: 10 });
    const first = (await refresh(url, tokens.refresh)).body;
    expect((await refresh(url, first.refresh_token ?? '')).status).toBe(200);
    expect((await refresh(url, tokens.refresh)).body.error).toBe('invalid_grant');
    expect(control.state().grants.at(-1)?.revoked).toBe(true);
  });

  test('saves the grant of whoever lost an answer and asks again at once', async () => {
    const { url, control, tokens } = await aGrant();
    control.setOAuth({ grace_seconds: 10 });
    control.addFault({ on: 'token', do: 'cut_after_commit', times: 1 });
    await expect(rawRefresh(url, tokens.refresh)).rejects.toThrow();
    expect((await refresh(url, tokens.refresh)).status).toBe(200);
  });

  test('does not bring back a grant that was revoked', async () => {
    const { url, control, tokens } = await aGrant();
    control.setOAuth({ grace_seconds: 10 });
    await refresh(url, tokens.refresh);
    control.revokeGrants();
    expect((await refresh(url, tokens.refresh)).body.error).toBe('invalid_grant');
  });

  test('keeps no token where it could be read', async () => {
    const { url, control, tokens } = await aGrant();
    control.setOAuth({ grace_seconds: 10 });
    const { body } = await refresh(url, tokens.refresh);
    const everything = JSON.stringify([control.state(), control.ledger()]);
    for (const secret of [body.access_token, body.refresh_token]) expect(everything).not.toContain(secret);
  });
});

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
