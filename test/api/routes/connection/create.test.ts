import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { accountHash } from '../../../../payments-api/account-hash.js';
import { CONSENT_TICKET_CONTEXT } from '../../../../sealing/contexts.js';
import { open } from '../../../../sealing/keyring.js';
import { KEYS, aRound, anApi, get, post, sentOf } from '../../../support/api/app.js';
import type { ConnectionView } from '../../../../workflows/connection/contract.js';
import { aConnectionView, problemIn } from '../../../support/api/builders.js';

const refusing = anApi();

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
  test('answers 201 with a link that contains a sealed state', async () => {
    const api = anApi();
    api.door.connections.view.mockResolvedValue(undefined);
    const response = await post(api, '/v1/connections', { id: 'acme' });
    expect(response.status).toBe(201);
    const { status, authorize_url } = await answerIn(response);
    const [, ticket = ''] = /^https:\/\/api\.test\/oauth\/begin\/(.+)$/.exec(authorize_url ?? '') ?? [];
    expect(status).toBe('awaiting_consent');
    expect(ticket).not.toContain('acme');
    expect(JSON.parse(open(api.sessionKeys, ticket, CONSENT_TICKET_CONTEXT))).toEqual({
      connection: 'acme',
      ...aRound(),
    });
  });

  const ACCOUNT = { nickname: 'Acme', abn: '53004085616' };
  test.each([
    [true, {}, undefined],
    [false, { expected_account: ACCOUNT }, accountHash({ account: ACCOUNT })],
  ])('states who may consent first (confirmation: %s, %j)', async (needsConfirmation, body, expected) => {
    const api = anApi({ consent: { needsConfirmation } });
    api.door.connections.view.mockResolvedValue(undefined);
    await post(api, '/v1/connections', { id: 'acme', ...body });
    expect(api.door.connections.begin.mock.calls).toEqual([
      ['acme', { expectedAccount: expected, isOperator: true, needsConfirmation }],
    ]);
  });

  test('does not let a backend act as an operator', async () => {
    const api = anApi();
    api.door.connections.view.mockResolvedValue(undefined);
    await post(api, '/v1/connections', { id: 'acme' }, { authorization: `Bearer ${KEYS.write}` });
    expect(api.door.connections.begin.mock.lastCall?.[1]?.isOperator).toBe(false);
  });

  test('refuses to expect another account than the bound one', async () => {
    const api = anApi();
    api.door.connections.view.mockResolvedValue(aConnectionView({ account: { id: 'another' } }));
    const sent = await post(api, '/v1/connections', { id: 'acme', expected_account: ACCOUNT });
    expect(await problemIn(sent)).toMatchObject({ status: 409, code: 'other_account' });
    expect(api.door.connections.begin).not.toHaveBeenCalled();
  });

  test.each([
    ['https://app.test/done', 201],
    ['https://app.test/done?merchant=7', 201],
    ['https://app.test/done#x', 400],
    ['https://me@app.test/done', 400],
    ['https://app.test/done/more', 400],
    ['https://app.test.evil/done', 400],
    ['http://app.test/done', 400],
    ['javascript:alert(1)', 400],
  ])('allows a return only to listed pages (%s: %i)', async (returnUrl, status) => {
    for (const path of ['/v1/connections', '/v1/connections/acme/reauthorisation']) {
      const api = anApi({ consent: { returnUrls: ['https://app.test/done'] } });
      const isNew = path === '/v1/connections';
      api.door.connections.view.mockResolvedValue(isNew ? undefined : aConnectionView());
      const sent = await post(api, path, { ...(isNew && { id: 'acme' }), return_url: returnUrl });
      expect(sent.status).toBe(isNew || status === 400 ? status : 200);
      if (status === 400) expect(await problemIn(sent)).toMatchObject({ pointers: ['/return_url'] });
    }
  });

  test('opens no new round for a healthy connection', async () => {
    const api = anApi();
    const response = await post(api, '/v1/connections', { id: 'acme' });
    expect(response.status).toBe(200);
    expect(await answerIn(response)).toMatchObject({ status: 'healthy', authorize_url: null });
    expect(api.door.connections.begin).not.toHaveBeenCalled();
  });

  test.each(['awaiting_consent', 'needs_reauthorisation'] as const)(
    'returns a new link for a connection in status %s',
    async (status) => {
      const api = anApi();
      api.door.connections.view.mockResolvedValue(aConnectionView({ status }));
      const response = await post(api, '/v1/connections', { id: 'acme' });
      expect(response.status).toBe(200);
      expect((await answerIn(response)).authorize_url).toMatch(/^https:\/\/api\.test\/oauth\/begin\//);
    },
  );

  test('answers 400 without an id and Idempotency-Key', async () => {
    for (const body of ['{}', '']) {
      const problem = await problemIn(await post(refusing, '/v1/connections', body));
      expect(problem).toMatchObject({ status: 400, code: 'idempotency_key_required' });
    }
    expect(refusing.door.connections.begin).not.toHaveBeenCalled();
  });

  test('derives the same id from the same key, with or without a body', async () => {
    const send = async (body: string) =>
      answerIn(await post(anApi(), '/v1/connections', body, { 'idempotency-key': 'merchant 7' }));
    const { id } = await send('{}');
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect((await send('')).id).toBe(id);
  });

  test('answers 400 for an unknown field', async () => {
    const problem = await problemIn(await post(refusing, '/v1/connections', { id: 'acme', name: 'x' }));
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request', pointers: ['/name'] });
  });
});

describe('existing connection', () => {
  test('gets a new link on reauthorisation, also while healthy', async () => {
    const response = await post(anApi(), '/v1/connections/acme/reauthorisation', '');
    expect(response.status).toBe(200);
    expect((await answerIn(response)).authorize_url).toMatch(/^https:\/\/api\.test\/oauth\/begin\//);
  });

  test.each([undefined, 'reminder 7'])('gets the digest of the key %j on reauthorisation', async (key) => {
    const api = anApi();
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
    await post(api, '/v1/connections/acme/reauthorisation', '', headers);
    expect(api.door.connections.reauthorise.mock.calls).toEqual([
      ['acme', { key: key && (expect.stringMatching(/^[0-9a-f]{32}$/) as string), needsConfirmation: false }],
    ]);
  });

  const ACCEPTING = { accept_other_account: true, reason: 'They have a new account.' };
  const sendReauthorisation = (body: unknown, key: string = KEYS.all) => {
    const api = anApi();
    const sent = post(api, '/v1/connections/acme/reauthorisation', body, { authorization: `Bearer ${key}` });
    return { reauthorise: api.door.connections.reauthorise, sent };
  };

  test('gets the principal and reason if a reauthorisation accepts another account', async () => {
    const { reauthorise, sent } = sendReauthorisation(ACCEPTING);
    expect((await sent).status).toBe(200);
    const acceptance = { by: KEYS.all, reason: ACCEPTING.reason };
    expect(reauthorise.mock.calls).toEqual([['acme', { acceptance, needsConfirmation: false }]]);
  });

  test.each<[number, string, unknown, string]>([
    [403, 'insufficient_scope', ACCEPTING, KEYS.write],
    [400, 'invalid_request', { accept_other_account: true }, KEYS.all],
    [400, 'invalid_request', { reason: ACCEPTING.reason }, KEYS.all],
    [400, 'invalid_request', { ...ACCEPTING, accept_other_account: false }, KEYS.all],
  ])('refuses reauthorisation with %i %s for %j and opens no round', async (status, code, body, key) => {
    const { reauthorise, sent } = sendReauthorisation(body, key);
    expect(await problemIn(await sent)).toMatchObject({ status, code });
    expect(reauthorise).not.toHaveBeenCalled();
  });

  test.each([
    ['pay_to_agreements', ['pay_to_agreements'], ['pay_to_payments']],
    ['pay_to_payments  pay_to_agreements other', ['pay_to_payments', 'pay_to_agreements', 'other'], []],
    ['', null, []],
    [undefined, null, []],
  ])('shows the granted scopes (%s), the needed and the missing ones', async (scope, granted, missing) => {
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
    ['healthy', { scope: 'pay_to_agreements pay_to_payments' }, /^No action needed: /],
    [
      'healthy without a scope',
      { scope: 'pay_to_agreements' },
      /missing scopes \(pay_to_payments\): POST \/v1\/connections\/acme\/reauthorisation/,
    ],
    ['flagged', { attention: [flag] }, /^Mend it\.$/],
    [
      'awaiting_consent',
      { status: 'awaiting_consent', scope: undefined },
      /^POST \/v1\/connections\/acme\/reauthorisation/,
    ],
  ])('shows the next step for a person if it is %s', async (_, with_, next) => {
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

  test('passes on the principal and reason, and returns the connection', async () => {
    const { api, sent } = revocation({ reason: 'The merchant has left.' });
    const response = await sent;
    expect(response.status).toBe(200);
    expect(await answerIn(response)).toMatchObject({ id: 'acme', authorize_url: null });
    expect(api.door.connections.revoke.mock.calls).toEqual([
      ['acme', { by: KEYS.operate, reason: 'The merchant has left.' }],
    ]);
  });

  test.each([{}, { reason: '' }, { reason: 'x'.repeat(257) }, { reason: 'a', by: 'me' }, [], 'reason'])(
    'answers 400 for %j',
    async (body) => {
      const { api, sent } = revocation(body);
      expect(await problemIn(await sent)).toMatchObject({ status: 400 });
      expect(sentOf(api.door)).toBe(0);
    },
  );
});

describe('POST /v1/connections/{id}/confirmation', () => {
  const ACCOUNT = { nickname: 'Acme', abn: '53004085616' };
  const REASON = { reason: 'Called back.' };
  const path = '/v1/connections/acme/confirmation';

  test.each([
    [{ expected_account: ACCOUNT }, accountHash({ account: ACCOUNT })],
    [{ account: 'unknown' }, 'unknown'],
  ])('passes on the account, the principal and the reason (%j)', async (body, account) => {
    const api = anApi();
    const headers = { authorization: `Bearer ${KEYS.operate}` };
    expect((await post(api, path, { ...body, ...REASON }, headers)).status).toBe(200);
    expect(api.door.connections.confirm.mock.calls).toEqual([
      ['acme', { account, by: KEYS.operate, ...REASON }],
    ]);
    expect(api.audited).toMatchObject([{ action: 'confirmConnection', outcome: 'done' }]);
  });

  test.each([{}, REASON, { account: 'x' }, { account: 'x', expected_account: ACCOUNT, ...REASON }])(
    'answers 400 for %j',
    async (body) => {
      expect((await post(refusing, path, body)).status).toBe(400);
      expect(sentOf(refusing.door)).toBe(0);
    },
  );

  test('is requested while an account waits for it', async () => {
    const api = anApi();
    const unconfirmed = {
      since: '2026-10-01T01:00:00.000Z',
      progress: 'to_confirm',
      account: undefined,
      detail: 'd',
    } as const;
    api.door.connections.view.mockResolvedValue(aConnectionView({ unconfirmed }));
    const { account_check } = await answerIn(await get(api, '/v1/connections/acme'));
    expect(account_check).toMatchObject({ state: 'to_confirm', account: 'unknown' });
  });
});

test('GET /v1/connections lists by status', async () => {
  const api = anApi();
  api.door.connections.list.mockResolvedValue({ items: [aConnectionView({ id: 'acme' })], next: undefined });
  const response = await get(api, '/v1/connections?state=healthy&attention=forbidden');
  expect(await response.json()).toMatchObject({ data: [{ id: 'acme', status: 'healthy' }], links: {} });
  expect(api.door.connections.list.mock.lastCall?.[0].filter).toMatchObject({
    states: ['healthy'],
    attention: 'forbidden',
  });
});
