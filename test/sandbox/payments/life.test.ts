// A payment follows its script to the documented states, events and failures, and consecutive failures suspend its agreement.
import { describe, expect, test } from 'vitest';
import { nextStep } from '../../../sandbox/payments/life.js';
import { NEXT_STATES } from '../../../sandbox/payments/states.js';
import {
  FAILURE_CODES,
  PaymentSimulation,
  type PaymentState,
} from '../../../sandbox/store/payment.schema.js';
import {
  ADHOC,
  anEndedPayment,
  later,
  pay,
  paymentOf,
  codesOf,
  DAY_SECONDS,
} from '../../support/sandbox/payments.js';
import { anActiveAgreement, aWorld, type World } from '../../support/sandbox/world.js';

describe('payment script', () => {
  const eventsOf = ({ receiver }: World, uid: string): unknown[] =>
    receiver.received
      .filter(({ envelope }) => envelope.data.resource_uid === uid)
      .map(({ envelope: { data } }) => [data.type.replace('payto_payment.', ''), data.body]);

  const statesOf = ({ control }: World, uid: string): unknown[] =>
    control
      .ledger()
      .flatMap((entry) => (entry.kind === 'change' && entry.resource_uid === uid ? [entry.to] : []));

  test.each([
    ['auto_settle', ['settled'], null],
    ['requires_investigation', ['under_investigation'], null],
    ['investigate_and_settle', ['under_investigation', 'settled'], null],
    ['investigate_and_fail', ['under_investigation', 'failed'], { code: 'UKNWN', retryable: false }],
    ['insufficient_funds', ['failed'], { code: 'AM04', retryable: true }],
    ['creditor_account_type_not_supported', ['failed'], { code: 'AC14', retryable: false }],
    ['creditor_account_closed', ['failed'], { code: 'AC07', retryable: false }],
    ['debtor_account_closed', ['failed'], { code: 'AC05', retryable: false }],
    ['financial_infrastructure_unavailable', ['failed'], { code: 'FF10', retryable: true }],
    ['debtor_alias_not_found', ['failed'], { code: 'ZPUNP07', retryable: false }],
    ['creditor_alias_not_found', ['failed'], { code: 'ZPUNP08', retryable: false }],
    ['alias_resolution_service_unavailable', ['failed'], { code: 'ZPUNP06', retryable: false }],
  ])('%s leads to %j', async (simulate, states, failure) => {
    const world = await aWorld();
    const uid = await anEndedPayment(world, await anActiveAgreement(world), { sandbox: { simulate } });
    const data = await paymentOf(world, uid);
    expect(data.state).toBe(states.at(-1));
    if (failure === null) expect(data['failure']).toBeNull();
    else expect(data['failure']).toMatchObject(failure);
    const body = failure === null ? null : { failure: data['failure'] };
    expect(eventsOf(world, uid)).toEqual(states.map((state) => [state, state === 'failed' ? body : null]));
    expect(statesOf(world, uid)).toEqual(['created', 'submitting', ...states]);
  });

  test('waits the delay before each step', async () => {
    const world = await aWorld();
    const sandbox = { simulate: 'investigate_and_settle', delay: 60 };
    const { uid } = await pay(world, await anActiveAgreement(world), { sandbox });
    const course = [
      [55, 'submitting'],
      [10, 'under_investigation'],
      [45, 'under_investigation'],
      [20, 'settled'],
    ] as const;
    for (const [seconds, state] of course) {
      await world.control.advance(seconds);
      expect(await paymentOf(world, uid)).toMatchObject({ state });
    }
  });

  describe('pending payment', () => {
    async function aPendingPayment(simulate: PaymentSimulation, delay?: number): Promise<World> {
      const world = await aWorld();
      world.control.scriptPayment('pay-p', { simulate, ...(delay === undefined ? {} : { delay }) });
      await pay(world, await anActiveAgreement(world, ADHOC), { uid: 'pay-p' });
      await world.control.advance(30);
      expect(await paymentOf(world, 'pay-p')).toMatchObject({ state: 'submitting' });
      await world.control.advance(6);
      expect(await paymentOf(world, 'pay-p')).toMatchObject({ state: 'pending', failure: null });
      return world;
    }

    test.each([
      ['pending_then_settle', 'settled', null],
      ['pending_then_fail', 'failed', 'TM01'],
      ['pending_then_investigate', 'under_investigation', null],
    ] as const)('of %s is pending after 35 s and %s after 40 h', async (simulate, end, code) => {
      let world = await aPendingPayment(simulate);
      world = await later(world, 40 * 60 * 60 - 10);
      expect(await paymentOf(world, 'pay-p')).toMatchObject({ state: 'pending' });
      await world.control.advance(20);
      const { state, failure } = await paymentOf(world, 'pay-p');
      expect(state).toBe(end);
      expect(failure).toEqual(code === null ? null : expect.objectContaining({ code, retryable: true }));
      expect(eventsOf(world, 'pay-p')).toEqual([
        ['pending', null],
        [end, code === null ? null : { failure }],
      ]);
    });

    test.each(['settled', 'failed'] as const)('can be resolved as %s permanently', async (outcome) => {
      const world = await aPendingPayment('pending_then_investigate');
      world.control.resolvePayment('pay-p', outcome);
      const resolved = await paymentOf(world, 'pay-p');
      expect(resolved.state).toBe(outcome);
      const after = await later(world, 41 * 60 * 60);
      expect(await paymentOf(after, 'pay-p')).toEqual(resolved);
      expect(eventsOf(world, 'pay-p')).toHaveLength(2);
    });
  });

  const RETRYABLE = 'AB01 AB02 AB03 AB04 AB08 AC06 AG07 AM04 AM21 FF10 MD20 NARR SL13 SL14 TD03 TM01'.split(
    ' ',
  );

  test('every failure code can be scripted with its retryable flag', async () => {
    const world = await aWorld();
    const agreementUid = await anActiveAgreement(world, ADHOC);
    for (const code of FAILURE_CODES) {
      world.control.scriptPayment(`pay-${code}`, { simulate: code, delay: 600 });
      await pay(world, agreementUid, { uid: `pay-${code}` });
    }
    await world.control.advance(601);
    const sentence: unknown = expect.stringMatching(/^[A-Z]/);
    const { payments } = world.control.state();
    for (const code of FAILURE_CODES) {
      const failure = { code, title: sentence, detail: sentence, retryable: RETRYABLE.includes(code) };
      expect((await paymentOf(world, `pay-${code}`))['failure']).toEqual(failure);
    }
    expect(payments).toHaveLength(FAILURE_CODES.length);
    const documented = [...RETRYABLE, 'FRAD', 'CUST', 'MS02', 'NACT', 'NAUT'];
    expect(FAILURE_CODES).toEqual(expect.arrayContaining(documented));
  });

  test('every script follows the allowed states to an end', () => {
    for (const simulate of PaymentSimulation.options) {
      let state: PaymentState = 'submitting';
      for (let steps = 0; steps < 5; steps += 1) {
        const step = nextStep(state, { simulate, delay: 0 });
        if (step === undefined) break;
        expect(NEXT_STATES[state], `${simulate}: ${state}`).toContain(step.to);
        state = step.to;
      }
      expect(['settled', 'failed', 'under_investigation'], simulate).toContain(state);
    }
  });
});

describe('consecutive failures', () => {
  const FAILS = { sandbox: { simulate: 'insufficient_funds' } };

  async function failTimes(world: World, agreementUid: string, times: number): Promise<void> {
    for (let i = 0; i < times; i += 1) await anEndedPayment(world, agreementUid, FAILS);
  }

  const stateOf = async ({ caller }: World, uid: string): Promise<string | undefined> =>
    (await caller.get(`/payto/agreements/${uid}`)).data.state;

  test('suspend the agreement at the seventh, with an event and history entry', async () => {
    const world = await aWorld();
    const uid = await anActiveAgreement(world, ADHOC);
    await failTimes(world, uid, 6);
    expect(await stateOf(world, uid)).toBe('active');
    await failTimes(world, uid, 1);
    expect((await world.caller.get(`/payto/agreements/${uid}`)).data).toMatchObject({
      state: 'suspended',
      state_caused_by: 'zepto_system',
    });
    expect(world.receiver.types().slice(-2)).toEqual(['payto_payment.failed', 'payto_agreement.suspended']);
    expect(world.receiver.received.at(-1)?.envelope.data.body).toMatchObject({
      caused_by: 'zepto_system',
      reason: { code: 'MSUC' },
    });
    const { list } = await world.caller.get(`/payto/agreements/${uid}/history`);
    expect(list[0]).toMatchObject({ type: 'payto_agreement.suspended', body: { reason: { code: 'MSUC' } } });
    expect(codesOf((await pay(world, uid)).answer)).toEqual([422, 'ZPPAY03']);
  });

  test('are reset by a settled payment but not by an investigation', async () => {
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

  test('include failed retries', async () => {
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
});
