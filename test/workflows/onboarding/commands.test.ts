import { describe, expect, test } from 'vitest';
import {
  ALL_WELL,
  aScene,
  mandateIn,
  refusalOf,
  say,
  someParts,
} from '../../support/workflows/onboarding-parts.js';
import type { Reading } from '../../../domain/onboarding/reading.js';
import type { Parts } from '../../../domain/onboarding/steps.js';

const OTHER_ACCOUNT = { type: 'bban', value: '200001-99990000' } as const;
const ANOTHER: Parts['payment'] = { ...someParts().parts.payment, uid: 'pay-2' };

describe('onboarding commands', () => {
  const corrected = { agreement: { uid: 'agr-2', mandate: someParts().parts.agreement.mandate } };

  test('a correction restarts the part once under a new uid and leaves the old one behind', () => {
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

  test("a corrected agreement keeps the onboarding's client as its initiator", () => {
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

  test('a skip of the counterparty creates the agreement without its account', () => {
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
    ['a correction of a step in progress', {}, say('correction', corrected), 'step_not_stopped'],
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
      'a correction of a counterparty, which has its own route',
      { counterparty: { state: 'unverified' } },
      say('correction', { counterparty: { ...someParts().parts.counterparty, uid: 'cp-2' } }),
      'own_route_only',
    ],
    [
      'another payment instead of a sent one',
      { ...ALL_WELL, payment: { state: 'failed', isSent: true } },
      say('correction', { payment: ANOTHER }),
      'payment_submitted',
    ],
    [
      'another payment while the state of this one is unknown',
      { ...ALL_WELL, payment: { state: 'unread' } },
      say('correction', { payment: ANOTHER }),
      'payment_submitted',
    ],
    [
      'another payment if a different one of the same agreement was sent',
      { ...ALL_WELL, payment: { state: 'other', isSent: true } },
      say('correction', { payment: ANOTHER }),
      'payment_submitted',
    ],
  ])('validation refuses %s', (_name, at, said, code) => {
    const { say: command, stored } = aScene(at);
    const before = stored();
    expect(
      refusalOf(() => {
        command(said);
      }),
    ).toBe(code);
    expect(stored()).toEqual(before);
  });

  test('another payment stays refused after a later read of the sent one', () => {
    const { at, say: command } = aScene({ ...ALL_WELL, payment: { state: 'failed', isSent: true } });
    at.payment = { state: 'other' };
    command(say('resumption'));
    const refused = refusalOf(() => {
      command(say('correction', { payment: ANOTHER }));
    });
    expect(refused).toBe('payment_submitted');
  });

  test('a payment that waits for its retry is in progress', () => {
    const payment: Reading = { state: 'failed', waits: 'retry' };
    const { report, view } = aScene({ ...ALL_WELL, payment });
    expect(view().state).toBe('under_way');
    report('payment', 'pay-1', { state: 'settled' });
    expect(view().state).toBe('done');
  });

  test.each([
    ['corrected at the counterparty', [{ uid: 'acc-2', account_identifier: OTHER_ACCOUNT }]],
    ['not registered', []],
  ])('an agreement whose account was %s is stopped before its submission', (_name, accounts) => {
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

  test('an agreement corrected to the registered account names that account', () => {
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

  test('a required verification cannot be skipped', () => {
    const { parts } = someParts();
    const given: Parts = { ...parts, counterparty: { ...parts.counterparty, isRequired: true } };
    const { say: command } = aScene({ counterparty: { state: 'unverified' } }, given);
    expect(
      refusalOf(() => {
        command(say('skip'));
      }),
    ).toBe('step_not_skippable');
  });

  test('an abandonment counts once and its key is refused for other commands', () => {
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

  test('a resumption requests a refused payment again without changes', () => {
    const failure = { code: 'before_first_payment_date', title: 'Expected a later day.' };
    const { at, say: command, view } = aScene({ ...ALL_WELL, payment: { state: 'refused', failure } });
    expect(view().attention[0]?.detail).toContain('before_first_payment_date');
    at.payment = { state: 'settled' };
    command(say('resumption'));
    expect(view().state).toBe('done');
  });
});
