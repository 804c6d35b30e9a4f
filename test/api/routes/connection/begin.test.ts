import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { OAUTH_STATE_CONTEXT } from '../../../../sealing/contexts.js';
import { open } from '../../../../sealing/keyring.js';
import { KEYS, aRound, anApi, get, post, sentOf } from '../../../support/api/app.js';
import type { ConnectionView } from '../../../../workflows/connection/contract.js';
import { aConnectionView, problemIn } from '../../../support/api/builders.js';

const Answer = z.object({
  data: z.looseObject({
    id: z.string(),
    status: z.string(),
    authorize_url: z.string().nullable(),
    next: z.string(),
  }),
});
const answerIn = async (response: Response) => Answer.parse(await response.json()).data;

describe('POST /v1/connections', () => {
  test('201 with a link whose state is sealed', async () => {
    const api = anApi();
    api.door.connections.view.mockResolvedValue(undefined);
    const response = await post(api, '/v1/connections', { id: 'acme' });
    expect(response.status).toBe(201);
    const { status, authorize_url } = await answerIn(response);
    const link = new URL(authorize_url ?? '');
    expect(status).toBe('awaiting_consent');
    expect(link.origin + link.pathname).toBe('https://auth.test/oauth/authorize');
    expect(Object.fromEntries(link.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'our-client',
      redirect_uri: 'https://api.test/oauth/callback',
      scope: 'pay_to_agreements pay_to_payments',
    });
    const state = link.searchParams.get('state') ?? '';
    expect(state).not.toContain('acme');
    expect(JSON.parse(open(api.keyring, state, OAUTH_STATE_CONTEXT))).toEqual({
      connection: 'acme',
      ...aRound(),
    });
  });

  test('a repeat of one that is healthy opens no new round', async () => {
    const api = anApi();
    const response = await post(api, '/v1/connections', { id: 'acme' });
    expect(response.status).toBe(200);
    expect(await answerIn(response)).toMatchObject({ status: 'healthy', authorize_url: null });
    expect(api.door.connections.begin).not.toHaveBeenCalled();
  });

  test.each(['awaiting_consent', 'needs_reauthorisation'] as const)(
    'a repeat of one that is %s gives a fresh link',
    async (status) => {
      const api = anApi();
      api.door.connections.view.mockResolvedValue(aConnectionView({ status }));
      const response = await post(api, '/v1/connections', { id: 'acme' });
      expect(response.status).toBe(200);
      expect((await answerIn(response)).authorize_url).toMatch(/^https:\/\/auth\.test/);
    },
  );

  test('400 when neither the body nor a key says which connection it is', async () => {
    const api = anApi();
    for (const body of ['{}', '']) {
      const problem = await problemIn(await post(api, '/v1/connections', body));
      expect(problem).toMatchObject({ status: 400, code: 'idempotency_key_required' });
    }
    expect(api.door.connections.begin).not.toHaveBeenCalled();
  });

  test('the same key is the same connection, with or without a body', async () => {
    const send = async (body: string) =>
      answerIn(await post(anApi(), '/v1/connections', body, { 'idempotency-key': 'merchant 7' }));
    const { id } = await send('{}');
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect((await send('')).id).toBe(id);
  });

  test('400 for an unknown field', async () => {
    const problem = await problemIn(await post(anApi(), '/v1/connections', { id: 'acme', name: 'x' }));
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request', pointers: ['/name'] });
  });
});

describe('a connection that exists', () => {
  test('reauthorisation gives a fresh link, even while it is healthy', async () => {
    const response = await post(anApi(), '/v1/connections/acme/reauthorisation', '');
    expect(response.status).toBe(200);
    expect((await answerIn(response)).authorize_url).toMatch(/^https:\/\/auth\.test/);
  });

  test.each([undefined, 'reminder 7'])(
    'reauthorisation with the key %j passes on what it is known by',
    async (key) => {
      const api = anApi();
      const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
      await post(api, '/v1/connections/acme/reauthorisation', '', headers);
      expect(api.door.connections.renew.mock.calls).toEqual([
        ['acme', { key: key && (expect.stringMatching(/^[0-9a-f]{32}$/) as string) }],
      ]);
    },
  );

  const ACCEPTING = { accept_other_account: true, reason: 'They have a new account.' };
  const reauthorise = (body: unknown, key: string = KEYS.all) => {
    const api = anApi();
    const sent = post(api, '/v1/connections/acme/reauthorisation', body, { authorization: `Bearer ${key}` });
    return { renew: api.door.connections.renew, sent };
  };

  test('reauthorisation that accepts another account passes on who does, and why', async () => {
    const { renew, sent } = reauthorise(ACCEPTING);
    expect((await sent).status).toBe(200);
    const acceptance = { by: KEYS.all, reason: ACCEPTING.reason };
    expect(renew.mock.calls).toEqual([['acme', { acceptance }]]);
  });

  test.each<[number, string, unknown, string]>([
    [403, 'insufficient_scope', ACCEPTING, KEYS.write],
    [400, 'invalid_request', { accept_other_account: true }, KEYS.all],
    [400, 'invalid_request', { reason: ACCEPTING.reason }, KEYS.all],
    [400, 'invalid_request', { ...ACCEPTING, accept_other_account: false }, KEYS.all],
  ])('reauthorisation is %i %s for %j, and no round is opened', async (status, code, body, key) => {
    const { renew, sent } = reauthorise(body, key);
    expect(await problemIn(await sent)).toMatchObject({ status, code });
    expect(renew).not.toHaveBeenCalled();
  });

  test.each([
    ['pay_to_agreements', ['pay_to_agreements'], ['pay_to_payments']],
    ['pay_to_payments  pay_to_agreements other', ['pay_to_payments', 'pay_to_agreements', 'other'], []],
    ['', null, []],
    [undefined, null, []],
  ])('GET shows what was granted (%s) against what is needed', async (scope, granted, missing) => {
    const api = anApi();
    api.door.connections.view.mockResolvedValue(aConnectionView({ scope }));
    expect(await answerIn(await get(api, '/v1/connections/acme'))).toMatchObject({
      scopes: { granted, needed: ['pay_to_agreements', 'pay_to_payments'], missing },
    });
  });

  const flag = {
    code: 'forbidden' as const,
    since: '2026-10-01T01:00:00.000Z',
    detail: 'd',
    next: 'Mend it.',
  };
  test.each<[string, Partial<ConnectionView>, RegExp]>([
    ['healthy', { scope: 'pay_to_agreements pay_to_payments' }, /^Nothing: /],
    [
      'healthy without a scope',
      { scope: 'pay_to_agreements' },
      /pay_to_payments is missing: POST \/v1\/connections\/acme\/reauthorisation/,
    ],
    ['flagged', { attention: [flag] }, /^Mend it\.$/],
    [
      'awaiting_consent',
      { status: 'awaiting_consent', scope: undefined },
      /^POST \/v1\/connections\/acme\/reauthorisation/,
    ],
  ])('GET of one that is %s says what a person should do now', async (_, with_, next) => {
    const api = anApi();
    api.door.connections.view.mockResolvedValue(aConnectionView(with_));
    expect((await answerIn(await get(api, '/v1/connections/acme'))).next).toMatch(next);
  });
});

describe('POST /v1/connections/{id}/revocation', () => {
  const revocation = (body: unknown, key: string = KEYS.operate) => {
    const api = anApi();
    const sent = post(api, '/v1/connections/acme/revocation', body, { authorization: `Bearer ${key}` });
    return { api, sent };
  };

  test('is passed on with who asked and why, and answers what stands then', async () => {
    const { api, sent } = revocation({ reason: 'The merchant has left.' });
    const response = await sent;
    expect(response.status).toBe(200);
    expect(await answerIn(response)).toMatchObject({ id: 'acme', authorize_url: null });
    expect(api.door.connections.revoke.mock.calls).toEqual([
      ['acme', { by: KEYS.operate, reason: 'The merchant has left.' }],
    ]);
  });

  test.each([{}, { reason: '' }, { reason: 'x'.repeat(257) }, { reason: 'a', by: 'me' }, [], 'reason'])(
    '400 for %j',
    async (body) => {
      const { api, sent } = revocation(body);
      expect(await problemIn(await sent)).toMatchObject({ status: 400 });
      expect(sentOf(api.door)).toBe(0);
    },
  );
});
