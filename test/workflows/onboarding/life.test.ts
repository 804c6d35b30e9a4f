import { describe, expect, test } from 'vitest';
import { ONBOARDING_STEPS, STEPS } from '../../../domain/onboarding/steps.js';
import { ALL_WELL, someParts, someResources } from '../../support/workflows/onboarding-parts.js';
import { failure, refusalIn } from '../../support/workflows/provider.js';
import { HOUR, inVirtualTime } from '../../support/workflows/virtual.js';
import type {
  CommandKind,
  OnboardingStep,
  PartName,
  Parts,
  Reading,
} from '../../../domain/onboarding/steps.js';
import type { OnboardingView } from '../../../workflows/onboarding/contract.js';

const say = (kind: CommandKind, parts?: Partial<Parts>, key = kind) => ({
  kind,
  reason: 'as agreed',
  by: 'key-1',
  use: { key, uid: 'onb-1', body: JSON.stringify(parts ?? {}) },
  parts,
});

const stepsIn = ({ steps }: OnboardingView) => steps.map(({ state }) => state);

async function aScene(at: Partial<Record<PartName, Reading>>, given = someParts()) {
  const resources = someResources(at);
  const scene = inVirtualTime({ onboard: resources.onboard });
  const onboarding = await scene.onboarding(given);
  return { ...scene, ...resources, onboarding };
}

const refusalOf = async (said: Promise<void>) => refusalIn(await said.catch((error: unknown) => error));

describe('an onboarding', () => {
  test('stops where a call fails for good, and asks again once it is resumed', async () => {
    let isBroken = true;
    const { onboard } = someResources(ALL_WELL);
    const scene = inVirtualTime({
      onboard: (asked) => (isBroken ? Promise.reject(failure('SealError')) : onboard(asked)),
    });
    const onboarding = await scene.onboarding(someParts());
    expect(onboarding.view()).toMatchObject({ state: 'stopped', awaiting: { what: 'operator' } });
    expect(onboarding.view().steps[0]?.next).toContain('/resumption');
    expect(scene.calls).toEqual(['onboard']);
    isBroken = false;
    await onboarding.say(say('resumption'));
    expect(onboarding.view().state).toBe('done');
  });

  test('goes from the client to the first payment, each with what the one before has brought', async () => {
    const { onboarding, seen } = await aScene({ ...ALL_WELL });
    expect([onboarding.isOver(), onboarding.place()]).toEqual([true, 'done']);
    expect(onboarding.view()).toMatchObject({ state: 'done', attention: [], leftBehind: [] });
    expect(seen.map(({ requested: { part, uid } }) => [part, uid])).toEqual([
      ['client', 'cli-1'],
      ['counterparty', 'cp-1'],
      ['agreement', 'agr-1'],
      ['payment', 'pay-1'],
    ]);
    expect(seen[2]?.requested).toMatchObject({
      input: { mandate: { initiator: { client_id: 'cl-1' }, debtor: { payment_account_uid: 'acc-1' } } },
    });
    expect(seen[3]?.requested).toMatchObject({
      request: { uid: 'pay-1', order: { agreement_uid: 'agr-1' } },
    });
  });

  test('says at each step what is awaited and who acts, and learns by itself', async () => {
    const { onboarding, at, pass } = await aScene({});
    const shown: [string, string][] = [];
    const next = async (part: PartName, state: string) => {
      const { awaiting, steps } = onboarding.view();
      const actor = steps.find(({ state: stands }) => stands === 'under_way')?.actor ?? '';
      shown.push([awaiting.what, actor]);
      at[part] = { ...ALL_WELL[part], state };
      await pass(HOUR);
    };
    await next('client', 'pending');
    await next('client', 'active');
    await next('counterparty', 'registered');
    await next('agreement', 'created');
    await next('agreement', 'active');
    await next('payment', 'settled');
    expect(shown).toEqual([
      ['provider-acceptance', 'provider'],
      ['service', 'provider'],
      ['verification', 'provider'],
      ['provider-acceptance', 'provider'],
      ['payer-decision', 'payer'],
      ['settlement', 'provider'],
    ]);
    expect(onboarding.view().state).toBe('done');
  });

  test('looks at once when the story that it waits for reports, and not when another does', async () => {
    const { onboarding, at, calls } = await aScene({ ...ALL_WELL, agreement: { state: 'created' } });
    await onboarding.reported('client/cli-1');
    const before = calls.length;
    at.agreement = { state: 'active' };
    await onboarding.reported('agreement/agr-1');
    expect(calls.length).toBeGreaterThan(before);
    expect(onboarding.view().state).toBe('done');
  });

  test('shows that a resource waits for a person, and goes on once it does not', async () => {
    const { onboarding, at, pass } = await aScene({ client: { state: 'requested', waits: 'operator' } });
    expect(onboarding.view()).toMatchObject({
      state: 'under_way',
      awaiting: { what: 'operator' },
      attention: [{ code: 'parked' }],
    });
    expect(onboarding.view().attention[0]?.next).toContain('/v1/clients/cli-1');
    at.client = { state: 'requested', waits: 'reauthorisation' };
    await pass(HOUR);
    expect(onboarding.view()).toMatchObject({
      awaiting: { what: 'reauthorisation' },
      attention: [{ code: 'needs_reauthorisation' }],
    });
    Object.assign(at, ALL_WELL);
    await pass(HOUR);
    expect(onboarding.view()).toMatchObject({ state: 'done', attention: [] });
  });

  test('is carried to a fresh run as it stands', async () => {
    const { onboarding, at, pass } = await aScene({ ...ALL_WELL, agreement: { state: 'created' } });
    await onboarding.growLong();
    expect(onboarding.runs()).toBe(2);
    at.agreement = { state: 'active' };
    await pass(HOUR);
    expect(onboarding.view().state).toBe('done');
  });
});

const STOPS = ONBOARDING_STEPS.flatMap((step) =>
  Object.keys(STEPS[step].stops).map((state) => [step, state] as const),
);
const metAt = (step: OnboardingStep, state: string) =>
  step === 'payer_decision' && state === 'failed' ? 'agreement' : step;

describe('is stopped', () => {
  test.each(STOPS)(
    'at %s where that is %s: says what to do, goes no further, and on once it is mended',
    async (step, state) => {
      const { part } = STEPS[step];
      const { onboarding, at, seen, pass } = await aScene({ ...ALL_WELL, [part]: { state } });
      await pass(HOUR);
      const { steps, attention, ...view } = onboarding.view();
      expect(view).toMatchObject({ state: 'stopped', awaiting: { what: 'operator' } });
      expect(steps.find(({ state: stands }) => stands === 'stopped')).toMatchObject({
        step: metAt(step, state),
        actor: 'caller',
      });
      expect(attention).toMatchObject([{ code: 'stopped' }]);
      expect(attention[0]?.next).toMatch(/\w/);
      expect(JSON.stringify(attention)).not.toMatch(/[{}]path|[{]id[}]/);
      expect(seen.at(-1)?.requested.part).toBe(part);
      at[part] = ALL_WELL[part];
      await onboarding.say(say('resumption'));
      await pass(HOUR);
      expect(onboarding.view().state).toBe('done');
    },
  );

  test.each(['other', 'missing'])('where what has the uid is %s', async (state) => {
    const failure = { code: 'idempotency_conflict', title: 'It differs at /legal_name.' };
    const { onboarding } = await aScene({ client: { state, failure } });
    expect(onboarding.view().attention[0]?.detail).toContain('/legal_name');
  });
});

const OTHER_ACCOUNT = { type: 'bban', value: '200001-99990000' } as const;
const ANOTHER = { ...someParts().parts.payment, uid: 'pay-2' } as Parts['payment'];

describe('what callers say', () => {
  const corrected = { agreement: { uid: 'agr-2', mandate: someParts().parts.agreement.mandate } };

  test('corrects the part, once for its key: asked for under another uid, and the old one is left behind', async () => {
    const { onboarding, at, seen } = await aScene({ ...ALL_WELL, agreement: { state: 'declined' } });
    at.agreement = { state: 'active' };
    await onboarding.say(say('correction', corrected));
    await onboarding.say(say('correction', corrected));
    expect(seen.map(({ requested }) => requested.uid)).toEqual(['cli-1', 'cp-1', 'agr-1', 'agr-2', 'pay-1']);
    expect(seen.at(-1)?.requested).toMatchObject({ request: { order: { agreement_uid: 'agr-2' } } });
    expect(onboarding.view()).toMatchObject({
      state: 'done',
      leftBehind: [{ part: 'agreement', uid: 'agr-1', state: 'declined' }],
      commands: [{ kind: 'correction', step: 'payer_decision', reason: 'as agreed', by: 'key-1' }],
    });
  });

  test('skips the counterparty: the agreement is made without its account', async () => {
    const { onboarding, seen } = await aScene({ ...ALL_WELL, counterparty: { state: 'unverified' } });
    await onboarding.say(say('skip'));
    expect(stepsIn(onboarding.view())).toContain('skipped');
    expect(JSON.stringify(seen[2]?.requested)).not.toContain('payment_account_uid');
    expect(onboarding.view()).toMatchObject({ state: 'done', leftBehind: [{ uid: 'cp-1' }] });
  });

  test.each([
    ['a correction of what goes on', {}, say('correction', corrected), 'step_not_stopped'],
    ['a resumption of what goes on', {}, say('resumption'), 'step_not_stopped'],
    ['a skip of the client', {}, say('skip'), 'step_not_skippable'],
    [
      'a correction of another part',
      { client: { state: 'failed' } },
      say('correction', corrected),
      'other_step_stopped',
    ],
    [
      'a correction under the same uid',
      { client: { state: 'failed' } },
      say('correction', { client: { uid: 'cli-1' } }),
      'idempotency_conflict',
    ],
    [
      'another payment in place of one that was sent',
      { ...ALL_WELL, payment: { state: 'failed', isSent: true } },
      say('correction', { payment: someParts({}).parts.payment }),
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
  ])('refuses %s', async (_name, at, said, code) => {
    const { onboarding } = await aScene(at);
    const before = onboarding.view();
    expect(await refusalOf(onboarding.say(said))).toBe(code);
    expect(onboarding.view()).toEqual(before);
  });

  test('another payment stays refused, however what was sent is read later', async () => {
    const { onboarding, at } = await aScene({ ...ALL_WELL, payment: { state: 'failed', isSent: true } });
    at.payment = { state: 'other' };
    await onboarding.say(say('resumption'));
    expect(await refusalOf(onboarding.say(say('correction', { payment: ANOTHER })))).toBe(
      'payment_submitted',
    );
  });

  test('what is tried again by itself goes on', async () => {
    const payment: Reading = { state: 'failed', waits: 'retry' };
    const { onboarding, at, pass } = await aScene({ ...ALL_WELL, payment });
    expect(onboarding.view().state).toBe('under_way');
    at.payment = { state: 'settled' };
    await pass(HOUR);
    expect(onboarding.view().state).toBe('done');
  });

  test.each([
    ['corrected there', [{ uid: 'acc-2', account_identifier: OTHER_ACCOUNT }]],
    ['registered without it', []],
  ])('an agreement whose account was %s is stopped before it is sent', async (_name, accounts) => {
    const { onboarding, seen } = await aScene({
      ...ALL_WELL,
      counterparty: { state: 'registered', accounts },
    });
    await onboarding.say(say('resumption'));
    const stopped = { step: 'agreement', state: 'stopped', reading: { state: 'other_account' } };
    expect(onboarding.view().steps).toContainEqual(expect.objectContaining(stopped));
    expect(seen.map(({ requested }) => requested.part)).toEqual(['client', 'counterparty']);
  });

  test('an agreement that is corrected to an account as it is now names that account', async () => {
    const accounts = [{ uid: 'acc-2', account_identifier: OTHER_ACCOUNT }];
    const { onboarding, seen } = await aScene({
      ...ALL_WELL,
      counterparty: { state: 'registered', accounts },
    });
    const { mandate } = corrected.agreement;
    const debtor = { ...mandate.debtor, account_identifier: OTHER_ACCOUNT };
    await onboarding.say(say('correction', { agreement: { uid: 'agr-2', mandate: { ...mandate, debtor } } }));
    expect(seen[2]?.requested).toMatchObject({
      input: { mandate: { debtor: { payment_account_uid: 'acc-2', account_identifier: OTHER_ACCOUNT } } },
    });
    expect(onboarding.view()).toMatchObject({ state: 'done', leftBehind: [] });
  });

  test('a verification that is required is not skipped', async () => {
    const { counterparty } = someParts().parts;
    if (counterparty === undefined) throw new Error('expected a counterparty');
    const given = someParts({ counterparty: { ...counterparty, isRequired: true } });
    const { onboarding } = await aScene({ ...ALL_WELL, counterparty: { state: 'unverified' } }, given);
    expect(await refusalOf(onboarding.say(say('skip')))).toBe('step_not_skippable');
  });

  test('the same key for something else is refused', async () => {
    const { onboarding } = await aScene({ client: { state: 'failed' } });
    await onboarding.say(say('resumption', undefined, 'resumption'));
    const other = {
      ...say('abandonment', corrected),
      use: { key: 'resumption', uid: 'onb-1', body: 'other' },
    };
    expect(await refusalOf(onboarding.say(other))).toBe('onboarding_key_conflict');
  });

  test('a payment that was not admitted is asked for again as it was', async () => {
    const failure = { code: 'before_first_payment_date', title: 'Expected a later day.' };
    const { onboarding, at } = await aScene({ ...ALL_WELL, payment: { state: 'refused', failure } });
    expect(onboarding.view().attention[0]?.detail).toContain('before_first_payment_date');
    at.payment = { state: 'settled' };
    await onboarding.say(say('resumption'));
    expect(onboarding.view().state).toBe('done');
  });
});
