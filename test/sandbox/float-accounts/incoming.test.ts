// Somebody pays into a float account: the entry, and the webhook in its own envelope (docs/provider.md#unmatched-credits).
import { expect, test } from 'vitest';
import { codesOf, FLOAT_ID } from '../../support/sandbox/payments.js';
import { anIncomingCredit } from '../../support/sandbox/requests.js';
import { aWorld } from '../../support/sandbox/world.js';

const NPP = '/simulate/incoming_npp_bban_payment';
const DE = '/simulate/incoming_de_payment';

test.each([
  [NPP, 'new_payments_platform', { description: 'October' }, { description: 'October' }],
  [NPP, 'new_payments_platform', {}, {}],
  [DE, 'direct_entry', {}, {}],
])('%s sends the whole payload and nothing else (%s)', async (path, channel, said, published) => {
  const world = await aWorld();
  const answer = await world.caller.post(path, anIncomingCredit(said));
  expect(answer.status).toBe(201);
  await world.control.flushWebhooks();
  const [entry] = (await world.caller.get(`/bank_accounts/${FLOAT_ID}/entries`)).list;
  expect(answer.data).toEqual(entry);
  expect(entry).toMatchObject({ amount: 4200, available_balance_after: 4200 });
  const owner = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
  expect(world.receiver.received.map(({ json }) => json)).toEqual([
    {
      data: {
        id: entry?.id,
        type: 'FloatBankTransaction',
        received_at: entry?.['created_at'],
        amount: 4200,
        description: entry?.['description'],
        channel,
        creditor: {
          id: FLOAT_ID,
          type: 'FloatBankAccount',
          party_name: 'Sandbox Biller float account',
          account_identifier: { type: 'bban', value: '200002-55550001' },
          owner: { id: owner, type: 'Account' },
        },
        debtor: {
          party_name: 'C Customer',
          reference: 'INV 5',
          account_identifier: { type: 'bban', value: '200001-12340001' },
          ...published,
        },
      },
      event: {
        at: entry?.['created_at'],
        type: 'float_accounts.unmatched_credit.received',
        who: {
          account_id: owner,
          account_type: 'Account',
          bank_account_id: FLOAT_ID,
          bank_account_type: 'BankAccount',
        },
      },
    },
  ]);
});

test('the ledger knows the movement by its event, and the delivery by the same', async () => {
  const world = await aWorld();
  const { data } = await world.caller.post(NPP, anIncomingCredit());
  await world.control.flushWebhooks();
  const type = 'float_accounts.unmatched_credit.received';
  const lines = world.control.ledger().filter((it) => it.kind !== 'call' && it.kind !== 'token');
  expect(lines).toMatchObject([
    { kind: 'change', resource_uid: FLOAT_ID, from: '0', to: '4200', event_id: data.id, event_type: type },
    { kind: 'webhook', resource_uid: FLOAT_ID, event_id: data.id, event_type: type, status: 200 },
  ]);
});

test('a webhook fault set on the account meets its credits, and the money is there all the same', async () => {
  const world = await aWorld();
  world.control.addFault({ on: 'webhook', do: 'lose', resource_uid: FLOAT_ID, times: 1 });
  await world.caller.post(DE, anIncomingCredit());
  await world.control.flushWebhooks();
  expect(world.receiver.received.map(({ json }) => json)).toEqual([]);
  expect((await world.caller.get(`/bank_accounts/${FLOAT_ID}`)).data['available_balance']).toBe(4200);
});

test('the three documented fields are enough, and a branch may have its hyphen', async () => {
  const world = await aWorld();
  const body = { to_bsb: '200-002', to_account_number: '55550001', amount: 1 };
  expect((await world.caller.post(DE, body)).status).toBe(201);
  await world.control.flushWebhooks();
  expect(world.receiver.received.map(({ json }) => json)).toMatchObject([
    { data: { amount: 1, debtor: { account_identifier: { type: 'bban' } } } },
  ]);
});

test.each([
  [NPP, { to_account_number: '55550002' }, 404, undefined],
  [DE, { description: 'October' }, 400, undefined],
  [NPP, { surprise: 1 }, 400, undefined],
  [NPP, { amount: 0 }, 422, 'ZPUNP00'],
  [DE, { to_bsb: 'x' }, 422, 'ZPUNP00'],
  [DE, { reference: 'x'.repeat(19) }, 422, 'ZPUNP00'],
])('%s with %o is %i', async (path, overrides, status, code) => {
  const { caller } = await aWorld();
  const answer = await caller.post(path, anIncomingCredit(overrides));
  expect([answer.status, answer.errors[0]?.code]).toEqual([status, code]);
  expect((await caller.get(`/bank_accounts/${FLOAT_ID}/entries`)).list).toEqual([]);
});

test('an account that was removed takes no money any more', async () => {
  const { caller, control } = await aWorld();
  control.patchFloatAccount(FLOAT_ID, { status: 'removed' });
  const answer = await caller.post(NPP, anIncomingCredit());
  expect(codesOf(answer)).toEqual([422]);
  expect(answer.sentence).toMatch(/no money/);
});
