import { describe, expect, test } from 'vitest';
import { AGREEMENT_LIFECYCLE } from '../../../domain/agreement/lifecycle.js';
import { validateRequest } from '../../../workflows/agreement/commands.js';
import { addPayment } from '../../../workflows/agreement/ledger.js';
import { applyFact, stateToCarry, type AgreementState } from '../../../workflows/agreement/state.js';
import { termsStatusOf } from '../../../workflows/agreement/terms.js';
import { foldedOf, openQuestions } from '../../../workflows/resource/state.js';
import { compact } from '../../../workflows/resource/compact.js';
import { aFact } from '../../support/facts.js';
import {
  NOW,
  active,
  next,
  shown,
  some,
  taken,
  received,
  times,
} from '../../support/workflows/agreement-states.js';
import { fetchedAgreement } from '../../support/workflows/provider.js';
import { inVirtualTime } from '../../support/workflows/virtual.js';

const paid = (count: number): AgreementState =>
  Array.from({ length: count }, (_, index) => index).reduce(
    (state, index) => addPayment(state, { uid: `p${index}`, amount: 1, requestedAt: NOW }),
    active,
  );

test('an agreement stores its newest 1000 payments and the number of older ones', () => {
  const { ledger, paymentsOlder } = paid(1005);
  expect(ledger).toHaveLength(1000);
  expect(paymentsOlder).toBe(5);
  expect(ledger.at(0)).toMatchObject({ uid: 'p5', amount: 1 });
});

test('continue-as-new keeps who suspended the agreement, when and why, and refuses our reactivation', () => {
  const paused = applyFact(active, aFact('suspended', { causedBy: 'debtor', reason: { code: 'holiday' } }));
  const long = received(paused, some(201, 'cancellation_failed'));
  const carried = compact(AGREEMENT_LIFECYCLE, long);
  expect(carried.facts.some(({ type }) => type === 'suspended')).toBe(false);
  const { state, since, causedBy, reason } = foldedOf(AGREEMENT_LIFECYCLE, long);
  expect(foldedOf(AGREEMENT_LIFECYCLE, carried)).toMatchObject({ state, since, causedBy, reason });
  expect(foldedOf(AGREEMENT_LIFECYCLE, compact(AGREEMENT_LIFECYCLE, carried))).toMatchObject({
    since,
    causedBy,
  });
  const resume = { key: 'r', command: { kind: 'reactivation', body: {} } } as const;
  expect(() => validateRequest(carried, resume)).toThrow(/payer|debtor/);
});

test('a compacted state keeps the newest 200 facts and the state that older ones led to', () => {
  const many = some(300, 'amendment_declined');
  const long = received(active, many);
  const carried = compact(AGREEMENT_LIFECYCLE, long);
  expect(carried.facts).toHaveLength(200);
  expect(carried).toMatchObject({ start: 'active' });
  expect(carried.droppedHashes).toHaveLength(long.facts.length - 200);
  expect(applyFact(carried, many[0] ?? aFact('x'))).toBe(carried);
});

test('a compacted state keeps all facts from the first open question on', () => {
  const long = received(applyFact(active, aFact('unheard of')), some(250, 'amendment_declined'));
  expect(openQuestions(AGREEMENT_LIFECYCLE, compact(AGREEMENT_LIFECYCLE, long))).toHaveLength(1);
});

test('a duplicate of any of the last 4000 events changes nothing, even several runs later', () => {
  const events = some(4200, 'amendment_declined');
  const runs = times(6, (run) => events.slice(run * 700, (run + 1) * 700));
  const carried = runs.reduce((state, run) => stateToCarry(received(state, run)), active);
  expect(events.filter((fact) => applyFact(carried, fact) !== carried)).toEqual([]);
});

test('an old event that may end authority is not folded and blocks payments until the look-up', () => {
  const [early, ...later] = some(300, 'amendment_declined');
  const carried = stateToCarry(received(active, later));
  const late = aFact('suspended', { publishedAt: early?.publishedAt ?? NOW });
  const noted = applyFact(carried, late);
  expect(foldedOf(AGREEMENT_LIFECYCLE, noted).state).toBe('active');
  expect(noted).toMatchObject({ isLookUpDue: true, facts: carried.facts });
  expect(termsStatusOf(noted).isInDoubt).toBe(true);
  const there = fetchedAgreement('agr', 'suspended', [{ ...late, source: 'history' }, ...carried.facts]);
  const once = shown(noted, there);
  expect(termsStatusOf(once).isInDoubt).toBe(true);
  expect(termsStatusOf(shown(once, there))).toMatchObject({ state: 'suspended', isInDoubt: false });
});

test('a look-up finds the outcome of a command in events that an earlier run dropped', () => {
  const amending = taken(active, { key: 'a', command: { kind: 'amendment', body: { changes: {} } } });
  const [missed, ...others] = some(300, 'suspension_failed');
  const outcome = aFact('amendment_declined', { ...missed, type: 'amendment_declined', source: 'history' });
  const carried = stateToCarry(received(amending, others));
  expect(next(carried)).toEqual({ do: 'look_up', doubts: 0 });
  const settled = shown(carried, fetchedAgreement('agr', 'active', [outcome]));
  expect(settled.actions).toMatchObject([{ stage: 'failed', failure: { code: 'amendment_declined' } }]);
});

describe('facts older than the dropped ones', () => {
  const many = some(1000, 'amendment_declined');
  const late = aFact('suspended', { publishedAt: many[0]?.publishedAt ?? NOW });
  const carried = compact(AGREEMENT_LIFECYCLE, received(active, many));

  test('history that contains only dropped facts adds nothing', () => {
    const history = many.map((fact) => ({ ...fact, source: 'history' as const }));
    const settled = shown(carried, fetchedAgreement('agr', 'active', history));
    expect(settled.facts).toEqual(carried.facts);
    expect(settled).toMatchObject({ droppedHashes: carried.droppedHashes, doubts: 0 });
  });

  test('an old event and all its duplicates cause one look-up and no stored fact', () => {
    const asked = applyFact(carried, late);
    expect(asked.facts).toEqual(carried.facts);
    expect(next(asked)).toEqual({ do: 'look_up', doubts: 0 });
    expect(applyFact(asked, late)).toBe(asked);
    const settled = shown(asked, fetchedAgreement('agr', 'active', [{ ...late, source: 'history' }]));
    expect(next(settled)?.do).toBe('rest');
    expect(
      received(
        settled,
        Array.from({ length: 300 }, () => late),
      ),
    ).toBe(settled);
    expect(compact(AGREEMENT_LIFECYCLE, settled)).toEqual(settled);
  });

  test('an old event still completes a pending command', () => {
    const amending = taken(active, { key: 'a', command: { kind: 'amendment', body: { changes: {} } } });
    const outcome = aFact('amendment_declined', { source: 'history', causedBy: 'debtor' });
    const long = compact(AGREEMENT_LIFECYCLE, received(amending, some(1000, 'suspension_failed')));
    const settled = shown(applyFact(long, outcome), fetchedAgreement('agr', 'active', [outcome]));
    expect(settled.actions).toMatchObject([{ stage: 'failed', failure: { code: 'amendment_declined' } }]);
  });
});

test('the periods of an adopted agreement are counted from its creation at the provider', async () => {
  const createdAt = '2026-03-15T01:00:00.000Z';
  const scene = inVirtualTime({
    adoptAgreement: ({ uid }) => {
      const fetched = fetchedAgreement(uid, 'active');
      return Promise.resolve({ ...fetched, snapshot: { ...fetched.snapshot, createdAt }, owner: 'acme' });
    },
  });
  const agr = await scene.agreement({ mandate: undefined });
  expect(termsStatusOf(agr.state()).since).toBe(createdAt);
});
