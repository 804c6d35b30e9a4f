import { describe, expect, test } from 'vitest';
import { aFact } from '../../support/facts.js';
import { A_MANDATE, failure, fetchedAgreement, nothingNew } from '../../support/workflows/provider.js';
import { DAY, HOUR, SECOND, inVirtualTime, unanswered } from '../../support/workflows/virtual.js';
import type { Proposal } from '../../../domain/agreement/action.js';
import type { Activities } from '../../../activities/index.js';
import type { Mandate } from '../../../domain/agreement/mandate.js';
import type { Fetched } from '../../../domain/facts/snapshot.js';
import type { AgreementSnapshot } from '../../../domain/agreement/lifecycle.js';

async function pending(
  show: (uid: string) => Fetched<AgreementSnapshot>,
  mandate: (begunMs: number) => Mandate = () => ({}),
  given: Partial<Activities> = {},
) {
  const lookUps: string[] = [];
  const ladders: string[] = [];
  const scene = inVirtualTime({
    createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')),
    sendCommand: () => Promise.resolve({ outcome: 'accepted' }),
    lookUpAgreement: ({ uid }) => {
      lookUps.push(scene.now());
      return Promise.resolve(show(uid));
    },
    watchAgreement: ({ pollIntervals }) => {
      ladders.push(pollIntervals);
      return Promise.reject(nothingNew('500h'));
    },
    ...given,
  });
  const agr = await scene.agreement({ mandate: { ...A_MANDATE, ...mandate(Date.parse(scene.now())) } });
  expect(agr.view().awaiting.what).toBe('payer-decision');
  return { scene, agr, lookUps, ladders };
}

type Shown = Parameters<typeof pending>;
async function active(...given: Shown) {
  const world = await pending(...given);
  await world.agr.receive(aFact('activated'));
  expect(world.agr.view()).toMatchObject({ state: 'active', awaiting: { what: 'nothing' } });
  return world;
}

const amendment = (over: Omit<Proposal, 'changes'> = {}) =>
  ({
    key: 'a-1',
    command: { kind: 'amendment', body: { changes: { payment_terms: { max_amount: 40_000 } }, ...over } },
  }) as const;
async function amending() {
  const world = await active((uid) => fetchedAgreement(uid, 'active'));
  await world.agr.ask(amendment());
  expect(world.agr.view().awaiting.what).toBe('amendment-decision');
  return world;
}

const inMs = (fromMs: number, ms: number): string => new Date(fromMs + ms).toISOString();

test('an agreement waits for an end of validity in the year 9999', async () => {
  const { agr, scene } = await active(
    (uid) => fetchedAgreement(uid, 'active'),
    () => ({ validity_end_date: '9999-12-31' }),
  );
  await agr.receive(aFact('suspended'));
  await scene.pass(DAY);
  expect(agr.view().state).toBe('suspended');
});

describe('payer’s five-day deadline', () => {
  test('polls more often after the deadline and expires only when the provider reports it', async () => {
    const { agr, scene, ladders, lookUps } = await pending((uid) => fetchedAgreement(uid, 'created'));
    expect(Date.parse(agr.view().awaiting.until ?? '') - Date.parse(scene.now())).toBe(5 * DAY);
    await scene.pass(5 * DAY - SECOND);
    expect(new Set(ladders)).toEqual(new Set(['payer_decision']));
    expect(lookUps).toEqual([]);
    await scene.pass(SECOND);
    expect(lookUps).toEqual([scene.now()]);
    const late = { state: 'created', attention: [{ code: 'overdue' }], awaiting: { what: 'payer-decision' } };
    expect(agr.view()).toMatchObject(late);
    await scene.pass(5 * SECOND);
    expect(ladders.at(-1)).toBe('overdue');
    await scene.pass(30 * DAY);
    expect(agr.view()).toMatchObject(late);
    await agr.receive(aFact('expired'));
    expect(agr.isOver()).toBe(true);
    expect(agr.view()).toMatchObject({ state: 'expired', attention: [] });
  });
});

describe('payer without an answer', () => {
  const created = (uid: string) => fetchedAgreement(uid, 'created');

  test('records reminders after an hour, a day and four days without polling', async () => {
    const { agr, scene, lookUps } = await pending(created);
    const noted = () =>
      agr.timeline().facts.flatMap(({ type, detail }) => (type === 'unanswered' ? [detail] : []));
    const seen: number[] = [];
    for (const pause of [HOUR - SECOND, SECOND, 23 * HOUR, 3 * DAY]) {
      await scene.pass(pause);
      seen.push(noted().length);
    }
    expect(seen).toEqual([0, 1, 2, 3]);
    expect(noted()).toEqual([{ after: '1 hour' }, { after: '24 hours' }, { after: '4 days' }]);
    expect(lookUps).toEqual([]);
    expect(agr.view().payerDecides?.on).toBe('agreement');
    expect(agr.view().payerDecides?.until).toBe(agr.view().awaiting.until);
  });
});

describe('requested resolution time', () => {
  test.each([true, false, undefined])(
    'looks up the agreement and leaves it open (cancel_if_unresolved: %s)',
    async (cancel_if_unresolved) => {
      const { agr, scene, lookUps } = await pending(
        (uid) => fetchedAgreement(uid, 'created'),
        (begunMs) => ({ resolution_requested_before: inMs(begunMs, 2 * DAY), cancel_if_unresolved }),
      );
      await scene.pass(2 * DAY - SECOND);
      expect(lookUps).toEqual([]);
      await scene.pass(SECOND);
      expect(lookUps).toEqual([scene.now()]);
      expect(agr.view()).toMatchObject({
        state: 'created',
        attention: [],
        awaiting: { what: 'payer-decision' },
      });
      expect(Date.parse(agr.view().awaiting.until ?? '') - Date.parse(scene.now())).toBe(3 * DAY);
      await agr.receive(aFact('activated'));
      expect(agr.view().state).toBe('active');
    },
  );
});

describe('payer’s five-day deadline for an amendment', () => {
  test('polls more often after the deadline and leaves the amendment open until it is reported expired', async () => {
    const { agr, scene, ladders } = await amending();
    await scene.pass(5 * DAY - SECOND);
    expect(ladders.at(-1)).toBe('payer_decision');
    await scene.pass(6 * SECOND);
    expect(ladders.at(-1)).toBe('overdue');
    const open = { state: 'active', pending: [{ kind: 'amendment' }], attention: [{ code: 'overdue' }] };
    expect(agr.view()).toMatchObject(open);
    await scene.pass(30 * DAY);
    expect(agr.view()).toMatchObject(open);
    await agr.receive(aFact('amendment_expired'));
    expect(agr.view()).toMatchObject({
      pending: [],
      actions: [{ stage: 'failed', failure: { code: 'amendment_expired' } }],
    });
    expect(agr.view().attention).toEqual([]);
  });

  test('stays overdue through other events and look-ups until the payer answers', async () => {
    const { agr, scene, ladders, lookUps } = await amending();
    await scene.pass(5 * DAY);
    const isOverdue = { attention: [{ code: 'overdue' }], awaiting: { what: 'amendment-decision' } };
    await agr.receive(aFact('suspension_failed'));
    expect(agr.view()).toMatchObject(isOverdue);
    const before = lookUps.length;
    await agr.lookUpNow();
    expect(lookUps).toHaveLength(before + 1);
    expect(agr.view()).toMatchObject(isOverdue);
    await scene.pass(5 * SECOND);
    expect(ladders.at(-1)).toBe('overdue');
    await agr.receive(aFact('amendment_declined', { causedBy: 'debtor' }));
    expect(agr.view()).toMatchObject({ pending: [], attention: [], awaiting: { what: 'nothing' } });
  });
});

describe('end of validity', () => {
  test('looks up the agreement at midnight in Sydney after daylight saving time ends', async () => {
    const end = { day: '2027-04-04', endsAt: '2027-04-04T13:59:59.999Z' };
    const { agr, scene, lookUps } = await active(
      (uid) => fetchedAgreement(uid, 'active'),
      () => ({ validity_end_date: end.day }),
    );
    await scene.pass(Date.parse(end.endsAt) - Date.parse(scene.now()) - SECOND);
    expect(lookUps).toEqual([]);
    await scene.pass(2 * SECOND);
    expect(lookUps).toHaveLength(1);
    expect(agr.view()).toMatchObject({ state: 'active', attention: [], awaiting: { what: 'nothing' } });
    await scene.pass(365 * DAY);
    expect(lookUps).toHaveLength(1);
    await agr.receive(aFact('cancelled', { causedBy: 'service_system' }));
    expect(agr.isOver()).toBe(true);
  });
});

describe('deadline that passes', () => {
  const ending = (begunMs: number): Mandate => ({ validity_end_date: inMs(begunMs, 0).slice(0, 10) });

  test('causes a look-up only after a command in flight is answered', async () => {
    const { answer, open } = unanswered<{ outcome: 'accepted' }>();
    const { agr, scene, lookUps } = await active((uid) => fetchedAgreement(uid, 'active'), ending, {
      sendCommand: () => answer,
    });
    await scene.pass(13 * HOUR - 60 * SECOND);
    await agr.ask({
      key: 'k',
      command: { kind: 'suspension', body: { reason: 'customer_requested', narrative: 'x' } },
    });
    await scene.pass(120 * SECOND);
    expect(agr.state().passed).toHaveLength(1);
    expect(lookUps).toEqual([]);
    open({ outcome: 'accepted' });
    await scene.settle();
    expect(lookUps).toHaveLength(1);
    expect(agr.view().awaiting.what).toBe('action-outcome');
  });

  test('causes a look-up only after missing consent is given', async () => {
    let isAllowed = false;
    const { agr, scene } = await active((uid) => fetchedAgreement(uid, 'active'), ending, {
      lookUpAgreement: ({ uid }) =>
        isAllowed ? Promise.resolve(fetchedAgreement(uid, 'active')) : Promise.reject(failure('forbidden')),
    });
    await agr.lookUpNow();
    expect(agr.view().awaiting.what).toBe('reauthorisation');
    await scene.pass(3 * DAY);
    expect(agr.state().passed).toHaveLength(1);
    expect(scene.calls.filter((name) => name === 'lookUpAgreement')).toHaveLength(1);
    isAllowed = true;
    await agr.restored();
    expect(scene.calls.filter((name) => name === 'lookUpAgreement')).toHaveLength(2);
    expect(agr.view()).toMatchObject({ attention: [], awaiting: { what: 'nothing' } });
  });

  test('is carried over to a new run', async () => {
    const { agr, scene, lookUps } = await active((uid) => fetchedAgreement(uid, 'active'), ending);
    await scene.pass(HOUR);
    await agr.growLong();
    await scene.pass(3 * DAY);
    expect(agr.runs()).toBe(2);
    expect(lookUps).toHaveLength(1);
  });
});
