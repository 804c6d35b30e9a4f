import { ApplicationFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import { refreshTokens, tokens, virtualConnection } from '../../support/workflows/connections.js';
import { failure } from '../../support/workflows/provider.js';
import { DAY, SECOND } from '../../support/workflows/virtual.js';
import type { Activities } from '../../../activities/index.js';

const MINUTE = 60 * SECOND;
const UNANSWERED = 'unanswered';
const AWAY: Activities['checkAccount'] = () =>
  Promise.reject(ApplicationFailure.create({ type: 'unavailable' }));
const shown =
  (account: string): Activities['checkAccount'] =>
  () =>
    Promise.resolve({ is: 'shown', account });

async function unconfirmed(checkAccount: Activities['checkAccount'], given: Partial<Activities> = {}) {
  const exchangeCode: Activities['exchangeCode'] = ({ generation, sealedCode }) =>
    Promise.resolve({
      ...tokens(generation),
      ...(sealedCode === UNANSWERED ? { checkFailed: 'unavailable' } : { account: sealedCode }),
    });
  const world = await virtualConnection({ exchangeCode, checkAccount, ...given });
  await world.connection.consent('acc-1');
  const { answer } = await world.connection.consent(UNANSWERED);
  return { ...world, answered: await answer };
}

test('unconfirmed tokens are flagged and not used while the previous tokens still refresh', async () => {
  const { connection, scene, answered } = await unconfirmed(AWAY, { refreshTokens });
  expect(answered.unconfirmed?.detail).toContain('not confirmed yet. We are checking it');
  await scene.pass(15 * MINUTE - SECOND);
  expect(connection.view()).toMatchObject({ account: { id: 'acc-1' }, attention: [] });
  await scene.pass(SECOND);
  expect(connection.view().attention).toMatchObject([{ code: 'account_unconfirmed' }]);
  expect(await (await connection.ensure(1)).answer).toMatchObject({ generation: 2 });
  await scene.pass(DAY);
  expect(connection.view()).toMatchObject({ status: 'healthy', generation: 2, account: { id: 'acc-1' } });
});

test('unconfirmed tokens replace the previous ones once a check shows the bound account', async () => {
  let isAway = true;
  const { connection, scene } = await unconfirmed((args) => (isAway ? AWAY : shown('acc-1'))(args));
  await scene.pass(20 * MINUTE);
  isAway = false;
  await scene.pass(11 * MINUTE);
  expect(connection.view()).toMatchObject({ generation: 101, attention: [], unconfirmed: undefined });
});

test('unconfirmed tokens are refused once a check shows another account', async () => {
  const { connection } = await unconfirmed(shown('acc-2'));
  const refused = {
    account: { id: 'acc-1' },
    attention: [{ code: 'other_account' }],
    unconfirmed: undefined,
  };
  expect(connection.view()).toMatchObject({ ...refused, generation: 1 });
  expect(connection.access()).toMatchObject({ sealedAccess: 'sealed-access-1' });
});

test('an account check that fails with 403 is repeated every ten minutes', async () => {
  const { connection, scene, count } = await unconfirmed(() => Promise.reject(failure('forbidden')));
  await scene.pass(30 * MINUTE);
  expect(count('checkAccount')).toBe(4);
  expect(connection.view()).toMatchObject({ generation: 1, lastFailure: { code: 'forbidden' } });
});

test('unconfirmed tokens that expire are refreshed for the check and stay unconfirmed', async () => {
  const spent: number[] = [];
  const { connection } = await unconfirmed(
    ({ generation }) => Promise.resolve(generation === 101 ? { is: 'expired' } : { is: 'not_shown' }),
    {
      refreshTokens: ({ generation, isUnconfirmed }) => {
        spent.push(generation);
        return Promise.resolve({ ...tokens(generation + 1), isUnconfirmed });
      },
    },
  );
  await connection.refreshed({ ...tokens(102), isUnconfirmed: true, sealedAccess: 'an echo' });
  expect(spent).toEqual([101]);
  expect(connection.state().unconfirmed?.tokens).toMatchObject(tokens(102));
  expect(connection.view()).toMatchObject({ generation: 1, unconfirmed: { progress: 'not_shown' } });
});

test('a refused unconfirmed grant is flagged and its late success is used only after a check', async () => {
  const { connection, scene } = await unconfirmed(
    ({ generation }) =>
      Promise.resolve(generation === 101 ? { is: 'expired' } : { is: 'shown', account: 'acc-1' }),
    { refreshTokens: () => Promise.reject(failure('grant_refused')) },
  );
  expect(connection.view()).toMatchObject({ unconfirmed: { progress: 'lost' }, generation: 1 });
  expect(connection.view().attention[0]?.next).toContain('/reauthorisation');
  await connection.refreshed({ ...tokens(102), isUnconfirmed: true });
  await scene.settle();
  expect(connection.view()).toMatchObject({ status: 'healthy', generation: 102, attention: [] });
});

test('a revocation drops unconfirmed tokens and ignores their late refresh', async () => {
  const { connection } = await unconfirmed(AWAY);
  await connection.revoke({ by: 'ops', reason: 'They left.' });
  await connection.refreshed({ ...tokens(102), isUnconfirmed: true });
  expect(connection.view()).toMatchObject({
    status: 'needs_reauthorisation',
    generation: 0,
    unconfirmed: undefined,
    account: { id: 'acc-1' },
  });
});
