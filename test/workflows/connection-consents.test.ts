// Consents that overlap, fail, or leave something unsaid: the newest pair is kept, and nothing untrue is noted.
import { describe, expect, test } from 'vitest';
import { beginConsent, completeConsent, ensureGeneration, getAccess, revokeConnection, tokensRotated } from '../../workflows/connection/contract.js'; // prettier-ignore
import { eventually, useTemporal } from '../support/temporal.js';
import { consentTo, consented, exchangeCode, startConnection, tokens, until, view } from './connections.js';
import { failure, only, refusalIn } from './provider.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { SealedTokens } from '../../workflows/connection/contract.js';

const temporal = useTemporal();

/** Exchanges that end when a test lets them, each by its code; what they bring tells the code that it came of. */
function heldExchanges() {
  const doors = new Map<string, () => void>();
  const held = async (args: { generation: number; sealedCode: string }): Promise<SealedTokens> => {
    const { generation, sealedCode } = args;
    await new Promise<void>((resolve) => doors.set(sealedCode, resolve));
    return { ...tokens(generation), sealedAccess: `access of ${sealedCode}` };
  };
  const underWay = (code: string) => eventually(() => Promise.resolve(doors.has(code)), Boolean);
  return { held, underWay, letGo: (code: string) => doors.get(code)?.() };
}

/** Two people, the second back before the first one's code has been exchanged. */
async function overlapping(handle: WorkflowHandle, { underWay }: ReturnType<typeof heldExchanges>) {
  const comesBack = async (sealedCode: string) => {
    const { round } = await handle.executeUpdate(beginConsent);
    const answer = handle.executeUpdate(completeConsent, { args: [{ round, sealedCode }] });
    answer.catch(() => undefined);
    await underWay(sealedCode);
    return { answer };
  };
  return { first: await comesBack('first'), second: await comesBack('second') };
}

describe('two consents of which the second comes while the first is being exchanged', () => {
  test.each([[['first', 'second']], [['second', 'first']]] as const)(
    'end with the pair of the second, and its grant is renewed: answered in the order %j',
    async (order) => {
      const exchanges = heldExchanges();
      const refreshTokens = ({ generation }: { generation: number }) => Promise.resolve(tokens(generation + 1)); // prettier-ignore
      await temporal.run(only({ exchangeCode: exchanges.held, refreshTokens }), async () => {
        const handle = await startConnection(temporal);
        const answers = await overlapping(handle, exchanges);
        for (const code of order) {
          exchanges.letGo(code);
          expect(await answers[code].answer).toMatchObject({ status: 'healthy' });
        }
        const { generation = 0, sealedAccess } = await handle.query(getAccess);
        expect(sealedAccess).toBe('access of second');
        const renewed = await handle.executeUpdate(ensureGeneration, { args: [{ after: generation }] });
        expect(renewed).toMatchObject({ generation: generation + 1 });
      });
    },
  );

  test('keep the pair of the first where the code of the second is refused', async () => {
    const exchanges = heldExchanges();
    const exchangeCode: typeof exchanges.held = async (args) => {
      const pair = await exchanges.held(args);
      if (args.sealedCode === 'second') throw failure('grant_refused');
      return pair;
    };
    await temporal.run(only({ exchangeCode }), async () => {
      const handle = await startConnection(temporal);
      const { first, second } = await overlapping(handle, exchanges);
      exchanges.letGo('second');
      expect(await second.answer.catch(refusalIn)).toBe('code_refused');
      exchanges.letGo('first');
      expect(await first.answer).toMatchObject({ status: 'healthy' });
      expect(await handle.query(getAccess)).toMatchObject({ sealedAccess: 'access of first' });
    });
  });

  test('are both given up by a revocation of ours, and the next consent is not', async () => {
    const exchanges = heldExchanges();
    await temporal.run(only({ exchangeCode: exchanges.held }), async () => {
      const handle = await startConnection(temporal);
      const { first, second } = await overlapping(handle, exchanges);
      await handle.executeUpdate(revokeConnection, { args: [{ by: 'ops', reason: 'r' }] });
      for (const code of ['first', 'second']) exchanges.letGo(code);
      expect(await first.answer.catch(refusalIn)).toBe('consent_round_unknown');
      expect(await second.answer.catch(refusalIn)).toBe('consent_round_unknown');
      expect(await view(handle)).toMatchObject({ status: 'needs_reauthorisation', generation: 0 });
      const next = consentTo(handle);
      await exchanges.underWay('sealed');
      exchanges.letGo('sealed');
      expect(await next).toMatchObject({ status: 'healthy', attention: [] });
    });
  });
});

describe('a consent that comes to nothing', () => {
  test.each([
    ['grant_refused', 'code_refused', /refused the code/],
    ['client_refused', 'client_refused', /OAUTH_CLIENT_SECRET/],
    ['rate_limited', 'rate_limited', /slow down/],
    ['rejected', 'rejected', /fault with our request/],
    ['SealError', 'SealError', /ENCRYPTION_KEYS/],
    ['unavailable', 'unavailable', /no clear answer/],
    ['malformed', 'malformed', /no clear answer/],
  ])('with %s is refused as %s, and says nothing against the tokens that stand', async (why, code, words) => {
    const exchange: typeof exchangeCode = (args) => (args.generation === 1 ? exchangeCode(args) : Promise.reject(failure(why))); // prettier-ignore
    await temporal.run(only({ exchangeCode: exchange }), async () => {
      const handle = await consented(temporal);
      expect(await consentTo(handle).catch(refusalIn)).toBe(code);
      const { lastFailure, ...seen } = await view(handle);
      expect(seen).toMatchObject({ status: 'healthy', generation: 1, attention: [] });
      expect(lastFailure).toMatchObject({ code });
      expect(lastFailure?.detail).toMatch(words);
      expect(lastFailure?.detail).toMatch(/What stood before stands/);
      expect(lastFailure?.detail).not.toMatch(/accept the grant/);
    });
  });
});

describe('scopes that a server leaves out', () => {
  const silent = (generation: number): SealedTokens => ({ ...tokens(generation), scope: '' });
  const scopeOf = async (handle: WorkflowHandle) => (await view(handle)).scope;

  test('of a renewal are what they were, by signal as by result', async () => {
    const refreshTokens = ({ generation }: { generation: number }) => Promise.resolve(silent(generation + 1));
    await temporal.run(only({ exchangeCode, refreshTokens }), async () => {
      const handle = await consented(temporal);
      await handle.executeUpdate(ensureGeneration, { args: [{ after: 1 }] });
      expect(await view(handle)).toMatchObject({ generation: 2, scope: 'pay_to_agreements' });
      await handle.signal(tokensRotated, silent(3));
      expect(await until(handle, ({ generation }) => generation === 3)).toMatchObject({ scope: 'pay_to_agreements' }); // prettier-ignore
      await handle.signal(tokensRotated, { ...silent(4), scope: 'pay_to_payments' });
      expect(await until(handle, ({ generation }) => generation === 4)).toMatchObject({ scope: 'pay_to_payments' }); // prettier-ignore
    });
  });

  test('of a new consent are not known: it may be for others than before', async () => {
    const exchange: typeof exchangeCode = ({ generation }) => Promise.resolve(generation === 1 ? tokens(1) : silent(generation)); // prettier-ignore
    await temporal.run(only({ exchangeCode: exchange }), async () => {
      const handle = await consented(temporal);
      expect(await scopeOf(handle)).toBe('pay_to_agreements');
      await consentTo(handle);
      expect(await scopeOf(handle)).toBe('');
    });
  });
});

describe('who speaks of a generation that there has never been', () => {
  test('is answered with what stands, and nothing is renewed to catch up with it', async () => {
    const spent: number[] = [];
    const refreshTokens = ({ generation }: { generation: number }) => {
      spent.push(generation);
      return Promise.resolve(tokens(generation + 1));
    };
    await temporal.run(only({ exchangeCode, refreshTokens }), async () => {
      const handle = await consented(temporal);
      const ask = (after: number) => handle.executeUpdate(ensureGeneration, { args: [{ after }] });
      expect(await ask(101)).toMatchObject({ generation: 1, status: 'healthy' });
      expect(await ask(1)).toMatchObject({ generation: 2 });
      expect(spent).toEqual([1]);
    });
  });
});
