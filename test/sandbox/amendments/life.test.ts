import { describe, expect, test } from 'vitest';
import {
  aFailure,
  agreementOf,
  changesOf,
  FIVE_DAYS,
  historyOf,
  amend,
  amendmentOf,
  anAwaitedAmendment,
  NEW_TERMS,
  NEW_TEXT,
  recall,
} from '../../support/sandbox/agreements.js';
import { dayFromNow } from '../../support/sandbox/requests.js';
import { anActiveAgreement, aWorld, type World } from '../../support/sandbox/world.js';

const AMENDMENT = 'payto_agreement_amendment';
const lastPublished = async (world: World, uid: string) => (await historyOf(world, uid)).at(-1);

describe('payer decision', () => {
  const CREDITOR = { creditor: { party_name: 'C Biller' } };
  test.each([
    [{ payment_terms: { count: 2 } }, true],
    [{ payment_terms: { max_amount: null } }, true],
    [{ validity_end_date: dayFromNow(500) }, true],
    [{ validity_end_date: null }, true],
    [{ ...NEW_TEXT, ...NEW_TERMS }, true],
    [NEW_TEXT, false],
    [CREDITOR, false],
    [{ ...NEW_TEXT, ...CREDITOR }, false],
  ])('is requested for %o: %s', async (changes, isAsked) => {
    const world = await aWorld();
    const uid = await anAwaitedAmendment(world, changes);
    expect((await amendmentOf(world, uid)).status).toBe(isAsked ? 200 : 404);
    expect(await lastPublished(world, uid)).toMatchObject(
      isAsked ? { type: 'activated' } : { type: 'amended' },
    );
    if (isAsked) world.control.actAsPayer(uid, 'accept_amendment');
    expect((await lastPublished(world, uid))?.body).toEqual({ caused_by: 'initiator', changes });
  });
});

test('absent fields are preserved and null fields cleared', async () => {
  const world = await aWorld();
  const uid = await anActiveAgreement(world, {
    validity_end_date: dayFromNow(400),
    payment_terms: {
      type: 'fixed',
      frequency: 'weekly',
      amount: 500,
      count: 3,
      last_payment_date: dayFromNow(90),
    },
  });
  const payment_terms = { type: 'variable', amount: null, max_amount: 9000, last_payment_date: null };
  await amend(world, uid, { payment_terms, validity_end_date: null });
  await world.control.advance(1);
  expect(await agreementOf(world, uid)).toMatchObject({
    description: 'Plan 77',
    validity_end_date: null,
    payment_terms: {
      type: 'variable',
      frequency: 'weekly',
      count: 3,
      amount: null,
      max_amount: 9000,
      last_payment_date: null,
    },
  });
});

test.each([
  [{ party_name: 'C Biller' }, { party_name: 'C Biller', ultimate_party_name: 'B Biller' }],
  [
    { account_identifier: { type: 'bban', value: '200002-1' } },
    { party_name: 'B Biller', account_identifier: { type: 'bban', value: '200002-1' } },
  ],
  [null, null],
])('a creditor amended with %o is replaced', async (creditor, after) => {
  const world = await aWorld();
  const uid = await anActiveAgreement(world);
  await amend(world, uid, { creditor });
  await world.control.advance(1);
  const agreement = await agreementOf(world, uid);
  if (after === null) expect(agreement['creditor']).toBeNull();
  else expect(agreement['creditor']).toMatchObject(after);
});

test('an unanswered amendment expires after five days and another may follow', async () => {
  const world = await aWorld();
  const uid = await anAwaitedAmendment(world);
  const createdAt = Date.parse(String((await amendmentOf(world, uid)).data['created_at']));
  await world.control.advance(FIVE_DAYS - 60);
  const before = await world.newCaller();
  expect((await amendmentOf({ caller: before }, uid)).data.state).toBe('created');
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
  expect(await lastPublished(world, uid)).toEqual({
    type: 'amendment_declined',
    body: { caused_by: 'debtor' },
  });
});

describe('amendment of an ending agreement', () => {
  const ENDED = { type: 'amendment_failed', body: aFailure() };

  test('fails when the payer cancels', async () => {
    const world = await aWorld();
    const uid = await anAwaitedAmendment(world);
    world.control.actAsPayer(uid, 'cancel');
    expect((await historyOf(world, uid)).slice(-2)).toMatchObject([{ type: 'cancelled' }, ENDED]);
    await world.control.advance(FIVE_DAYS);
    expect(changesOf(world, AMENDMENT).at(-1)).toEqual(['created', 'failed', 'amendment_failed']);
  });
});

test.each(['accept_amendment', 'decline_amendment', 'cancel'] as const)(
  '%s by the payer during a recall fails the recall',
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
