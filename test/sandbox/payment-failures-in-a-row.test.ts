// Seven failed collections in a row: the scheme suspends the agreement (MSUC). Counted, forgotten and counted anew.
import { expect, test } from 'vitest';
import { anActiveAgreement, aWorld, type World } from './world.js';
import { ADHOC, anEndedPayment, codesOf, DAY_SECONDS, later, pay } from './payment-requests.js';

const FAILS = { sandbox: { simulate: 'insufficient_funds' } };

async function failTimes(world: World, agreementUid: string, times: number): Promise<void> {
  for (let i = 0; i < times; i += 1) await anEndedPayment(world, agreementUid, FAILS);
}

const stateOf = async ({ caller }: World, uid: string): Promise<string | undefined> =>
  (await caller.get(`/payto/agreements/${uid}`)).data.state;

test('the seventh suspends the agreement, as an event and in its history', async () => {
  const world = await aWorld();
  const uid = await anActiveAgreement(world, ADHOC);
  await failTimes(world, uid, 6);
  expect(await stateOf(world, uid)).toBe('active');
  await failTimes(world, uid, 1);
  expect((await world.caller.get(`/payto/agreements/${uid}`)).data).toMatchObject({
    state: 'suspended',
    state_caused_by: 'service_system',
  });
  expect(world.receiver.types().slice(-2)).toEqual(['payto_payment.failed', 'payto_agreement.suspended']);
  expect(world.receiver.received.at(-1)?.envelope.data.body).toMatchObject({
    caused_by: 'service_system',
    reason: { code: 'MSUC' },
  });
  const { list } = await world.caller.get(`/payto/agreements/${uid}/history`);
  expect(list[0]).toMatchObject({ type: 'payto_agreement.suspended', body: { reason: { code: 'MSUC' } } });
  expect(codesOf((await pay(world, uid)).answer)).toEqual([422, 'ZPPAY03']);
});

test('a settled payment ends the row, one under investigation does not', async () => {
  const world = await aWorld();
  const uid = await anActiveAgreement(world, ADHOC);
  await failTimes(world, uid, 6);
  await anEndedPayment(world, uid);
  await failTimes(world, uid, 6);
  await anEndedPayment(world, uid, { sandbox: { simulate: 'requires_investigation' } });
  expect(await stateOf(world, uid)).toBe('active');
  await failTimes(world, uid, 1);
  expect(await stateOf(world, uid)).toBe('suspended');
});

test('a retry that fails counts as a collection of its own', async () => {
  let world = await aWorld();
  const agreementUid = await anActiveAgreement(world, ADHOC);
  const uid = await anEndedPayment(world, agreementUid, FAILS);
  for (let retries = 1; retries <= 6; retries += 1) {
    expect(await stateOf(world, agreementUid)).toBe('active');
    world = await later(world, DAY_SECONDS);
    await world.caller.post(`/payto/payments/${uid}/retry`, FAILS);
    await world.control.advance(1);
  }
  expect(await stateOf(world, agreementUid)).toBe('suspended');
});

test('rows are counted per agreement, and begin anew after the suspension', async () => {
  const world = await aWorld();
  const [one, other] = [await anActiveAgreement(world, ADHOC), await anActiveAgreement(world, ADHOC)];
  await failTimes(world, one, 6);
  await failTimes(world, other, 1);
  expect(await stateOf(world, other)).toBe('active');
  await failTimes(world, one, 1);
  world.control.actAsService(one, 'service_reactivate');
  await failTimes(world, one, 6);
  expect(await stateOf(world, one)).toBe('active');
  await failTimes(world, one, 1);
  expect(await stateOf(world, one)).toBe('suspended');
});
