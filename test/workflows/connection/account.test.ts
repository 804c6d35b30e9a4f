import { describe, expect, test } from 'vitest';
import { tokens, virtualConnection } from '../../support/workflows/connections.js';
import { refusalIn } from '../../support/workflows/provider.js';
import { DAY, SECOND } from '../../support/workflows/virtual.js';
import type { Activities } from '../../../activities/index.js';

const ACCEPTED = { acceptance: { by: 'ops', reason: 'They have a new account.' } };
const UNSEEN = 'unseen';

const exchangeCode: Activities['exchangeCode'] = ({ generation, sealedCode }) =>
  Promise.resolve({ ...tokens(generation), account: sealedCode === UNSEEN ? undefined : sealedCode });

async function consentedBy(...accounts: string[]) {
  const world = await virtualConnection({ exchangeCode });
  for (const account of accounts) await (await world.connection.consent(account)).answer;
  return world;
}

test('a consent of another account is refused and flagged and its tokens are dropped', async () => {
  const { connection } = await consentedBy('acc-1');
  const { answer: completed } = await connection.consent('acc-2');
  expect(await completed.catch(refusalIn)).toBe('other_account');
  expect(connection.view()).toMatchObject({
    status: 'healthy',
    generation: 1,
    account: { id: 'acc-1' },
    attention: [{ code: 'other_account' }],
    lastFailure: { code: 'other_account' },
  });
  expect(connection.access()).toMatchObject({ sealedAccess: 'sealed-access-1' });
  const { detail, next } = connection.view().attention[0] ?? {};
  expect(detail).toMatch(/acc-2.*acc-1/);
  expect(next).toMatch(/accept_other_account/);
  await connection.refreshed(tokens(2));
  expect(connection.view()).toMatchObject({ generation: 2, attention: [{ code: 'other_account' }] });
  await (
    await connection.consent('acc-1')
  ).answer;
  expect(connection.view()).toMatchObject({ account: { id: 'acc-1' }, attention: [] });
});

test('a consent of another account is refused after a revocation', async () => {
  const { connection } = await consentedBy('acc-1');
  await connection.revoke({ by: 'ops', reason: 'They left.' });
  expect(await (await connection.consent('acc-2')).answer.catch(refusalIn)).toBe('other_account');
  expect(connection.view()).toMatchObject({ status: 'needs_reauthorisation', generation: 0 });
});

test('a token answer without an account leaves a new connection unbound until the next consent', async () => {
  const { connection } = await consentedBy(UNSEEN);
  expect(connection.view()).toMatchObject({ status: 'healthy', attention: [], account: { id: undefined } });
  await (
    await connection.consent('acc-1')
  ).answer;
  expect(connection.view()).toMatchObject({ account: { id: 'acc-1' }, unconfirmed: undefined });
});

test('a token answer without an account is flagged and not used by a bound connection', async () => {
  const { connection, scene } = await consentedBy('acc-1', UNSEEN);
  const standing = { status: 'healthy', generation: 1, account: { id: 'acc-1' } };
  await scene.pass(DAY);
  expect(connection.view()).toMatchObject({
    ...standing,
    unconfirmed: { progress: 'not_shown' },
    attention: [{ code: 'account_unconfirmed' }],
  });
  expect(connection.access()).toMatchObject({ sealedAccess: 'sealed-access-1' });
  expect(await (await connection.consent('acc-2')).answer.catch(refusalIn)).toBe('other_account');
  expect(connection.view()).toMatchObject(standing);
  await (
    await connection.consent('acc-1')
  ).answer;
  expect(connection.view()).toMatchObject({ attention: [], unconfirmed: undefined });
});

test('a round that accepts another account binds the connection to it once, with the reason', async () => {
  const { connection, scene } = await consentedBy('acc-1');
  const refused = await connection.consent('acc-2');
  await refused.answer.catch(() => undefined);
  const at = scene.now();
  await (
    await connection.consent('acc-2', ACCEPTED)
  ).answer;
  const account = { id: 'acc-2', accepted: { ...ACCEPTED.acceptance, at } };
  expect(connection.view()).toMatchObject({ status: 'healthy', attention: [], account });
  expect(await (await connection.consent('acc-1')).answer.catch(refusalIn)).toBe('other_account');
  expect(connection.view()).toMatchObject({ account });
});

test('a round that accepts another account unbinds the connection if the answer has none', async () => {
  const { connection } = await consentedBy('acc-1');
  await (
    await connection.consent(UNSEEN, ACCEPTED)
  ).answer;
  expect(connection.view().account).toMatchObject({ id: undefined });
  await (
    await connection.consent('acc-2')
  ).answer;
  expect(connection.view().account).toMatchObject({ id: 'acc-2', accepted: ACCEPTED.acceptance });
});

test('a repeated key opens a new round if it now accepts another account', async () => {
  const { connection, scene } = await consentedBy('acc-1');
  const first = await connection.beginConsent({ key: 'k' });
  const second = await connection.beginConsent({ key: 'k', ...ACCEPTED });
  await scene.pass(SECOND);
  expect(second.round).toBe(first.round + 1);
  expect(await connection.beginConsent({ key: 'k', ...ACCEPTED })).toEqual(second);
  expect(await connection.beginConsent({ key: 'k' })).not.toEqual(second);
});

describe('the first account', () => {
  const EXPECTED = { expectedAccount: 'acc-1', needsConfirmation: true };
  const WAITS = { status: 'awaiting_consent', generation: 0, unconfirmed: { progress: 'to_confirm' } };
  const CONFIRMATION = { by: 'ops', reason: 'Called back.' };

  test('is used at once only if it is the expected one', async () => {
    const { connection } = await consentedBy();
    const { answer: refused } = await connection.consent('acc-2', EXPECTED);
    expect(await refused.catch(refusalIn)).toBe('other_account');
    expect(connection.view()).toMatchObject({ status: 'awaiting_consent', generation: 0 });
    await (
      await connection.consent('acc-1', { needsConfirmation: true })
    ).answer;
    expect(connection.view()).toMatchObject({ status: 'healthy', account: { id: 'acc-1' } });
  });

  test.each([EXPECTED, { needsConfirmation: true }])('is changed only by an operator (%j)', async (first) => {
    const { connection } = await consentedBy();
    await connection.beginConsent(first);
    const other = { ...EXPECTED, expectedAccount: 'acc-2' };
    expect(await connection.beginConsent(other).catch(refusalIn)).toBe('other_account');
    expect(await connection.beginConsent(first)).toMatchObject({ round: 2 });
    await (
      await connection.consent('acc-2', { ...other, isOperator: true })
    ).answer;
    expect(connection.view()).toMatchObject({ status: 'healthy', account: { id: 'acc-2' } });
  });

  test('is not used if it is expected and the provider does not show it', async () => {
    const { connection } = await consentedBy();
    await (
      await connection.consent(UNSEEN, EXPECTED)
    ).answer;
    expect(connection.view()).toMatchObject({ ...WAITS, unconfirmed: { progress: 'not_shown' } });
  });

  test.each([
    ['acc-1', 'acc-1'],
    [UNSEEN, 'unknown'],
  ])('waits until a person confirms it (%s)', async (code, account) => {
    const { connection, scene, count } = await consentedBy();
    await (
      await connection.consent(code, { needsConfirmation: true })
    ).answer;
    await scene.pass(DAY);
    expect(connection.view()).toMatchObject({ ...WAITS, attention: [{ code: 'account_unconfirmed' }] });
    expect(connection.access()).toEqual({ status: 'awaiting_consent' });
    expect(count('resumeBlocked') + count('checkAccount')).toBe(0);
    expect(await connection.confirm({ ...CONFIRMATION, account: 'acc-9' }).catch(refusalIn)).toBe(
      'other_account',
    );
    const at = scene.now();
    await connection.confirm({ ...CONFIRMATION, account });
    expect(connection.view()).toMatchObject({
      status: 'healthy',
      account: { accepted: { ...CONFIRMATION, at } },
      attention: [],
      unconfirmed: undefined,
    });
    expect(await connection.confirm({ ...CONFIRMATION, account }).catch(refusalIn)).toBe(
      'nothing_to_confirm',
    );
  });

  test('is dropped by a revocation before its confirmation', async () => {
    const { connection } = await consentedBy();
    await (
      await connection.consent('acc-1', { needsConfirmation: true })
    ).answer;
    await connection.revoke({ by: 'ops', reason: 'Not the merchant.' });
    expect(await connection.confirm({ ...CONFIRMATION, account: 'acc-1' }).catch(refusalIn)).toBe(
      'nothing_to_confirm',
    );
  });
});
