// Guarantees that the largest possible state of an agreement, a payment and a connection fits into a payload of Temporal.
import { expect, test } from 'vitest';
import { bytesOf } from '../../domain/facts/retention.js';
import { MOST_PLANNED } from '../../domain/agreement/plan.js';
import { addDays } from '../../domain/time/calendar.js';
import { validatePayment } from '../../workflows/agreement/payments.js';
import { markActionAccepted, markActionRefused, acceptRequest } from '../../workflows/agreement/commands.js';
import { applyUse } from '../../domain/commands/key-use.js';
import { addPayment } from '../../workflows/agreement/ledger.js';
import { setPlan } from '../../workflows/agreement/plan.js';
import { requestDuePayment } from '../../workflows/agreement/plan-dates.js';
import { stateToCarry, applyFact, type AgreementState } from '../../workflows/agreement/state.js';
import { termsStatusOf } from '../../workflows/agreement/terms.js';
import { recordedView } from '../../workflows/agreement/view.js';
import { carry } from '../../workflows/contracts/upgrade.js';
import { aFact } from '../support/facts.js';
import {
  LARGEST_ORDER,
  METADATA,
  NEW_CREDITOR,
  PARTY,
  callers,
  floodOf,
  largeFact,
  providers,
  times,
  NOW,
  active,
  shown,
} from '../support/workflows/agreement-states.js';
import { A_MANDATE, anOrder, fetchedAgreement } from '../support/workflows/provider.js';
import type { ActionRequest } from '../../domain/agreement/action.js';
import type { Mandate } from '../../domain/agreement/mandate.js';
import * as payments from '../../workflows/payment/state.js';
import { viewOf } from '../../workflows/payment/view.js';
import { sealTokens } from '../../activities/tokens/seal.js';
import { flagCancelRequest } from '../../workflows/engine/flags.js';
import * as connections from '../../workflows/connection/state.js';
import { applyFailedCheck } from '../../workflows/connection/unconfirmed.js';
import { KEYRING } from '../support/temporal.js';
import type { ConnectionState } from '../../workflows/connection/state.js';

const MOST = 1.5 * 1024 * 1024;
test('45 large notifications are carried over shortened but with their amounts and codes', () => {
  const state = times(45, largeFact).reduce<AgreementState>(applyFact, active);
  const { facts } = stateToCarry(state);
  expect(bytesOf(facts)).toBeLessThan(200 * 1024);
  expect(facts.at(-1)).toMatchObject({
    dropped: true,
    reason: { code: 'R' },
    detail: { amount: 4244, uid: 'p44', failure: { code: 'F' } },
  });
  expect(facts.at(-1)?.detail).not.toHaveProperty('dump');
});

test('large facts displace older facts and an ordinary fact is carried over unchanged', () => {
  const before = times(195, largeFact).reduce<AgreementState>(applyFact, active);
  const ordinary = aFact('amended', { reason: { narrative: 'As '.repeat(100) }, detail: { fields: ['a'] } });
  const state = applyFact(before, ordinary);
  const carried = stateToCarry(state);
  expect(carried.facts.at(-1)).toEqual(ordinary);
  expect(carried.droppedHashes).not.toHaveLength(0);
  expect((carried.droppedHashes?.length ?? 0) + carried.facts.length).toBe(state.facts.length);
});

test('at most 300 open questions are carried over and more block payments until a look-up', () => {
  const noted = (count: number) =>
    times(count, () =>
      largeFact(0, { type: 'suspension_failed', authenticated: false }),
    ).reduce<AgreementState>(applyFact, active);
  const few = stateToCarry(noted(290));
  expect(few.facts.length).toBeGreaterThanOrEqual(290);
  expect(bytesOf(few.facts)).toBeLessThan(300 * 1024);
  const many = stateToCarry(noted(600));
  expect(many.facts).toHaveLength(300);
  expect(many).toMatchObject({ isLookUpDue: true });
  expect(termsStatusOf(many).isInDoubt).toBe(true);
  expect(() => {
    validatePayment(many, { uid: 'p', order: anOrder('agr') }, NOW);
  }).toThrow();
  expect(termsStatusOf(shown(many, fetchedAgreement('agr', 'active'))).isInDoubt).toBe(false);
});

const MANDATE: Mandate = {
  ...A_MANDATE,
  description: callers(140),
  debtor: PARTY,
  creditor: PARTY,
  metadata: METADATA,
};
const SHOWN: Mandate = {
  ...MANDATE,
  description: providers(1000),
  debtor: { ...PARTY, party_name: providers(1000), ultimate_party_name: providers(1000) },
  creditor: { ...PARTY, party_name: providers(1000), ultimate_party_name: providers(1000) },
  metadata: { m: providers(8000) },
};

const ask = (index: number): ActionRequest => ({
  key: `${index}`.padStart(32, 'k'),
  callersKey: callers(255),
  command: {
    kind: 'amendment',
    body: {
      changes: {
        description: callers(140),
        creditor: NEW_CREDITOR,
        payment_terms: { amount: 1_000_000_000 },
      },
    },
  },
});

function planned(state: AgreementState): AgreementState {
  const { agreement_uid, amount, ...order } = LARGEST_ORDER;
  const dates = times(MOST_PLANNED, (index) => ({ date: addDays('2026-11-02', index), amount: 25_000 }));
  const request = {
    schedule: { dates },
    onMissed: 'skip' as const,
    onHoliday: 'same' as const,
    order: { agreement_uid, ...order },
    uidBase: callers(55),
    by: callers(64),
  };
  const { plan } = requestDuePayment(setPlan({ ...active, mandate: A_MANDATE }, request, NOW), LATER);
  if (plan?.starting === undefined) throw new Error('expected a plan with a payment that is starting');
  const left = { date: '2026-11-02', at: NOW, amount, reason: { code: callers(64), detail: callers(256) } };
  return { ...state, plan: { ...plan, log: times(20, () => left) } };
}
const LATER = '2026-11-02T00:00:00.000Z';

function theLargest(): AgreementState {
  const refusedOnce = (state: AgreementState, index: number): AgreementState =>
    markActionRefused(acceptRequest(state, ask(index), NOW), ask(index).key, NOW, {
      code: providers(64),
      title: providers(256),
    });
  const acted = times(100, (index) => index).reduce(refusedOnce, active);
  const noted = floodOf(600, 'suspension_failed').reduce<AgreementState>(applyFact, acted);
  const asked = markActionAccepted(acceptRequest(noted, ask(100), NOW), ask(100).key, NOW);
  const paid = times(1000, (index) => `${index}`.padStart(64, 'p')).reduce(
    (state, uid) =>
      applyUse(addPayment(state, { uid, amount: 1_000_000_000, requestedAt: NOW }), {
        key: uid.slice(-32),
        uid,
        body: uid.slice(-32),
      }),
    asked,
  );
  return planned({ ...paid, requestedMandate: MANDATE, mandate: SHOWN });
}

const LARGEST = theLargest();

test('the largest possible agreement fits into a payload in every run and at its end', () => {
  const first = LARGEST;
  expect(bytesOf(first)).toBeGreaterThan(MOST);
  const carried = stateToCarry(first);
  expect(bytesOf({ uid: carried.uid, carried: carry(carried) })).toBeLessThan(MOST);
  expect(bytesOf(stateToCarry(carried))).toBeLessThanOrEqual(bytesOf(carried));
  expect(bytesOf({ ...recordedView(carried), carried: carry(carried) })).toBeLessThan(MOST);
});

test('the largest possible agreement carries over all payments, keys and command outcomes', () => {
  const first = LARGEST;
  const carried = stateToCarry(first);
  const bare = ({ ledger, uses, actions }: AgreementState) => ({
    payments: ledger.map(({ uid, amount, requestedAt }) => ({ uid, amount, requestedAt })),
    uses,
    actions: actions.map(({ key, stage, command: asked, failure }) => ({ key, stage, asked, failure })),
  });
  expect(bare(carried)).toEqual(bare(first));
});

const KIB = 1024;
const A_PAYMENT = payments.newPayment(
  { uid: 'p'.repeat(64), connectionId: 'c'.repeat(64), order: LARGEST_ORDER },
  NOW,
);
const endOf = (state: payments.PaymentState): number => bytesOf({ ...viewOf(state), carried: carry(state) });

test('the largest order with twelve large events stays below 64 KiB', () => {
  const state = times(12, (index) => largeFact(index, { type: 'pending' })).reduce(
    payments.applyFact,
    A_PAYMENT,
  );
  expect(endOf(payments.stateToCarry(A_PAYMENT))).toBeLessThan(12 * KIB);
  expect(endOf(payments.stateToCarry(state))).toBeLessThan(64 * KIB);
});

test('an endless stream of events keeps a payment below 512 KiB in every run', () => {
  const runs = times(3, (run) => floodOf((run + 1) * 350, 'failed').slice(-350));
  runs.reduce((state, events) => {
    const carried = payments.stateToCarry(events.reduce(payments.applyFact, state));
    expect(endOf(carried)).toBeLessThan(512 * KIB);
    return carried;
  }, A_PAYMENT);
});

const LONGEST_ANSWER = 1024 * KIB;

function withTokensOf(accessLength: number, refreshLength: number): ConnectionState {
  const acceptance = { by: callers(64), reason: callers(280) };
  const answer = {
    accessToken: 'a'.repeat(accessLength),
    refreshToken: 'r'.repeat(refreshLength),
    expiresInSeconds: 600,
    scope: 's'.repeat(4 * KIB),
  };
  const tokens = sealTokens({ tokenKeys: KEYRING, now: () => Date.parse(NOW) }, 'c'.repeat(64), 101, answer);
  const account = { id: callers(256), accepted: { ...acceptance, at: NOW } };
  const consented = connections.applyConsent(connections.newConnection('c'.repeat(64), NOW), tokens, account);
  const offered = { ...consented, consent: { ...consented.consent, key: 'k'.repeat(64), acceptance } };
  const failing = [1, 2, 3, 4, 5].reduce<ConnectionState>(
    (state) => connections.applyFailedRefresh(state, NOW, 101, { code: 'rate_limited' }),
    connections.applyOtherAccount(offered, NOW, callers(256)),
  );
  return flagCancelRequest('Nothing.')(failing, NOW);
}

const carriedBytes = (state: ConnectionState): number => bytesOf({ id: state.id, carried: carry(state) });

test('a connection with tokens and unconfirmed tokens of 16 KiB each stays below 200 KiB', () => {
  const state = withTokensOf(16 * KIB, 16 * KIB);
  if (state.tokens === undefined) throw new Error('expected a connection with tokens');
  const newer = { ...state.tokens, generation: 201 };
  const kept = applyFailedCheck(state, NOW, newer, state.consent.acceptance, 'unavailable');
  expect(kept.unconfirmed).toBeDefined();
  expect(carriedBytes(kept)).toBeLessThan(200 * KIB);
});

test('a connection with tokens of the longest readable answer fits into a payload', () => {
  for (const access of [0, LONGEST_ANSWER / 2, LONGEST_ANSWER])
    expect(carriedBytes(withTokensOf(access, LONGEST_ANSWER - access))).toBeLessThan(1.5 * KIB * KIB);
});
