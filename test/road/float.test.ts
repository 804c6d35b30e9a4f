import { randomInt, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { floatAccountWorkflowId } from '../../workflows/float-account/contract.js';
import { eventually, useTemporal } from '../support/temporal.js';
import { asked, onASweptRoad, sweepOnce } from '../support/sweeping.js';
import type { SweptRoad } from '../support/sweeping.js';

const temporal = useTemporal();
const BRANCH = '200002';

function anAccount({ road: { sandbox } }: SweptRoad) {
  const account = { id: randomUUID(), account_number: String(randomInt(1e7, 1e8)) };
  sandbox.control.addFloatAccount(account);
  return account;
}

async function credit({ road }: SweptRoad, to: { account_number: string }, amount: number): Promise<void> {
  const [accessToken = ''] = road.issued;
  const answer = await fetch(`${road.sandbox.url}/simulate/incoming_de_payment`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ to_bsb: BRANCH, to_account_number: to.account_number, amount },
      payment_reference: 'Rent of Mary',
    }),
  });
  expect(answer.status).toBe(201);
}

test('a float account is found by a sweep, and each of its entries is stored once and shown', async () => {
  await onASweptRoad(temporal, async (swept) => {
    const { road } = swept;
    const account = anAccount(swept);
    for (const amount of [100, 250]) await credit(swept, account, amount);
    const { floatAccounts } = await sweepOnce(swept);
    expect(floatAccounts).toMatchObject({ listed: 2 });
    const path = `/v1/float-accounts/${account.id}`;
    const shown = async () => (await road.get(path)).body;
    await eventually(shown, ({ state }) => state === 'followed');
    expect(await shown()).toMatchObject({
      ...{ uid: account.id, connection: swept.connection, balance: 350, entry_count: 2 },
      ...{ title: 'Sandbox Biller float account', chain_breaks: [], attention: [] },
    });

    await credit(swept, account, 50);
    await temporal.client.workflow.getHandle(floatAccountWorkflowId(account.id)).signal('floatAccountMoved');
    await eventually(shown, ({ balance }) => balance === 400);
    const entries = async (query: string) => (await road.get(`${path}/entries?${query}`)).body;
    expect(await entries('amount_min=100&type=credit')).toMatchObject({
      data: [
        { amount: 250, balance_after: 350, description: 'Rent of Mary' },
        { amount: 100, balance_after: 100 },
      ],
    });
    expect(await entries('type=debit')).toMatchObject({ data: [], links: {} });
    const first = await entries('per_page=2');
    expect(first).toMatchObject({ data: [{ amount: 50 }, { amount: 250 }] });
    expect(asked(swept, 'list_float_entries')).toBeLessThan(12);
    expect((await road.get(`/v1/float-accounts/${randomUUID()}`)).status).toBe(404);
  });
});
