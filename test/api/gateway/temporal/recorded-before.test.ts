import { expect, test, vi } from 'vitest';
import { createRecorded } from '../../../../api/gateway/records.js';
import { commandsOf } from '../../../../api/gateway/temporal/commands.js';
import { recordedBefore } from '../../../../api/gateway/temporal/recorded-before.js';
import { useOfAction } from '../../../../domain/agreement/action.js';
import { requestAction } from '../../../../workflows/agreement/contract.js';
import { RECORDS_AWAY } from '../../../support/records-away.js';
import { anOrder } from '../../../support/workflows/provider.js';
import type { Calls } from '../../../../api/gateway/temporal/calls.js';
import type { Remembered } from '../../../../domain/records/remembered.js';
import type { BoundKey } from '../../../../domain/records/bound-key.js';

const USE = { key: 'digest', uid: 'pay-1', body: 'body' };
const SAME: BoundKey = { resource: 'payment', uid: 'pay-1', body: 'body' };
const OTHER = { ...SAME, body: 'another' };
const ROW = {
  ...{ is: 'row', version: 1, state: 'settled', connectionId: 'con-1' },
  view: { order: anOrder('agr-1'), requestedBy: 'shop', connectionId: 'con-1' },
} as const satisfies Remembered;
const SHOP = { principal: 'shop', connections: undefined };

function records(found: Remembered | 'away' | undefined, bound?: BoundKey | 'away') {
  const away = () => Promise.reject(new Error('connect ECONNREFUSED'));
  return createRecorded({
    ...RECORDS_AWAY,
    remembered: () => (found === 'away' ? away() : Promise.resolve(found)),
    keyUse: () => (bound === 'away' ? away() : Promise.resolve(bound)),
  });
}

test.each([
  ['nothing', undefined, undefined, 'nothing'],
  ['a uid that only events have named', { ...ROW, state: 'unknown' }, undefined, 'nothing'],
  ['its row', ROW, undefined, 'uid'],
  ['its key', undefined, SAME, 'key'],
  ['no answer about the row', 'away', undefined, undefined],
  ['no answer about the key', undefined, 'away', undefined],
  ['its row, and no answer about the key', ROW, 'away', 'uid'],
] as const)('the agreement is told what the records have: %s', async (_what, found, bound, recorded) => {
  const of = { resource: 'payment', uid: 'pay-1', use: USE, caller: SHOP } as const;
  expect(await recordedBefore({ recorded: records(found, bound) }, of)).toMatchObject({ recorded });
});

test.each([
  ['of another principal', { principal: 'other', connections: undefined }, undefined],
  ['of a connection that the key may not use', { principal: 'shop', connections: ['con-2'] }, undefined],
  ['whose key was used for another request', SHOP, OTHER],
])('a request %s is refused', async (_what, caller, bound) => {
  const of = { resource: 'payment', uid: 'pay-1', use: USE, caller } as const;
  const requested = recordedBefore({ recorded: records(ROW, bound) }, of);
  await expect(requested).rejects.toMatchObject({ code: 'idempotency_conflict' });
});

test('a command whose key its run has dropped is not sent again, and another one with that key is refused', async () => {
  const request = { key: 'k', command: { kind: 'suspension' as const, body: {} }, by: 'shop' };
  const { uid, body } = useOfAction('agr-1', request as never);
  const describe = vi.fn(() => Promise.reject(new Error('it was sent')));
  const send = (bound: BoundKey | undefined) => {
    const calls = { recorded: records(undefined, bound), describe } as unknown as Calls;
    const use = { key: 'k', uid, body };
    return commandsOf(calls, 'agreement').once('agr-1', requestAction, request as never, use);
  };
  await expect(send({ resource: 'agreement', uid, body })).resolves.toBeUndefined();
  await expect(send({ resource: 'agreement', uid, body: 'another' })).rejects.toMatchObject({
    code: 'idempotency_conflict',
  });
  expect(describe).not.toHaveBeenCalled();
  await expect(send(undefined)).rejects.toThrow('it was sent');
});
