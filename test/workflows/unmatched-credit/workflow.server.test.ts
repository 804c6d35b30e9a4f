import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import { deliverCredit } from '../../../delivery/credits.js';
import { creditIn, type Confirmation } from '../../../domain/float/credit.js';
import { detailsOfEnd } from '../../../workflows/settlement/view.js';
import {
  UNMATCHED_CREDIT_WORKFLOW,
  getUnmatchedCredit,
  resolveCredit,
  unmatchedCreditWorkflowId,
} from '../../../workflows/unmatched-credit/contract.js';
import { A_CREDIT } from '../../support/api/builders.js';
import { eventually, queried, useTemporal } from '../../support/temporal.js';
import { only } from '../../support/workflows/provider.js';
import type { Fact } from '../../../domain/facts/fact.js';

const temporal = useTemporal();
const ENTRY = { id: 'entry-1', amount: 700, at: '2026-10-01T01:00:00.000Z', balanceAfter: 700 };
const FOUND: Confirmation = { found: { entry: ENTRY, connectionId: 'acme' }, decideWithinMs: 3_600_000 };
const matched = { decision: 'matched', paymentUid: 'pay-1', reason: 'named', by: 'ops' } as const;
const ignored = { decision: 'ignored', reason: 'forged', by: 'ops' } as const;

const confirming = (...answers: Confirmation[]) =>
  only({
    confirmCredit: () => {
      const next = answers.shift();
      if (next !== undefined) return Promise.resolve(next);
      const failure = { type: 'nothing_new', message: 'quiet', nextRetryDelay: '1h' } as const;
      return Promise.reject(ApplicationFailure.create(failure));
    },
  });

const deliver = (fact: Fact) => {
  const credit = creditIn(fact);
  if (credit === undefined) throw new Error('expected a credit');
  return deliverCredit({ client: temporal.client, taskQueue: temporal.taskQueue }, credit, fact);
};
const caseOf = (uid: string) => temporal.client.workflow.getHandle(unmatchedCreditWorkflowId(uid));
const eventsOf = async (uid: string) => (await caseOf(uid).fetchHistory()).events ?? [];

test('a notification opens one case, which is decided once and has at most 30 events', async () => {
  await temporal.run(confirming(FOUND), async () => {
    const fact = { ...A_CREDIT, id: randomUUID() };
    const { id } = fact;
    expect(await deliver(fact)).toBe('new');
    await eventually(
      () => queried(caseOf(id), getUnmatchedCredit),
      ({ state }) => state === 'open',
    );
    expect([await deliver(fact), await deliver({ ...fact, authenticated: false })]).toEqual([
      'known',
      'known',
    ]);
    const signals = (await eventsOf(id)).filter((event) => event.workflowExecutionSignaledEventAttributes);
    expect(signals).toEqual([]);
    const update = (resolution: typeof matched | typeof ignored) =>
      caseOf(id).executeUpdate(resolveCredit, { args: [resolution] });
    expect(await update(matched)).toMatchObject({ state: 'matched', amount: 700, isAuthenticated: true });
    expect(await caseOf(id).result()).toMatchObject({ resolution: matched, attention: [] });
    expect((await eventsOf(id)).length).toBeLessThanOrEqual(30);
    expect(await deliver(fact)).toBe('known');
  });
});

test('a case without its entry is flagged, and can only be ignored', async () => {
  await temporal.run(confirming({ decideWithinMs: 1 }), async () => {
    const fact = { ...A_CREDIT, id: randomUUID(), authenticated: false };
    await deliver(fact);
    const view = () => queried(caseOf(fact.id), getUnmatchedCredit);
    await eventually(view, ({ attention }) => attention.length === 1);
    expect(await view()).toMatchObject({
      ...{ state: 'unconfirmed', isAuthenticated: false, attention: [{ code: 'credit_unconfirmed' }] },
    });
    const update = caseOf(fact.id).executeUpdate(resolveCredit, { args: [matched] });
    await expect(update).rejects.toMatchObject({ cause: { type: 'credit_unconfirmed' } });
    await caseOf(fact.id).executeUpdate(resolveCredit, { args: [ignored] });
    expect(await caseOf(fact.id).result()).toMatchObject({ state: 'ignored' });
  });
});

test('a late notification joins the case of its entry, and names another amount; after the end it is left to an operator', async () => {
  await temporal.run(confirming(FOUND), async () => {
    const fact = { ...A_CREDIT, id: randomUUID(), detail: { ...A_CREDIT.detail, amount: 699 } };
    const { client, taskQueue } = temporal;
    const input = { uid: fact.id, accountUid: 'float-1' };
    const workflowId = unmatchedCreditWorkflowId(fact.id);
    await client.workflow.start(UNMATCHED_CREDIT_WORKFLOW, { taskQueue, workflowId, args: [input] });
    expect(await deliver({ ...fact, authenticated: false })).toBe('new');
    expect(await deliver(fact)).toBe('new');
    const view = () => queried(caseOf(fact.id), getUnmatchedCredit);
    await eventually(view, ({ isAuthenticated, state }) => isAuthenticated && state === 'open');
    expect(await view()).toMatchObject({ amount: 700, report: { amount: 699 } });
    expect(await deliver(fact)).toBe('known');

    const other = { ...fact, id: randomUUID() };
    const ended = await client.workflow.start(UNMATCHED_CREDIT_WORKFLOW, {
      ...{ taskQueue, workflowId: unmatchedCreditWorkflowId(other.id), args: [{ ...input, uid: other.id }] },
    });
    await ended.executeUpdate(resolveCredit, { args: [ignored] });
    await ended.result();
    expect(await deliver(other)).toBe('over');
  });
});

test('an open case is flagged if it is not decided in time', async () => {
  await temporal.run(confirming({ ...FOUND, decideWithinMs: 1 }), async () => {
    const fact = { ...A_CREDIT, id: randomUUID() };
    await deliver(fact);
    const view = () => queried(caseOf(fact.id), getUnmatchedCredit);
    await eventually(view, ({ attention }) => attention.some(({ code }) => code === 'credit_undecided'));
  });
});

test('the page of a settlement run names each day that needs attention', () => {
  const page = detailsOfEnd({
    days: [
      { day: '2026-01-01', found: 'stored', stored: 'changed' },
      { day: '2026-01-02', found: 'late' },
    ],
    stopped: 'forbidden',
  });
  expect(page).toContain('2 days fetched, 1 need attention');
  expect(page).toContain('the provider has changed it');
  expect(page).toContain('access is limited');
});
