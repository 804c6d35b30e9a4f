// A counterparty is registered once per uid, and an operator decides a parked one.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { refusal, useDoor, rowsOf } from '../../support/api/gateway.js';
import { eventually } from '../../support/temporal.js';
import { aCounterpartyOrder, anAccountOrder } from '../../support/workflows/provider.js';
import type { CounterpartyStart } from '../../../api/gateway/counterparties.js';
import type { Gateway } from '../../../api/gateway/create.js';
import type { CounterpartyOrder } from '../../../domain/counterparty/request.schema.js';

const CLOSED = anAccountOrder('acc-1', { account_identifier: { type: 'bban', value: '200001-closed' } });

const { withDoor } = useDoor({
  verifyAccount: ({ account, reference }) => {
    const isClosed = account.account_identifier.value.endsWith('closed');
    return Promise.resolve({
      outcome: isClosed ? ('account_closed' as const) : ('match' as const),
      reference,
    });
  },
  createCounterparty: ({ uid, registration: { payment_accounts: accounts } }) => {
    const accountUids = accounts.map((account) => account.uid);
    const snapshot = { uid, state: 'registered', counterpartyId: `at-${uid}`, accountUids };
    return Promise.resolve({ fetchedAt: new Date().toISOString(), snapshot, history: [] });
  },
});

const asking = (
  connection: string,
  uid: string,
  order: CounterpartyOrder = aCounterpartyOrder(),
): CounterpartyStart => ({
  on: () => ({ uid, order }),
  connection,
  payer: undefined,
  caller: { principal: 'key-1', connections: undefined },
});

const reaches = (door: Gateway, uid: string, state: string) =>
  eventually(
    () => door.counterparties.view(uid),
    (seen) => seen?.state === state,
  );

test('a counterparty is registered once per uid, and a different repeat is refused', async () => {
  await withDoor(async (door, connection) => {
    const uid = `cp-${randomUUID()}`;
    const start = () => door.counterparties.start(asking(connection, uid));
    const answers = await Promise.all([start(), start(), start()]);
    expect(answers.map((view) => view.uid)).toEqual([uid, uid, uid]);
    expect(await reaches(door, uid, 'registered')).toMatchObject({
      submissions: 1,
      counterpartyId: `at-${uid}`,
      requestedBy: 'key-1',
    });
    const other = aCounterpartyOrder(anAccountOrder('acc-1', { party_name: 'Another' }));
    expect(await refusal(door.counterparties.start(asking(connection, uid, other)))).toEqual({
      code: 'idempotency_conflict',
      pointers: ['/payment_accounts/0/party_name'],
    });
    expect((await start()).state).toBe('registered');
  });
});

test('a parked counterparty is listed by flag, resumes after correction and ends when closed', async () => {
  await withDoor(async (door, connection) => {
    const [uid, given] = [`cp-${randomUUID()}`, `cp-${randomUUID()}`];
    for (const one of [uid, given]) {
      await door.counterparties.start(asking(connection, one, aCounterpartyOrder(CLOSED)));
      await reaches(door, one, 'unverified');
    }
    const { items } = await eventually(
      () => door.counterparties.list(rowsOf({ connection, attention: 'parked' })),
      (page) => page.items.length === 2,
    );
    expect(items).toContainEqual(expect.objectContaining({ uid, state: 'unverified' }));

    const change = {
      ...{ kind: 'correction' as const, accountUid: 'acc-1', reason: 'asked them', by: 'ops' },
      to: { account_identifier: { type: 'bban' as const, value: '200001-12340001' } },
      use: { key: 'k1', uid, body: 'b' },
    };
    const wrong = { ...change, accountUid: 'acc-9', use: { ...change.use, key: 'k0' } };
    expect(await refusal(door.counterparties.change(uid, wrong))).toEqual({
      code: 'no_such_payment_account',
      pointers: ['/payment_account_uid'],
    });
    for (const again of [change, change]) await door.counterparties.change(uid, again);
    expect(await reaches(door, uid, 'registered')).toMatchObject({ changes: [{ by: 'ops' }] });

    const word = { key: 'k2', code: 'parked', reason: 'not theirs', by: 'ops', decision: 'close' } as const;
    await door.counterparties.resolveAttention(given, word);
    await reaches(door, given, 'failed');
    await door.counterparties.resolveAttention(given, word);
    const gone = { ...change, kind: 'withdrawal' as const, accountUid: undefined, to: undefined };
    const withdrawn = `cp-${randomUUID()}`;
    await door.counterparties.start(asking(connection, withdrawn, aCounterpartyOrder(CLOSED)));
    await reaches(door, withdrawn, 'unverified');
    await door.counterparties.change(withdrawn, gone);
    await reaches(door, withdrawn, 'failed');
    await door.counterparties.change(withdrawn, gone);
    expect(await refusal(door.counterparties.change(given, change))).toMatchObject({
      code: 'counterparty_final',
    });
  });
});
