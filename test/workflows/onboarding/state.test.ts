import { describe, expect, test } from 'vitest';
import { ONBOARDING_STEPS, STEPS } from '../../../domain/onboarding/steps.js';
import { recordCommand, validateCommand } from '../../../workflows/onboarding/commands.js';
import * as states from '../../../workflows/onboarding/state.js';
import { viewOf } from '../../../workflows/onboarding/view.js';
import { ALL_WELL, someParts } from '../../support/workflows/onboarding-parts.js';
import { refusalIn } from '../../support/workflows/provider.js';
import type { PartRequest } from '../../../activities/onboard/request.js';
import type { Reading } from '../../../domain/onboarding/reading.js';
import type { CommandKind, OnboardingStep, PartName, Parts } from '../../../domain/onboarding/steps.js';

const NOW = '2026-03-02T00:00:00.000Z';

const say = (kind: CommandKind, parts?: Partial<Parts>, key: string = kind) => ({
  kind,
  reason: 'as agreed',
  by: 'key-1',
  use: { key, uid: 'onb-1', body: JSON.stringify(parts ?? {}) },
  parts,
});

/** The loop of the workflow over resources that report at once how they stand. */
function aScene(at: Partial<Record<PartName, Reading>>, parts: Parts = someParts().parts) {
  const request = { id: 'onb-1', connectionId: 'acme', requested: {}, parts };
  let state = states.newOnboarding(request, NOW);
  const started: PartRequest[] = [];
  const run = (): void => {
    for (let part = states.partToStart(state); part !== undefined; part = states.partToStart(state)) {
      const requested = states.requestOf(state, part);
      started.push(requested);
      state = states.markStarted(state, part, requested.uid);
      const { [part]: reading } = at;
      if (reading !== undefined) state = states.recordReading(state, part, requested.uid, reading, NOW);
    }
    state = states.settleAwaiting(state, NOW);
  };
  run();
  return {
    at,
    started,
    view: () => viewOf(state),
    stored: () => state,
    report: (part: PartName, uid: string, reading: Reading) => {
      state = states.recordReading(state, part, uid, reading, NOW);
      run();
    },
    replaceClient: (uid: string) => {
      state = states.replaceClient(state, uid);
      run();
    },
    say: (command: ReturnType<typeof say>) => {
      validateCommand(state, command);
      state = recordCommand(state, command, NOW);
      run();
    },
  };
}

function refusalOf(said: () => void): unknown {
  try {
    said();
  } catch (error) {
    return refusalIn(error);
  }
  return undefined;
}

const mandateIn = (requested: PartRequest | undefined) =>
  requested?.part === 'agreement' ? requested.input.mandate : undefined;

describe('an onboarding', () => {
  test('starts with the payer, and each part has what the one before has brought', () => {
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

  test('registered before verified: nothing but the counterparty starts before its account is verified', () => {
    const { started, view } = aScene({ ...ALL_WELL, counterparty: { state: 'unverified' } });
    expect(started.map(({ part }) => part)).toEqual(['counterparty']);
    expect(view().state).toBe('stopped');
  });

  test('says at each step what is awaited and who acts', () => {
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

  test('shows that a resource waits for a person, and goes on once it does not', () => {
    const { report, view } = aScene({ counterparty: ALL_WELL.counterparty });
    report('client', 'cli-1', { state: 'requested', waits: 'operator' });
    expect(view()).toMatchObject({ awaiting: { what: 'operator' }, attention: [{ code: 'parked' }] });
    expect(view().attention[0]?.next).toContain('/v1/clients/cli-1');
    report('client', 'cli-1', { state: 'requested', waits: 'reauthorisation' });
    expect(view()).toMatchObject({ attention: [{ code: 'needs_reauthorisation' }] });
    report('client', 'cli-1', ALL_WELL.client);
    expect(view()).toMatchObject({ awaiting: { what: 'provider-acceptance' }, attention: [] });
  });

  test('a report of a part of before, or of one that is not due, changes nothing', () => {
    const { report, stored } = aScene({});
    const before = stored();
    report('payment', 'pay-1', ALL_WELL.payment);
    report('counterparty', 'cp-0', ALL_WELL.counterparty);
    expect(stored()).toEqual(before);
  });

  test('a stopped part that is mended at its own route lets it continue without a command', () => {
    const { report, view } = aScene({ ...ALL_WELL, counterparty: { state: 'unverified' } });
    report('counterparty', 'cp-1', ALL_WELL.counterparty);
    expect(view().state).toBe('done');
  });

  test('another onboarding that registers the same business lends its client', () => {
    const { started, replaceClient, report, view } = aScene({ counterparty: ALL_WELL.counterparty });
    replaceClient('cli-0');
    expect(started.at(-1)).toMatchObject({ part: 'client', uid: 'cli-0', isShared: true });
    report('client', 'cli-0', ALL_WELL.client);
    expect(view().steps.find(({ step }) => step === 'client')).toMatchObject({ uid: 'cli-0', state: 'done' });
  });

  test('who the payer is, and from where, is dropped once the agreement is created', () => {
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

describe('is stopped', () => {
  test.each(STOPS)(
    'at %s where that is %s: says what to do, and continues once it is mended',
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

  test.each(['other', 'missing'])('where what has the uid is %s', (state) => {
    const failure = { code: 'idempotency_conflict', title: 'It differs at /legal_name.' };
    const { view } = aScene({ ...ALL_WELL, client: { state, failure } });
    expect(view().attention[0]?.detail).toContain('/legal_name');
  });
});

const OTHER_ACCOUNT = { type: 'bban', value: '200001-99990000' } as const;
const ANOTHER: Parts['payment'] = { ...someParts().parts.payment, uid: 'pay-2' };

describe('commands', () => {
  const corrected = { agreement: { uid: 'agr-2', mandate: someParts().parts.agreement.mandate } };

  test('correct the part, once for the key: it starts under another uid, and the old one is left behind', () => {
    const { at, started, say: command, view } = aScene({ ...ALL_WELL, agreement: { state: 'declined' } });
    at.agreement = { state: 'active' };
    command(say('correction', corrected));
    command(say('correction', corrected));
    expect(started.map(({ uid }) => uid)).toEqual(['cp-1', 'cli-1', 'agr-1', 'agr-2', 'pay-1']);
    expect(started.at(-1)).toMatchObject({ request: { order: { agreement_uid: 'agr-2' } } });
    expect(view()).toMatchObject({
      state: 'done',
      leftBehind: [{ part: 'agreement', uid: 'agr-1', state: 'declined' }],
      commands: [{ kind: 'correction', step: 'payer_decision', reason: 'as agreed', by: 'key-1' }],
    });
  });

  test('attribution lost: the client that the onboarding names initiates a corrected agreement as well', () => {
    const given: Parts = { ...someParts().parts, client: { clientId: 'cl-elsewhere' } };
    const { at, started, say: command } = aScene({ ...ALL_WELL, agreement: { state: 'declined' } }, given);
    at.agreement = { state: 'active' };
    command(say('correction', corrected));
    const agreements = started.filter(({ part }) => part === 'agreement').map(mandateIn);
    expect(agreements.map((mandate) => mandate?.initiator?.client_id)).toEqual([
      'cl-elsewhere',
      'cl-elsewhere',
    ]);
  });

  test('skip the counterparty: the agreement is made without its account', () => {
    const { started, say: command, view } = aScene({ ...ALL_WELL, counterparty: { state: 'unverified' } });
    command(say('skip'));
    expect(JSON.stringify(mandateIn(started[2]))).not.toContain('payment_account_uid');
    expect(view()).toMatchObject({
      state: 'done',
      steps: [{ state: 'skipped' }, {}, {}, {}, {}],
      leftBehind: [{ uid: 'cp-1' }],
    });
  });

  test.each([
    ['a correction of what goes on', {}, say('correction', corrected), 'step_not_stopped'],
    ['a skip of the client', { counterparty: ALL_WELL.counterparty }, say('skip'), 'step_not_skippable'],
    [
      'a correction of another part',
      { ...ALL_WELL, client: { state: 'failed' } },
      say('correction', corrected),
      'other_step_stopped',
    ],
    [
      'a correction under the same uid',
      { ...ALL_WELL, client: { state: 'failed' } },
      say('correction', { client: { uid: 'cli-1' } }),
      'idempotency_conflict',
    ],
    [
      'a correction of a counterparty that has a route of its own',
      { counterparty: { state: 'unverified' } },
      say('correction', { counterparty: { ...someParts().parts.counterparty, uid: 'cp-2' } }),
      'own_route_only',
    ],
    [
      'another payment in place of one that was sent',
      { ...ALL_WELL, payment: { state: 'failed', isSent: true } },
      say('correction', { payment: ANOTHER }),
      'payment_submitted',
    ],
    [
      'another payment while it could not be read how this one stands',
      { ...ALL_WELL, payment: { state: 'unread' } },
      say('correction', { payment: ANOTHER }),
      'payment_submitted',
    ],
    [
      'another payment where one of the same agreement differs and was sent',
      { ...ALL_WELL, payment: { state: 'other', isSent: true } },
      say('correction', { payment: ANOTHER }),
      'payment_submitted',
    ],
  ])('refuse %s', (_name, at, said, code) => {
    const { say: command, stored } = aScene(at);
    const before = stored();
    expect(
      refusalOf(() => {
        command(said);
      }),
    ).toBe(code);
    expect(stored()).toEqual(before);
  });

  test('another payment stays refused, however what was sent is read later', () => {
    const { at, say: command } = aScene({ ...ALL_WELL, payment: { state: 'failed', isSent: true } });
    at.payment = { state: 'other' };
    command(say('resumption'));
    const refused = refusalOf(() => {
      command(say('correction', { payment: ANOTHER }));
    });
    expect(refused).toBe('payment_submitted');
  });

  test('a retry that is scheduled is under way', () => {
    const payment: Reading = { state: 'failed', waits: 'retry' };
    const { report, view } = aScene({ ...ALL_WELL, payment });
    expect(view().state).toBe('under_way');
    report('payment', 'pay-1', { state: 'settled' });
    expect(view().state).toBe('done');
  });

  test.each([
    ['corrected there', [{ uid: 'acc-2', account_identifier: OTHER_ACCOUNT }]],
    ['registered without it', []],
  ])('an agreement whose account was %s is stopped before it is sent', (_name, accounts) => {
    const {
      started,
      say: command,
      view,
    } = aScene({ ...ALL_WELL, counterparty: { state: 'registered', accounts } });
    command(say('resumption'));
    const stopped = { step: 'agreement', state: 'stopped', reading: { state: 'other_account' } };
    expect(view().steps).toContainEqual(expect.objectContaining(stopped));
    expect(started.map(({ part }) => part)).toEqual(['counterparty', 'client']);
  });

  test('an agreement that is corrected to an account as it is now names that account', () => {
    const accounts = [{ uid: 'acc-2', account_identifier: OTHER_ACCOUNT }];
    const {
      started,
      say: command,
      view,
    } = aScene({ ...ALL_WELL, counterparty: { state: 'registered', accounts } });
    const { mandate } = corrected.agreement;
    const debtor = { ...mandate.debtor, account_identifier: OTHER_ACCOUNT };
    command(say('correction', { agreement: { uid: 'agr-2', mandate: { ...mandate, debtor } } }));
    expect(mandateIn(started[2])?.debtor).toMatchObject({
      payment_account_uid: 'acc-2',
      account_identifier: OTHER_ACCOUNT,
    });
    expect(view()).toMatchObject({ state: 'done', leftBehind: [] });
  });

  test('a verification that is required is not skipped', () => {
    const { parts } = someParts();
    const given: Parts = { ...parts, counterparty: { ...parts.counterparty, isRequired: true } };
    const { say: command } = aScene({ counterparty: { state: 'unverified' } }, given);
    expect(
      refusalOf(() => {
        command(say('skip'));
      }),
    ).toBe('step_not_skippable');
  });

  test('abandon it, once; the same key for something else is refused', () => {
    const { say: command, view } = aScene({ ...ALL_WELL, agreement: { state: 'created' } });
    command(say('abandonment'));
    command(say('abandonment'));
    const left = [{ uid: 'cp-1' }, { uid: 'cli-1' }, { uid: 'agr-1', state: 'created' }];
    expect(view()).toMatchObject({ state: 'abandoned', leftBehind: left, awaiting: { what: 'nothing' } });
    const other = { ...say('resumption'), use: { key: 'abandonment', uid: 'onb-1', body: 'other' } };
    expect(
      refusalOf(() => {
        command(other);
      }),
    ).toBe('onboarding_key_conflict');
    expect(
      refusalOf(() => {
        command(say('resumption'));
      }),
    ).toBe('onboarding_over');
  });

  test('a payment that was not admitted is requested again as it was', () => {
    const failure = { code: 'before_first_payment_date', title: 'Expected a later day.' };
    const { at, say: command, view } = aScene({ ...ALL_WELL, payment: { state: 'refused', failure } });
    expect(view().attention[0]?.detail).toContain('before_first_payment_date');
    at.payment = { state: 'settled' };
    command(say('resumption'));
    expect(view().state).toBe('done');
  });
});
