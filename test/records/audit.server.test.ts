import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createAuditLog } from '../../records/audit.js';
import { aDatabase, anOpenWrite } from '../support/database.js';

const anEvent = (action: string) => ({ id: randomUUID(), action, outcome: 'done' });

async function aRoom() {
  const { db } = (await aDatabase()).application;
  const log = createAuditLog(db);
  const actions = async () =>
    (await log.read({}, { before: undefined, limit: 9 })).map(({ action }) => action);
  return { db, log, actions };
}

test('no audit event appears behind a later one that was read', async () => {
  const { db, log, actions } = await aRoom();
  const commit = await anOpenWrite(db, (open) => createAuditLog(open).append(anEvent('first')));
  await log.append(anEvent('second'));
  expect(await actions()).toEqual([]);
  await commit();
  await expect.poll(actions, { timeout: 10_000 }).toEqual(['second', 'first']);
  const [second] = await log.read({}, { before: undefined, limit: 1 });
  expect(await log.read({}, { before: second?.place, limit: 9 })).toMatchObject([{ action: 'first' }]);
});

test('an event that is appended again is stored once', async () => {
  const { log, actions } = await aRoom();
  const event = anEvent('stopPayments');
  await log.append(event);
  await log.append(event);
  await log.append(anEvent('last'));
  await expect.poll(actions, { timeout: 10_000 }).toEqual(['last', 'stopPayments']);
});
