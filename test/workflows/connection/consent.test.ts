import { describe, expect, test } from 'vitest';
import {
  exchangeCode,
  refreshTokens,
  tokens,
  virtualConnection,
  virtualConsented,
} from '../../support/workflows/connections.js';
import { failure, refusalIn } from '../../support/workflows/provider.js';
import { SECOND, unanswered } from '../../support/workflows/virtual.js';
import { HANDLERS as CONNECTIONS } from '../../../workflows/connection/handlers.js';
import type { ConsentRound, SealedTokens } from '../../../workflows/connection/contract.js';

const REVOCATION = { by: 'ops', reason: 'They left.' };

describe('consent', () => {
  test('is accepted once, only in the newest round and within ten minutes', async () => {
    const { connection, scene } = await virtualConnection();
    const complete = (round: { round: number; expiresAt: string }) =>
      connection.complete({ ...round, sealedCode: 'x' });
    const first = await connection.beginConsent();
    const second = await connection.beginConsent();
    expect(await complete(first).catch(refusalIn)).toBe('consent_round_unknown');
    await complete(second);
    expect(await complete(second).catch(refusalIn)).toBe('consent_round_unknown');
    const third = await connection.beginConsent();
    await scene.pass(600 * SECOND + 1);
    expect(await complete(third).catch(refusalIn)).toBe('consent_round_expired');
  });

  test('is refused in another browser than the one that used the link first', async () => {
    const { connection, count } = await virtualConnection();
    const round = { ...(await connection.beginConsent()), sealedCode: 'x' };
    const unused = connection.begin(CONNECTIONS.completeConsent, { ...round, browser: 'mine' });
    expect(await unused.catch(refusalIn)).toBe('consent_round_unknown');
    await connection.send(CONNECTIONS.useTicket, { ...round, browser: 'mine' });
    expect(await connection.complete(round, 'other').catch(refusalIn)).toBe('consent_begun_elsewhere');
    const stolen = connection.begin(CONNECTIONS.completeConsent, { ...round, browser: 'other' });
    expect(await stolen.catch(refusalIn)).toBe('consent_round_unknown');
    expect(count('exchangeCode')).toBe(0);
    await connection.complete(round, 'mine');
    expect(connection.view()).toMatchObject({ status: 'healthy' });
  });

  test('refuses a link of an earlier connection with the same id', async () => {
    const { connection: ended, scene, count } = await virtualConnection();
    const old = await ended.beginConsent();
    await scene.pass(SECOND);
    const connection = await scene.connection();
    const link = await connection.beginConsent();
    expect(link.round).toBe(old.round);
    expect(await connection.complete({ ...old, sealedCode: 'old' }).catch(refusalIn)).toBe(
      'consent_round_unknown',
    );
    expect(count('exchangeCode')).toBe(0);
    await connection.complete({ ...link, sealedCode: 'new' });
    expect(connection.view()).toMatchObject({ status: 'healthy' });
  });

  test.each([
    ['grant_refused', 'code_refused', /refused the code/],
    ['client_refused', 'client_refused', /OAUTH_CLIENT_SECRET/],
    ['rate_limited', 'rate_limited', /limited the rate/],
    ['rejected', 'rejected', /rejected our token request/],
    ['SealError', 'SealError', /TOKEN_KEYS/],
    ['unavailable', 'unavailable', /no clear answer/],
    ['malformed', 'malformed', /no clear answer/],
  ])('reports the failure %s as %s and keeps the current tokens', async (why, code, words) => {
    const { connection } = await virtualConsented({
      exchangeCode: (args) => (args.generation === 1 ? exchangeCode(args) : Promise.reject(failure(why))),
    });
    expect(await (await connection.consent()).answer.catch(refusalIn)).toBe(code);
    const { lastFailure, ...seen } = connection.view();
    expect(seen).toMatchObject({ status: 'healthy', generation: 1, attention: [] });
    expect(lastFailure).toMatchObject({ code });
    expect(lastFailure?.detail).toMatch(words);
    expect(lastFailure?.detail).toMatch(/The previous grant was not changed/);
    expect(lastFailure?.detail).not.toMatch(/accept the grant/);
  });

  test('leaves a new connection without consent if its code is refused', async () => {
    const { connection } = await virtualConnection({
      exchangeCode: () => Promise.reject(failure('grant_refused')),
    });
    expect(await (await connection.consent()).answer.catch(refusalIn)).toBe('code_refused');
    expect(connection.view()).toMatchObject({
      status: 'awaiting_consent',
      lastFailure: { code: 'code_refused' },
    });
  });
});

describe('repeated consent link with the same key', () => {
  const KEY = { key: 'job 7' };
  async function asking() {
    const { connection, scene } = await virtualConnection();
    const first = await connection.beginConsent(KEY);
    const completed = async (round: ConsentRound): Promise<unknown> => {
      try {
        return await (
          await connection.complete({ ...round, sealedCode: 'x' })
        ).answer;
      } catch (error) {
        return refusalIn(error);
      }
    };
    return { connection, scene, first, completed, again: () => connection.beginConsent(KEY) };
  }
  const GOOD = expect.objectContaining({ status: 'healthy' }) as unknown;

  test('belongs to the same round within ten minutes', async () => {
    const { scene, first, again, completed } = await asking();
    await scene.pass(599 * SECOND);
    expect(await again()).toEqual(first);
    expect(await completed(first)).toEqual(GOOD);
  });

  test('opens a new round for ten minutes after the first one expires', async () => {
    const { scene, first, again, completed } = await asking();
    await scene.pass(601 * SECOND);
    const later = await again();
    expect(later.round).toBe(first.round + 1);
    expect(await again()).toEqual(later);
    expect(await completed(first)).toBe('consent_round_unknown');
    await scene.pass(599 * SECOND);
    expect(await completed(later)).toEqual(GOOD);
  });

  test('opens a new round after the first one was used', async () => {
    const { first, again, completed } = await asking();
    await completed(first);
    const next = await again();
    expect(next.round).toBe(first.round + 1);
    expect(await completed(next)).toEqual(GOOD);
  });

  test.each([
    ['a different key', 'job 8'],
    ['no key', undefined],
  ])('opens a new round and closes a later one with %s', async (_, key) => {
    const { connection, first, again, completed } = await asking();
    const between = await connection.beginConsent({ key });
    const last = await again();
    expect([between.round, last.round]).toEqual([first.round + 1, first.round + 2]);
    for (const closed of [first, between]) expect(await completed(closed)).toBe('consent_round_unknown');
    expect(await completed(last)).toEqual(GOOD);
  });
});

async function overlapping() {
  const exchanges = new Map<string, ReturnType<typeof unanswered<SealedTokens>>>();
  const generations = new Map<string, number>();
  const world = await virtualConnection({
    refreshTokens,
    exchangeCode: ({ generation, sealedCode }) => {
      const exchange = unanswered<SealedTokens>();
      exchanges.set(sealedCode, exchange);
      generations.set(sealedCode, generation);
      return exchange.answer;
    },
  });
  const { answer: first } = await world.connection.consent('first');
  const { answer: second } = await world.connection.consent('second');
  const end = async (code: string, error?: Error): Promise<void> => {
    const pair = { ...tokens(generations.get(code) ?? 0), sealedAccess: `access of ${code}` };
    if (error === undefined) exchanges.get(code)?.open(pair);
    else exchanges.get(code)?.fail(error);
    await world.scene.settle();
  };
  return { ...world, first, second, end };
}

describe('two overlapping consents', () => {
  test.each([[['first', 'second']], [['second', 'first']]] as const)(
    'end with the tokens of the second if answered in the order %j',
    async (order) => {
      const { connection, first, second, end } = await overlapping();
      for (const code of order) await end(code);
      expect(await first).toMatchObject({ status: 'healthy' });
      expect(await second).toMatchObject({ status: 'healthy' });
      const { generation = 0, sealedAccess } = connection.access();
      expect(sealedAccess).toBe('access of second');
      expect(await (await connection.ensure(generation)).answer).toMatchObject({
        generation: generation + 1,
      });
    },
  );

  test('keep the tokens of the first if the code of the second is refused', async () => {
    const { connection, first, second, end } = await overlapping();
    await end('second', failure('grant_refused'));
    expect(await second.catch(refusalIn)).toBe('code_refused');
    await end('first');
    expect(await first).toMatchObject({ status: 'healthy' });
    expect(connection.access()).toMatchObject({ sealedAccess: 'access of first' });
  });

  test('are both dropped by our revocation and a later consent succeeds', async () => {
    const { connection, first, second, end } = await overlapping();
    await connection.revoke(REVOCATION);
    for (const code of ['first', 'second']) await end(code);
    expect(await first.catch(refusalIn)).toBe('consent_round_unknown');
    expect(await second.catch(refusalIn)).toBe('consent_round_unknown');
    expect(connection.view()).toMatchObject({ status: 'needs_reauthorisation', generation: 0 });
    const { answer: completed } = await connection.consent('third');
    await end('third');
    expect(await completed).toMatchObject({ status: 'healthy', attention: [] });
  });
});

describe('revocation by us', () => {
  test('drops the tokens, answers waiting callers and ends only with a new consent', async () => {
    const { connection, count } = await virtualConsented();
    const round = await connection.beginConsent();
    await connection.revoke(REVOCATION);
    expect(connection.view()).toMatchObject({ status: 'needs_reauthorisation', generation: 0 });
    expect(connection.view().attention[0]?.detail).toContain('ops revoked our tokens: They left.');
    expect(JSON.stringify(connection.state())).not.toContain('sealed-');
    expect(await (await connection.ensure(1)).answer).toEqual({ status: 'needs_reauthorisation' });
    expect(await connection.complete({ ...round, sealedCode: 'x' }).catch(refusalIn)).toBe(
      'consent_round_unknown',
    );
    for (const generation of [1, 2]) await connection.refreshed(tokens(generation));
    expect(connection.view()).toMatchObject({ status: 'needs_reauthorisation', generation: 0 });
    const before = count('resumeBlocked');
    expect(await (await connection.consent()).answer).toMatchObject({ status: 'healthy', attention: [] });
    expect(count('resumeBlocked')).toBe(before + 1);
  });

  test('overrides a refresh and a consent in flight', async () => {
    const [refresh, exchange] = [unanswered<SealedTokens>(), unanswered<SealedTokens>()];
    const { connection, scene } = await virtualConsented({
      refreshTokens: () => refresh.answer,
      exchangeCode: (args) => (args.generation === 1 ? exchangeCode(args) : exchange.answer),
    });
    const { answer: access } = await connection.ensure(1);
    const { answer: completed } = await connection.consent();
    await connection.revoke(REVOCATION);
    expect(await access).toEqual({ status: 'needs_reauthorisation' });
    refresh.open(tokens(2));
    exchange.open(tokens(101));
    await scene.settle();
    expect(await completed.catch(refusalIn)).toBe('consent_round_unknown');
    expect(connection.view()).toMatchObject({ status: 'needs_reauthorisation', generation: 0 });
  });
});
