import { expect, test, describe } from 'vitest';
import { anAgreement, aPayment } from '../../support/sandbox/requests.js';
import { anActiveAgreement, aWorld } from '../../support/sandbox/world.js';

describe('fault rules', () => {
  test('a cut call still publishes its webhook', async () => {
    const { caller, control, receiver } = await aWorld();
    control.addFault({ on: 'create_agreement', do: 'cut_after_commit' });
    await expect(caller.post('/payto/agreements', anAgreement())).rejects.toThrow();
    await control.advance(1);
    expect(receiver.types()).toEqual(['payto_agreement.activated']);
  });

  test('a fault for one uid affects only that uid until it is removed', async () => {
    const { caller, control } = await aWorld();
    const [spared, struck] = [anAgreement(), anAgreement()];
    const { id } = control.addFault({
      on: 'create_agreement',
      do: 'error_500_before',
      resource_uid: struck.uid,
    });
    expect((await caller.post('/payto/agreements', spared)).status).toBe(201);
    expect((await caller.post('/payto/agreements', struck)).status).toBe(500);
    expect((await caller.post('/payto/agreements', struck)).status).toBe(500);
    control.removeFault(id);
    expect((await caller.post('/payto/agreements', struck)).status).toBe(201);
  });

  test('a refused call does not use up a fault after commit', async () => {
    const { caller, control } = await aWorld();
    control.addFault({ on: 'create_agreement', do: 'error_500_after_commit', times: 1 });
    expect((await caller.post('/payto/agreements', anAgreement({ surprise: 1 }))).status).toBe(400);
    expect(control.state().faults).toHaveLength(1);
  });

  test('a delayed event does not delay a later one', async () => {
    const world = await aWorld();
    world.control.addFault({ on: 'webhook', do: 'delay', delay_seconds: 600, times: 1 });
    const uid = await anActiveAgreement(world);
    world.control.actAsPayer(uid, 'suspend');
    await world.control.advance(1);
    expect(world.receiver.types()).toEqual(['payto_agreement.suspended']);
  });

  test('a flush sends delayed events once', async () => {
    const world = await aWorld();
    world.control.addFault({ on: 'webhook', do: 'delay', delay_seconds: 600, times: 1 });
    await anActiveAgreement(world);
    await world.control.flushWebhooks();
    await world.control.advance(700);
    expect(world.receiver.types()).toEqual(['payto_agreement.activated']);
  });

  test('a webhook fault of an agreement also affects its payments', async () => {
    const world = await aWorld();
    const uid = await anActiveAgreement(world);
    world.control.addFault({ on: 'webhook', do: 'lose', resource_uid: uid });
    await world.caller.post('/payto/payments', aPayment(uid));
    await world.control.advance(1);
    expect(world.receiver.types()).toEqual(['payto_agreement.activated']);
  });
});

describe('lagging read', () => {
  test('does not show an agreement from before a reset', async () => {
    const world = await aWorld();
    await anActiveAgreement(world);
    world.control.reset();
    const caller = await world.newCaller();
    world.control.addFault({ on: '*', do: 'read_lag', lag_seconds: 1 });
    expect((await caller.get('/payto/agreements')).list).toEqual([]);
  });
});
