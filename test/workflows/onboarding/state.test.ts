import { describe, expect, test } from 'vitest';
import {
  ONBOARDING_STEPS,
  STEPS,
  type OnboardingStep,
  type PartName,
  type Parts,
} from '../../../domain/onboarding/steps.js';
import { ALL_WELL, aScene, mandateIn, say, someParts } from '../../support/workflows/onboarding-parts.js';

describe('onboarding', () => {
  test('starts with the counterparty and passes results on to each next part', () => {
    const { started, view } = aScene({ ...ALL_WELL });
    expect(view()).toMatchObject({ state: 'done', attention: [], leftBehind: [], clientId: 'cl-1' });
    expect(started.map(({ part, uid }) => [part, uid])).toEqual([
      ['counterparty', 'cp-1'],
      ['client', 'cli-1'],
      ['agreement', 'agr-1'],
      ['payment', 'pay-1'],
    ]);
    expect(mandateIn(started[2])).toMatchObject({
      initiator: { client_id: 'cl-1' },
      debtor: { payment_account_uid: 'acc-1' },
    });
    expect(started[3]).toMatchObject({ request: { uid: 'pay-1', order: { agreement_uid: 'agr-1' } } });
    expect(started.every(({ reportTo }) => reportTo === 'onboarding/onb-1')).toBe(true);
  });

  test('starts only the counterparty until its account is verified', () => {
    const { started, view } = aScene({ ...ALL_WELL, counterparty: { state: 'unverified' } });
    expect(started.map(({ part }) => part)).toEqual(['counterparty']);
    expect(view().state).toBe('stopped');
  });

  test('shows the awaited event and the actor of each step', () => {
    const { report, view } = aScene({});
    const shown: [string, string | undefined][] = [];
    const next = (part: PartName, uid: string, state: string) => {
      const { awaiting, steps } = view();
      shown.push([awaiting.what, steps.find((one) => one.state === 'under_way')?.actor]);
      report(part, uid, { ...ALL_WELL[part], state });
    };
    next('counterparty', 'cp-1', 'registered');
    next('client', 'cli-1', 'active');
    next('agreement', 'agr-1', 'created');
    next('agreement', 'agr-1', 'active');
    next('payment', 'pay-1', 'settled');
    expect(shown).toEqual([
      ['verification', 'provider'],
      ['service', 'provider'],
      ['provider-acceptance', 'provider'],
      ['payer-decision', 'payer'],
      ['settlement', 'provider'],
    ]);
    expect(view().state).toBe('done');
  });

  test('shows a flag while a resource waits for a person and resumes afterwards', () => {
    const { report, view } = aScene({ counterparty: ALL_WELL.counterparty });
    report('client', 'cli-1', { state: 'requested', waits: 'operator' });
    expect(view()).toMatchObject({ awaiting: { what: 'operator' }, attention: [{ code: 'parked' }] });
    expect(view().attention[0]?.next).toContain('/v1/clients/cli-1');
    report('client', 'cli-1', { state: 'requested', waits: 'reauthorisation' });
    expect(view()).toMatchObject({ attention: [{ code: 'needs_reauthorisation' }] });
    report('client', 'cli-1', ALL_WELL.client);
    expect(view()).toMatchObject({ awaiting: { what: 'provider-acceptance' }, attention: [] });
  });

  test('ignores reports of replaced parts and of parts that have not started', () => {
    const { report, stored } = aScene({});
    const before = stored();
    report('payment', 'pay-1', ALL_WELL.payment);
    report('counterparty', 'cp-0', ALL_WELL.counterparty);
    expect(stored()).toEqual(before);
  });

  test('continues without a command after a stopped part is fixed at its own route', () => {
    const { report, view } = aScene({ ...ALL_WELL, counterparty: { state: 'unverified' } });
    report('counterparty', 'cp-1', ALL_WELL.counterparty);
    expect(view().state).toBe('done');
  });

  test('shares the client of another onboarding of the same business', () => {
    const { started, replaceClient, report, view } = aScene({ counterparty: ALL_WELL.counterparty });
    replaceClient('cli-0');
    expect(started.at(-1)).toMatchObject({ part: 'client', uid: 'cli-0', isShared: true });
    report('client', 'cli-0', ALL_WELL.client);
    expect(view().steps.find(({ step }) => step === 'client')).toMatchObject({ uid: 'cli-0', state: 'done' });
  });

  test("drops the payer's id and IP address once the agreement is created", () => {
    const payer = { requester_id: 'customer-77', remote_ip: '203.0.113.7' };
    const { parts } = someParts();
    const given: Parts = {
      ...parts,
      counterparty: { ...parts.counterparty, payer },
      agreement: { ...parts.agreement, payer },
    };
    const { report, stored } = aScene(
      { counterparty: ALL_WELL.counterparty, client: ALL_WELL.client },
      given,
    );
    expect(JSON.stringify(stored())).toContain('203.0.113.7');
    report('agreement', 'agr-1', { state: 'created' });
    expect(JSON.stringify(stored())).not.toMatch(/203\.0\.113\.7|customer-77/);
  });
});

const STOPS = ONBOARDING_STEPS.flatMap((step) =>
  Object.keys(STEPS[step].stops).map((state) => [step, state] as const),
);
const metAt = (step: OnboardingStep, state: string) =>
  step === 'payer_decision' && state === 'failed' ? 'agreement' : step;

describe('stopped onboarding', () => {
  test.each(STOPS)(
    'shows advice at the step %s in state %s and continues after a resumption',
    (step, state) => {
      const { part } = STEPS[step];
      const { at, started, say: command, view } = aScene({ ...ALL_WELL, [part]: { state } });
      const { steps, attention, ...shown } = view();
      expect(shown).toMatchObject({ state: 'stopped', awaiting: { what: 'operator' } });
      const stopped = steps.find((one) => one.state === 'stopped');
      expect(stopped).toMatchObject({ step: metAt(step, state), actor: 'caller' });
      expect(attention).toMatchObject([{ code: 'stopped' }]);
      expect(attention[0]?.next).toMatch(/\w/);
      expect(JSON.stringify(attention)).not.toMatch(/[{}]path|[{]id[}]/);
      expect(started.at(-1)?.part).toBe(part);
      at[part] = ALL_WELL[part];
      command(say('resumption'));
      expect(view().state).toBe('done');
    },
  );

  test.each(['other', 'missing'])('shows the difference if the resource with the uid is %s', (state) => {
    const failure = { code: 'idempotency_conflict', title: 'It differs at /legal_name.' };
    const { view } = aScene({ ...ALL_WELL, client: { state, failure } });
    expect(view().attention[0]?.detail).toContain('/legal_name');
  });
});
