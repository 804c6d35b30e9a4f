import { expect, test } from 'vitest';
import {
  agreementOf,
  aRegisteredAccount,
  verdict,
  amend,
  NEW_TERMS,
} from '../../support/sandbox/agreements.js';
import { dayFromNow } from '../../support/sandbox/requests.js';
import { anActiveAgreement, aSharedWorld, aWorld } from '../../support/sandbox/world.js';

const theWorld = aSharedWorld();

const bban = (value: string) => ({ account_identifier: { type: 'bban', value } });

const STANDING = {
  validity_start_date: dayFromNow(3),
  validity_end_date: dayFromNow(365),
  payment_terms: {
    type: 'variable',
    frequency: 'monthly',
    max_amount: 25_000,
    first_payment_date: dayFromNow(30),
    last_payment_date: dayFromNow(300),
  },
};

test('an amendment ignores past dates of the agreement that it does not change', async () => {
  const world = await aWorld();
  const uid = await anActiveAgreement(world, STANDING);
  await world.control.advance(40 * 86_400);
  const caller = await world.newCaller();
  expect(verdict(await amend({ caller }, uid, NEW_TERMS))).toBe(202);
});

test('an amended creditor keeps its registered account until it gets another', async () => {
  const world = theWorld();
  const uid = await anActiveAgreement(world);
  const payment_account_uid = await aRegisteredAccount(world, '200002-42');
  const mismatched = { creditor: { payment_account_uid, ...bban('200002-43') } };
  expect(verdict(await amend(world, uid, mismatched))).toBe('ZPUNP00');
  await amend(world, uid, { creditor: { payment_account_uid } });
  await world.control.advance(1);
  const creditor = { party_name: 'B Biller', ultimate_party_name: 'B Biller' };
  const registered = { ...creditor, ...bban('200002-42'), payment_account_uid };
  expect((await agreementOf(world, uid))['creditor']).toEqual(registered);
  await amend(world, uid, { creditor: bban('200002-44') });
  await world.control.advance(1);
  expect((await agreementOf(world, uid))['creditor']).toEqual({ ...creditor, ...bban('200002-44') });
});
