// What goes wrong on request: lost, late, doubled and swapped webhooks, calls that fail or are cut, and reads that lag.
import { expect, test, describe } from 'vitest';
import { askToken, consent, refresh } from '../../support/sandbox/caller.js';
import { anAgreement, aPayment } from '../../support/sandbox/requests.js';
import { anActiveAgreement, anIgnoredAgreement, aWorld } from '../../support/sandbox/world.js';

describe('what goes wrong on request: lost, late, doubled and swapped webhooks, 500s, and connections cut with or without a commit', () => {
  test('cut after commit: no answer, and the agreement is there', async () => {
    const { caller, control } = await aWorld();
    control.addFault({ on: 'create_agreement', do: 'cut_after_commit', times: 1 });
    const request = anAgreement();
    await expect(caller.post('/payto/agreements', request)).rejects.toThrow();
    expect((await caller.get(`/payto/agreements/${request.uid}`)).status).toBe(200);
    expect((await caller.post('/payto/agreements', request)).errors[0]?.code).toBe('ZPAGR00');
    const call = control.ledger().find(({ kind }) => kind === 'call');
    expect(call).toMatchObject({
      operation: 'create_agreement',
      status: 'cut',
      resource_uid: request.uid,
      fault: 'cut_after_commit',
    });
  });

  test('cut before commit: no answer, and nothing is there', async () => {
    const { caller, control } = await aWorld();
    control.addFault({ on: 'create_agreement', do: 'cut_before_commit', times: 1 });
    const request = anAgreement();
    await expect(caller.post('/payto/agreements', request)).rejects.toThrow();
    expect((await caller.get(`/payto/agreements/${request.uid}`)).status).toBe(404);
    expect((await caller.post('/payto/agreements', request)).status).toBe(201);
  });

  test.each([
    ['error_500_before', 404],
    ['error_500_after_commit', 200],
  ] as const)('%s: a 500, and the payment is then %i', async (fault, status) => {
    const world = await aWorld();
    const request = aPayment(await anActiveAgreement(world));
    world.control.addFault({ on: 'create_payment', do: fault, times: 1 });
    expect((await world.caller.post('/payto/payments', request)).status).toBe(500);
    expect((await world.caller.get(`/payto/payments/${request.uid}`)).status).toBe(status);
  });

  test('the webhook of a cut call comes all the same', async () => {
    const { caller, control, receiver } = await aWorld();
    control.addFault({ on: 'create_agreement', do: 'cut_after_commit' });
    await expect(caller.post('/payto/agreements', anAgreement())).rejects.toThrow();
    await control.advance(1);
    expect(receiver.types()).toEqual(['payto_agreement.activated']);
  });

  test.each(['get_agreement', 'list_agreements', 'agreement_history'] as const)(
    '%s can fail as well, as often as it was told',
    async (on) => {
      const world = await aWorld();
      const uid = await anActiveAgreement(world);
      const paths = {
        get_agreement: `/payto/agreements/${uid}`,
        list_agreements: '/payto/agreements',
        agreement_history: `/payto/agreements/${uid}/history`,
      };
      world.control.addFault({ on, do: 'error_500_before', times: 2 });
      const statuses = [];
      for (let call = 0; call < 3; call += 1) statuses.push((await world.caller.get(paths[on])).status);
      expect(statuses).toEqual([500, 500, 200]);
    },
  );

  test('a fault for one uid leaves the others alone, and stays until it is removed', async () => {
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

  test('a token answer that is lost after the commit has used the refresh token up', async () => {
    const { url, control } = await aWorld();
    const tokens = await consent(url);
    control.addFault({ on: 'token', do: 'cut_after_commit', times: 1 });
    await expect(refresh(url, tokens.refresh)).rejects.toThrow();
    expect(control.ledger().at(-1)).toMatchObject({ outcome: 'issued', generation: 2, status: 'cut' });
    expect((await refresh(url, tokens.refresh)).body.error).toBe('invalid_grant');
    expect(control.state().grants.at(-1)?.revoked).toBe(true);
  });

  test('a token call that is cut before the commit has used nothing up', async () => {
    const { url, control } = await aWorld();
    const tokens = await consent(url);
    control.addFault({ on: 'token', do: 'cut_before_commit', times: 1 });
    const fields = { grant_type: 'refresh_token', refresh_token: tokens.refresh };
    await expect(askToken(url, fields)).rejects.toThrow();
    expect(control.ledger().at(-1)).toMatchObject({ outcome: 'not_processed', status: 'cut' });
    expect((await refresh(url, tokens.refresh)).status).toBe(200);
  });

  test('lose: the event is in the history and never reaches the receiver', async () => {
    const world = await aWorld();
    world.control.addFault({ on: 'webhook', do: 'lose', times: 1 });
    const uid = await anActiveAgreement(world);
    await world.control.flushWebhooks();
    await world.control.advance(3600);
    expect(world.receiver.received).toEqual([]);
    expect((await world.caller.get(`/payto/agreements/${uid}/history`)).list).toHaveLength(1);
    expect(world.control.ledger().filter(({ kind }) => kind === 'webhook')).toMatchObject([
      { status: 'lost' },
    ]);
  });

  test('delay: the event waits for its time on the clock', async () => {
    const world = await aWorld();
    world.control.addFault({ on: 'webhook', do: 'delay', delay_seconds: 600, times: 1 });
    await anActiveAgreement(world);
    await world.control.advance(590);
    expect(world.receiver.received).toEqual([]);
    await world.control.advance(10);
    expect(world.receiver.types()).toEqual(['payto_agreement.activated']);
  });

  test('delay: a later event is not held up by an earlier one', async () => {
    const world = await aWorld();
    world.control.addFault({ on: 'webhook', do: 'delay', delay_seconds: 600, times: 1 });
    const uid = await anActiveAgreement(world);
    world.control.actAsPayer(uid, 'suspend');
    await world.control.advance(1);
    expect(world.receiver.types()).toEqual(['payto_agreement.suspended']);
  });

  test('flush sends what is delayed, once', async () => {
    const world = await aWorld();
    world.control.addFault({ on: 'webhook', do: 'delay', delay_seconds: 600, times: 1 });
    await anActiveAgreement(world);
    await world.control.flushWebhooks();
    await world.control.advance(700);
    expect(world.receiver.types()).toEqual(['payto_agreement.activated']);
  });

  test('repeat: the same event with the same ids, as often as asked', async () => {
    const world = await aWorld();
    world.control.addFault({ on: 'webhook', do: 'repeat', copies: 2, times: 1 });
    await anActiveAgreement(world);
    expect(world.receiver.received).toHaveLength(3);
    expect(new Set(world.receiver.received.map(({ raw }) => raw)).size).toBe(1);
    expect(new Set(world.receiver.received.map(({ headers }) => headers['service-request-id'])).size).toBe(1);
    expect(world.control.state().webhook.deliveries).toBe(1);
  });

  test('reorder: the event comes after the next one of its agreement', async () => {
    const world = await aWorld();
    const uid = await anIgnoredAgreement(world);
    world.control.addFault({ on: 'webhook', do: 'reorder', resource_uid: uid });
    for (const action of ['accept', 'suspend', 'reactivate'] as const) world.control.actAsPayer(uid, action);
    await anActiveAgreement(world);
    const ours = () =>
      world.receiver.received
        .filter(({ envelope }) => envelope.data.resource_uid === uid)
        .map(({ envelope }) => envelope.data.type.replace('payto_agreement.', ''));
    expect(ours()).toEqual(['suspended', 'activated']);
    await world.control.flushWebhooks();
    expect(ours()).toEqual(['suspended', 'activated', 'reactivated']);
  });

  test('a webhook fault for an agreement also meets its payments', async () => {
    const world = await aWorld();
    const uid = await anActiveAgreement(world);
    world.control.addFault({ on: 'webhook', do: 'lose', resource_uid: uid });
    await world.caller.post('/payto/payments', aPayment(uid));
    await world.control.advance(1);
    expect(world.receiver.types()).toEqual(['payto_agreement.activated']);
  });
});

describe('reads that lag behind: what was so many seconds ago, whole and consistent, and nothing that came later', () => {
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
});
