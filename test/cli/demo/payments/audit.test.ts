import { expect, test } from 'vitest';
import { auditPayments } from '../../../../cli/demo/payments/audit.js';
import type { LedgerEntry, ProviderState } from '../../../../cli/api/answers.schema.js';
import type { Payment } from '../../../../cli/demo/payments/calls.js';

const at = '2026-10-01T01:00:00.000Z';
const change = (uid: string, to: string): LedgerEntry => ({
  ...{ seq: 1, at, kind: 'change', event_id: null, event_type: null },
  ...{ resource_uid: uid, to },
});
const ACCEPTED: LedgerEntry = {
  ...{ seq: 1, at, kind: 'call', operation: 'create_payment', status: 201 },
  resource_uid: 'pay',
};
const GOOD = [ACCEPTED, change('pay', 'failed'), change('pay', 'settled'), change('ref', 'processed')];

const differences = async (
  ledger: LedgerEntry[] = GOOD,
  more: ProviderState['payments'] = [],
  attempts = 2,
): Promise<string[]> => {
  const payments = [{ uid: 'pay', agreement_uid: 'agr', state: 'settled' }, ...more];
  const here = { state: 'settled', refunded: 5, attempts: Array(attempts).fill({}) } as unknown as Payment;
  const audit = await auditPayments(
    {
      ledger: () => Promise.resolve(ledger),
      state: () =>
        Promise.resolve({
          now: at,
          clients: [],
          counterparties: [],
          float_accounts: [],
          agreements: [],
          payments,
        }),
    },
    { getPayment: () => Promise.resolve(here) },
    { payments: [{ uid: 'pay', scenario: '', attempts: 2, refunded: 5 }], refundUid: 'ref' },
  );
  return audit.differences;
};

test('reports each difference between the plan and the provider', async () => {
  expect(await differences()).toEqual([]);
  expect(await differences([...GOOD, ACCEPTED])).toEqual([
    'payment pay accepted by the provider: expected 1, found 2',
  ]);
  expect(await differences([...GOOD, change('pay', 'settled')])).toEqual([
    'settlements of payment pay: expected 1, found 2',
  ]);
  expect(await differences(GOOD.slice(0, 3))).toEqual([
    'refund ref processed by the provider: expected 1, found 0',
  ]);
  expect(await differences(GOOD, [{ uid: 'twin', agreement_uid: 'agr', state: 'settled' }])).toEqual([
    'the provider: expected only the planned payments, also found twin',
  ]);
  expect(await differences(GOOD, [], 1)).toEqual(['attempts of payment pay: expected 2, found 1']);
});
