// The balance of the float account is the sum of its entries, payments, credits and refunds after any acts.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ADHOC, aPayoutAgreement, aRefund, FLOAT_ID, pay } from '../../support/sandbox/payments.js';
import { anIncomingCredit } from '../../support/sandbox/requests.js';
import { standStill } from '../../support/sandbox/wall-clock.js';
import { anActiveAgreement, aWorld, type World } from '../../support/sandbox/world.js';

const RUNS = 8;

const amount = fc.integer({ min: 1, max: 900 });
const act = fc.oneof(
  fc.record({
    kind: fc.constant('pay' as const),
    amount,
    simulate: fc.constantFrom('auto_settle', 'insufficient_funds', 'requires_investigation'),
  }),
  fc.record({
    kind: fc.constant('refund' as const),
    amount,
    which: fc.nat(),
    type: fc.constantFrom('float_bank_payment' as const, 'pay_to_payment' as const),
    simulate: fc.constantFrom('success', 'creditor_account_closed'),
    delay: fc.constantFrom(0, 5),
  }),
  fc.record({ kind: fc.constant('credit' as const), amount }),
  fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(1, 10) }),
);
type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;

interface Books {
  world: World;
  collecting: string;
  paying: string;
  payments: string[];
  credited: number;
}

async function perform(books: Books, it: Act): Promise<void> {
  const { world } = books;
  if (it.kind === 'wait') await world.control.advance(it.seconds);
  if (it.kind === 'credit') {
    await world.caller.post('/simulate/incoming_de_payment', anIncomingCredit({ amount: it.amount }));
    books.credited += it.amount;
  }
  if (it.kind === 'pay') {
    const { uid, answer } = await pay(world, books.collecting, {
      amount: it.amount,
      sandbox: { simulate: it.simulate },
    });
    if (answer.status === 201) books.payments.push(uid);
  }
  if (it.kind === 'refund') {
    const { type, simulate, delay } = it;
    const from =
      type === 'pay_to_payment' ? { float_bank_account_id: undefined, agreement_uid: books.paying } : {};
    const original = books.payments[it.which % Math.max(1, books.payments.length)] ?? 'none';
    const request = aRefund(original, { sandbox: { simulate, delay } }, { type, amount: it.amount, ...from });
    await world.caller.post('/payto/refunds', request);
  }
}

const Entry = z.object({ amount: z.int(), available_balance_after: z.int() });
const sum = (numbers: readonly number[]): number => numbers.reduce((total, it) => total + it, 0);

async function checkBooks({ world: { caller, control }, credited }: Books): Promise<void> {
  await control.advance(1);
  const listed = await caller.get(`/bank_accounts/${FLOAT_ID}/entries?per_page=100`);
  const entries = listed.list.map((entry) => Entry.parse(entry));
  const { payments, refunds: all, float_accounts } = control.state();
  const refunds = all.filter(({ state }) => state !== 'failed');
  const balance = float_accounts.find(({ id }) => id === FLOAT_ID)?.available_balance ?? NaN;
  const settled = payments.filter(
    ({ state, source_payto_refund_uid: it }) => state === 'settled' && it === null,
  );

  expect(balance).toBeGreaterThanOrEqual(0);
  expect(balance).toBe(sum(entries.map((entry) => entry.amount)));
  const given = refunds.filter(({ refund_payment: { type } }) => type === 'float_bank_payment');
  const out = sum(given.map(({ refund_payment }) => refund_payment.amount));
  expect(balance).toBe(sum(settled.map((payment) => payment.amount)) + credited - out);
  for (const payment of payments) {
    const of = refunds.filter(({ original_payment_uid: uid }) => uid === payment.uid);
    expect(sum(of.map(({ refund_payment }) => refund_payment.amount))).toBeLessThanOrEqual(payment.amount);
  }
  checkLedger(control.ledger(0, { resource_uid: FLOAT_ID, kind: 'change' }), balance, entries.length);
}

function checkLedger(lines: ReturnType<World['control']['ledger']>, balance: number, entries: number): void {
  const balances = lines.flatMap((line) => (line.kind === 'change' ? [[line.from, line.to]] : []));
  expect(balances).toHaveLength(entries);
  let before = '0';
  for (const [from, to] of balances) {
    expect(from).toBe(before);
    before = String(to);
  }
  expect(before).toBe(String(balance));
}

test('property: the balance equals the sum of entries and of all movements', async () => {
  standStill();
  const world = await aWorld();
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 15 }), async (acts) => {
      world.control.reset();
      const fresh = { ...world, caller: await world.newCaller() };
      const collecting = await anActiveAgreement(fresh, ADHOC);
      const paying = await aPayoutAgreement(fresh);
      const books: Books = { world: fresh, collecting, paying, payments: [], credited: 0 };
      for (const it of acts) {
        await perform(books, it);
        await checkBooks(books);
      }
      await world.control.advance(60);
      await checkBooks(books);
    }),
    { numRuns: RUNS },
  );
});
