// Reads that lag behind: what was so many seconds ago, whole and consistent, and nothing that came later.
import { expect, test } from 'vitest';
import { anAgreement, aPayment } from './requests.js';
import { anActiveAgreement, anIgnoredAgreement, aWorld } from './world.js';

const LAG = { do: 'read_lag', lag_seconds: 30 } as const;

test('what was created within the lag is not there yet: neither by itself nor in lists', async () => {
  const { caller, control } = await aWorld();
  control.addFault({ on: '*', ...LAG });
  const request = anAgreement();
  expect((await caller.post('/payto/agreements', request)).status).toBe(201);
  const paths = [`/payto/agreements/${request.uid}`, `/payto/agreements/${request.uid}/history`];
  await control.advance(29);
  for (const path of paths) expect((await caller.get(path)).status).toBe(404);
  expect((await caller.get('/payto/agreements')).list).toEqual([]);
  const call = control.ledger(0, { kind: 'call', operation: 'get_agreement' }).at(-1);
  expect(call).toMatchObject({ status: 404, fault: 'read_lag' });
  await control.advance(1);
  for (const path of paths) expect((await caller.get(path)).status).toBe(200);
  expect((await caller.get('/payto/agreements')).list).toHaveLength(1);
});

test('a write sees the present all the same', async () => {
  const { caller, control } = await aWorld();
  control.addFault({ on: '*', ...LAG });
  const request = anAgreement();
  await caller.post('/payto/agreements', request);
  expect((await caller.post('/payto/agreements', request)).errors[0]?.code).toBe('ZPAGR00');
});

test('an agreement is what it was, then what it has become', async () => {
  const world = await aWorld();
  const { caller, control } = world;
  const uid = await anIgnoredAgreement(world);
  await control.advance(100);
  control.actAsPayer(uid, 'accept');
  await control.advance(10);
  control.actAsPayer(uid, 'suspend');
  control.addFault({ on: 'get_agreement', ...LAG });
  control.addFault({ on: 'list_agreements', ...LAG });
  control.addFault({ on: 'agreement_history', ...LAG });
  const seen = async () => {
    const [one, list, history] = [
      await caller.get(`/payto/agreements/${uid}`),
      await caller.get('/payto/agreements?state=created'),
      await caller.get(`/payto/agreements/${uid}/history`),
    ];
    return [one.data.state, list.list.length, history.list.length];
  };
  expect(await seen()).toEqual(['created', 1, 0]);
  await control.advance(21);
  expect(await seen()).toEqual(['active', 0, 1]);
  await control.advance(10);
  expect(await seen()).toEqual(['suspended', 0, 2]);
});

test('a payment is what it was, and the webhook tells more than the read', async () => {
  const world = await aWorld();
  const { caller, control, receiver } = world;
  const agreement = await anActiveAgreement(world);
  const request = aPayment(agreement, { sandbox: { delay: 5 } });
  control.addFault({ on: 'get_payment', do: 'read_lag', lag_seconds: 3 });
  await caller.post('/payto/payments', request);
  const state = async () => (await caller.get(`/payto/payments/${request.uid}`)).data.state;
  expect(await state()).toBeUndefined();
  await control.advance(4);
  expect(await state()).toBe('submitting');
  await control.advance(2);
  expect(receiver.types().at(-1)).toBe('payto_payment.settled');
  expect(await state()).toBe('submitting');
  await control.advance(3);
  expect(await state()).toBe('settled');
});

test('an agreement that a reset has forgotten does not come back from the past', async () => {
  const world = await aWorld();
  await anActiveAgreement(world);
  world.control.reset();
  const caller = await world.newCaller();
  world.control.addFault({ on: '*', do: 'read_lag', lag_seconds: 1 });
  expect((await caller.get('/payto/agreements')).list).toEqual([]);
});

test('a lag is for reads alone', async () => {
  const { control } = await aWorld();
  const rule = { on: 'create_agreement', do: 'read_lag' } as const;
  expect(() => control.addFault(rule)).toThrow('read_lag is for reads, and create_agreement is none');
});
