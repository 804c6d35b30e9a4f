// An amendment changes the terms, the creditor or the text of its agreement, by the payer's decision where the scheme requires one.
import { describe, expect, test } from 'vitest';
import {
  aFailure,
  agreementOf,
  aRegisteredAccount,
  changesOf,
  FIVE_DAYS,
  historyOf,
  amend,
  amendmentOf,
  anAwaitedAmendment,
  NEW_TERMS,
  NEW_TEXT,
  recall,
  verdict,
} from '../../support/sandbox/agreements.js';
import { dayFromNow } from '../../support/sandbox/requests.js';
import { anActiveAgreement, aWorld, type World } from '../../support/sandbox/world.js';

const AMENDMENT = 'payto_agreement_amendment';
const lastPublished = async (world: World, uid: string) => (await historyOf(world, uid)).at(-1);

test.each([
  [{ payment_terms: { count: 2 } }, true],
  [{ payment_terms: { max_amount: null } }, true],
  [{ validity_end_date: dayFromNow(500) }, true],
  [{ validity_end_date: null }, true],
  [{ ...NEW_TEXT, ...NEW_TERMS }, true],
  [NEW_TEXT, false],
  [{ creditor: { party_name: 'C Biller' } }, false],
  [{ ...NEW_TEXT, creditor: { party_name: 'C Biller' } }, false],
])('%o requires a decision of the payer: %s', async (changes, isRequired) => {
  const world = await aWorld();
  const uid = await anAwaitedAmendment(world, changes);
  expect((await amendmentOf(world, uid)).status).toBe(isRequired ? 200 : 404);
  expect((await lastPublished(world, uid))?.type).toBe(isRequired ? 'activated' : 'amended');
  if (isRequired) world.control.actAsPayer(uid, 'accept_amendment');
  expect((await lastPublished(world, uid))?.body).toEqual({ caused_by: 'initiator', changes });
});

test('absent fields are preserved and null fields cleared', async () => {
  const world = await aWorld();
  const ending = { count: 3, last_payment_date: dayFromNow(90) };
  const uid = await anActiveAgreement(world, {
    validity_end_date: dayFromNow(400),
    payment_terms: { type: 'fixed', frequency: 'weekly', amount: 500, ...ending },
  });
  const payment_terms = { type: 'variable', amount: null, max_amount: 9000, last_payment_date: null };
  await amend(world, uid, { payment_terms, validity_end_date: null });
  await world.control.advance(1);
  expect(await agreementOf(world, uid)).toMatchObject({
    description: 'Plan 77',
    validity_end_date: null,
    payment_terms: { frequency: 'weekly', count: 3, ...payment_terms },
  });
});

test('an amended creditor keeps its other fields and its registered account', async () => {
  const world = await aWorld();
  const uid = await anActiveAgreement(world);
  const bban = (value: string) => ({ account_identifier: { type: 'bban', value } });
  const payment_account_uid = await aRegisteredAccount(world, '200002-42');
  const mismatched = { creditor: { payment_account_uid, ...bban('200002-43') } };
  expect(verdict(await amend(world, uid, mismatched))).toBe('ZPUNP00');
  const named = { party_name: 'C Biller', ultimate_party_name: 'B Biller' };
  for (const [creditor, after] of [
    [{ party_name: 'C Biller' }, { ...named, ...bban('200002-55550001') }],
    [{ payment_account_uid }, { ...named, ...bban('200002-42'), payment_account_uid }],
    [bban('200002-44'), { ...named, ...bban('200002-44') }],
    [null, null],
  ]) {
    await amend(world, uid, { creditor });
    await world.control.advance(1);
    expect((await agreementOf(world, uid))['creditor']).toEqual(after);
  }
});

test('an amendment ignores past dates of the agreement that it does not change', async () => {
  const world = await aWorld();
  const payment_terms = {
    ...{ type: 'variable', frequency: 'monthly', max_amount: 25_000 },
    ...{ first_payment_date: dayFromNow(30), last_payment_date: dayFromNow(300) },
  };
  const dates = { validity_start_date: dayFromNow(3), validity_end_date: dayFromNow(365) };
  const uid = await anActiveAgreement(world, { ...dates, payment_terms });
  await world.control.advance(40 * 86_400);
  expect(verdict(await amend({ caller: await world.newCaller() }, uid, NEW_TERMS))).toBe(202);
});

test('an unanswered amendment expires after five days and another may follow', async () => {
  const world = await aWorld();
  const uid = await anAwaitedAmendment(world);
  const createdAt = Date.parse(String((await amendmentOf(world, uid)).data['created_at']));
  await world.control.advance(FIVE_DAYS - 60);
  expect((await amendmentOf({ caller: await world.newCaller() }, uid)).data.state).toBe('created');
  await world.control.advance(86_400);
  const later = { caller: await world.newCaller() };
  expect((await amendmentOf(later, uid)).status).toBe(404);
  const [expired] = (await later.caller.get(`/payto/agreements/${uid}/history`)).list;
  expect(expired).toMatchObject({ type: 'payto_agreement.amendment_expired', body: null });
  expect(Date.parse(String(expired?.['published_at'])) - createdAt).toBe(FIVE_DAYS * 1000);
  expect((await amend(later, uid, NEW_TERMS)).status).toBe(202);
});

test('the script of one amendment does not answer the next', async () => {
  const world = await aWorld();
  const uid = await anActiveAgreement(world);
  await amend(world, uid, NEW_TERMS, { sandbox: { simulate: 'debtor_decline', delay: 600 } });
  await world.control.advance(1);
  world.control.actAsPayer(uid, 'decline_amendment');
  await amend(world, uid, NEW_TERMS, { sandbox: { simulate: 'debtor_accept', delay: 3600 } });
  await world.control.advance(700);
  expect((await amendmentOf(world, uid)).data.state).toBe('created');
  await world.control.advance(3000);
  expect((await lastPublished(world, uid))?.type).toBe('amended');
});

test('a payer scripted to ignore does not answer an amendment', async () => {
  const world = await aWorld();
  world.control.scriptPayer('agr-by-hand', { simulate: 'ignore' });
  const uid = await anActiveAgreement(world, { uid: 'agr-by-hand' });
  world.control.actAsPayer(uid, 'accept');
  await amend(world, uid, NEW_TERMS);
  await world.control.advance(3600);
  expect((await amendmentOf(world, uid)).data.state).toBe('created');
  world.control.actAsPayer(uid, 'decline_amendment');
  const declined = { type: 'amendment_declined', body: { caused_by: 'debtor' } };
  expect(await lastPublished(world, uid)).toEqual(declined);
});

describe('an action of the payer', () => {
  test('that cancels the agreement fails the amendment', async () => {
    const world = await aWorld();
    const uid = await anAwaitedAmendment(world);
    world.control.actAsPayer(uid, 'cancel');
    const failed = { type: 'amendment_failed', body: aFailure() };
    expect((await historyOf(world, uid)).slice(-2)).toMatchObject([{ type: 'cancelled' }, failed]);
    await world.control.advance(FIVE_DAYS);
    expect(changesOf(world, AMENDMENT).at(-1)).toEqual(['created', 'failed', 'amendment_failed']);
  });

  test.each(['accept_amendment', 'decline_amendment', 'cancel'] as const)(
    'during a recall fails the recall: %s',
    async (action) => {
      const world = await aWorld();
      const uid = await anAwaitedAmendment(world);
      world.control.scriptAction(uid, { action: 'recall', simulate: 'successful_recall', delay: 60 });
      await recall(world, uid);
      world.control.actAsPayer(uid, action);
      await world.control.advance(61);
      expect((await lastPublished(world, uid))?.type).toBe('amendment_recall_failed');
    },
  );
});
