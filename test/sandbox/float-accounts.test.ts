// A float account: how it reads, what settles into it, and that it begins anew with each store.
import { expect, test } from 'vitest';
import { anActiveAgreement, aWorld } from './world.js';
import { ADHOC, anEndedPayment, CREDITOR, FLOAT_ID } from './payment-requests.js';

const ENTRIES = `/bank_accounts/${FLOAT_ID}/entries`;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

test('one float account is there from the beginning, with the documented fields and nothing else', async () => {
  const { caller } = await aWorld();
  const { status, data } = await caller.get(`/bank_accounts/${FLOAT_ID}`);
  expect(status).toBe(200);
  expect(data).toEqual({
    id: expect.stringMatching(UUID) as string,
    account_type: 'float_account',
    branch_code: '200002',
    bank_name: 'Sandbox Bank',
    account_number: '55550001',
    status: 'active',
    title: 'Sandbox Biller float account',
    available_balance: 0,
    payid_configs: [
      {
        email_domain: 'pay.biller.example',
        pooling_state: 'disabled',
        max_pool_size: 0,
        current_pool_size: 0,
      },
    ],
  });
});

test('a settled payment credits the account of its creditor: entry, balance and ledger agree', async () => {
  const world = await aWorld();
  const uid = await anEndedPayment(world, await anActiveAgreement(world), { amount: 4200 });
  const { data: account } = await world.caller.get(`/bank_accounts/${FLOAT_ID}`);
  expect(account['available_balance']).toBe(4200);
  const { list } = await world.caller.get(ENTRIES);
  expect(list).toEqual([
    {
      id: expect.stringMatching(UUID) as string,
      created_at: expect.stringMatching(/Z$/) as string,
      description: `PayTo payment ${uid}`,
      amount: 4200,
      available_balance_after: 4200,
      links: { self: `${world.url}${ENTRIES}/${list[0]?.id}` },
    },
  ]);
  expect((await world.caller.get(`${ENTRIES}/${list[0]?.id}`)).data).toEqual(list[0]);
  expect(world.control.ledger().filter((it) => it.kind === 'change' && it.resource_uid === FLOAT_ID)).toEqual(
    [expect.objectContaining({ resource_type: 'float_account', from: '0', to: '4200', event_id: null })],
  );
});

test.each(['insufficient_funds', 'requires_investigation'])('%s moves no money', async (simulate) => {
  const world = await aWorld();
  await anEndedPayment(world, await anActiveAgreement(world), { sandbox: { simulate } });
  expect((await world.caller.get(ENTRIES)).list).toEqual([]);
});

test('money for another account is none of this one', async () => {
  const world = await aWorld();
  const agreementUid = await anActiveAgreement(world, { ...ADHOC, creditor: null });
  for (const account_identifier of [
    { type: 'bban', value: '200002-55550002' },
    { type: 'alias_email', value: 'invoices@pay.biller.example' },
  ]) {
    await anEndedPayment(world, agreementUid, { creditor: { ...CREDITOR, account_identifier } });
  }
  expect(world.control.state().payments.map(({ state }) => state)).toEqual(['settled', 'settled']);
  expect((await world.caller.get(ENTRIES)).list).toEqual([]);
});

test('the control route sets balance and status; a new balance is an entry like any other', async () => {
  const { caller, control } = await aWorld();
  control.patchFloatAccount(FLOAT_ID, { available_balance: 900 });
  control.patchFloatAccount(FLOAT_ID, { available_balance: 400, status: 'removed' });
  control.patchFloatAccount(FLOAT_ID, { available_balance: 400 });
  expect((await caller.get(`/bank_accounts/${FLOAT_ID}`)).data).toMatchObject({
    status: 'removed',
    available_balance: 400,
  });
  const amounts = (await caller.get(ENTRIES)).list.map(({ amount }) => amount);
  expect(amounts.toSorted()).toEqual([-500, 900]);
  const lines = control.ledger(0, { resource_uid: FLOAT_ID, kind: 'change' });
  expect(lines.flatMap((line) => (line.kind === 'change' ? [[line.from, line.to]] : []))).toEqual([
    ['0', '900'],
    ['active', 'removed'],
    ['900', '400'],
  ]);
  expect(() => {
    control.patchFloatAccount('none', {});
  }).toThrow(/none/);
});

test('a reset brings the account back as it was', async () => {
  const world = await aWorld();
  world.control.patchFloatAccount(FLOAT_ID, { available_balance: 900, status: 'removed' });
  world.control.reset();
  const caller = await world.newCaller();
  expect((await caller.get(`/bank_accounts/${FLOAT_ID}`)).data).toMatchObject({
    status: 'active',
    available_balance: 0,
  });
  expect((await caller.get(ENTRIES)).list).toEqual([]);
});

test.each([
  ['/bank_accounts/none'],
  ['/bank_accounts/none/entries'],
  [`${ENTRIES}/none`],
  [`/bank_accounts/none/entries/none`],
])('%s is 404, in a sentence', async (path) => {
  const { caller } = await aWorld();
  const { status, sentence } = await caller.get(path);
  expect(status).toBe(404);
  expect(sentence).toMatch(/none/);
});
