// The five times at which an agreement may have changed without a word: the provider is asked then, and it alone decides.
import { describe, expect, test } from 'vitest';
import { agreementFact, getAgreement, lookUpNow, requestAction } from '../../workflows/agreement/contract.js';
import { aFact } from '../domain/facts.js';
import { eventually, fastForward, useTemporal } from '../support/temporal.js';
import { A_MANDATE, agreementLook, nothingNew, only } from './provider.js';
import { startAgreement, untilAgreement } from './starting.js';
import type { Activities } from '../../activities/index.js';
import type { Proposal } from '../../domain/action.js';
import type { Mandate } from '../../domain/mandate.js';
import type { AgreementLook } from '../../domain/snapshot.js';

const temporal = useTemporal();
const HOUR = 3600;
const DAY = 24 * HOUR;
const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

/** A provider that is counted, and shows what a test says. */
function asked(show: (uid: string) => AgreementLook) {
  const looks: string[] = [];
  const ladders: string[] = [];
  const lookUpAgreement: Activities['lookUpAgreement'] = ({ uid }) => {
    looks.push(uid);
    return Promise.resolve(show(uid));
  };
  const watchAgreement: Activities['watchAgreement'] = ({ ladder }) => {
    ladders.push(ladder);
    return Promise.reject(nothingNew('500h'));
  };
  const activities = only({
    createAgreement: ({ uid }) => Promise.resolve(agreementLook(uid, 'created')),
    actOnAgreement: () => Promise.resolve({ outcome: 'accepted' }),
    lookUpAgreement,
    watchAgreement,
  });
  return { activities, looks, ladders };
}

const started = (mandate: Mandate = {}) =>
  startAgreement(temporal, { mandate: { ...A_MANDATE, ...mandate } });

type Handle = Awaited<ReturnType<typeof started>>;
const pass = (handle: Handle, seconds: number) => fastForward(temporal.client, handle.workflowId, seconds);
const reached = (of: readonly unknown[], count: number) =>
  eventually(() => Promise.resolve(of.length), (length) => length === count); // prettier-ignore

async function active(mandate: Mandate = {}): Promise<Handle> {
  const handle = await started(mandate);
  await handle.signal(agreementFact, aFact('activated'));
  await untilAgreement(handle, ({ state, awaiting }) => state === 'active' && awaiting.what === 'nothing');
  return handle;
}

test('an end of validity in the last year that can be written is waited for like any other', async () => {
  const { activities } = asked((uid) => agreementLook(uid, 'active'));
  await temporal.run(activities, async () => {
    const handle = await started({ validity_end_date: '9999-12-31' });
    for (const type of ['activated', 'suspended']) await handle.signal(agreementFact, aFact(type));
    await untilAgreement(handle, ({ state }) => state === 'suspended');
  });
});

async function amending(over: Omit<Proposal, 'changes'> = {}): Promise<Handle> {
  const handle = await active();
  const body = { changes: { payment_terms: { max_amount: 40_000 } }, ...over };
  await handle.executeUpdate(requestAction, { args: [{ key: 'a-1', ask: { kind: 'amendment', body } }] });
  await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'amendment-decision');
  return handle;
}

describe('the payer’s five days', () => {
  test('over, the provider is asked more often, and the agreement stays as it is until the provider says expired', async () => {
    const { activities, ladders } = asked((uid) => agreementLook(uid, 'created'));
    await temporal.run(activities, async () => {
      const handle = await started();
      await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'payer-decision');
      await pass(handle, 5 * DAY - HOUR);
      expect(new Set(ladders)).toEqual(new Set(['payer_decision']));
      await pass(handle, 2 * HOUR);
      await eventually(() => Promise.resolve(ladders), (seen) => seen.at(-1) === 'overdue'); // prettier-ignore
      const late = await handle.query(getAgreement);
      expect(late).toMatchObject({ state: 'created', attention: [{ code: 'overdue' }] });
      await pass(handle, 30 * DAY);
      expect(await handle.query(getAgreement)).toMatchObject({ state: 'created' });
      await handle.signal(agreementFact, aFact('expired'));
      expect(await handle.result()).toMatchObject({ state: 'expired', attention: [] });
    });
  });
});

describe('the time by which an answer was requested', () => {
  test.each([true, false, undefined])(
    'come, with cancel_if_unresolved %s the provider is asked; what it shows to be open stays open',
    async (cancel_if_unresolved) => {
      const { activities, looks } = asked((uid) => agreementLook(uid, 'created'));
      await temporal.run(activities, async () => {
        const mandate = { resolution_requested_before: inSeconds(2 * DAY), cancel_if_unresolved };
        const handle = await started(mandate);
        await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'payer-decision');
        await pass(handle, 2 * DAY - HOUR);
        expect(looks).toHaveLength(0);
        await pass(handle, 2 * HOUR);
        await reached(looks, 1);
        const view = await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'payer-decision');
        expect(view).toMatchObject({ state: 'created', attention: [] });
        expect(Date.parse(view.awaiting.until ?? '')).toBeGreaterThan(Date.now() + 4 * DAY * 1000);
        await handle.signal(agreementFact, aFact('activated'));
        await untilAgreement(handle, ({ state }) => state === 'active');
      });
    },
  );

  test('come, an agreement that the provider has cancelled then is over', async () => {
    const cancelled = aFact('cancelled', { source: 'history', causedBy: 'service_system' });
    const { activities, looks } = asked((uid) => agreementLook(uid, 'cancelled', [cancelled]));
    await temporal.run(activities, async () => {
      const mandate = { resolution_requested_before: inSeconds(DAY), cancel_if_unresolved: true };
      const handle = await started(mandate);
      await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'payer-decision');
      await pass(handle, DAY + HOUR);
      expect(await handle.result()).toMatchObject({ state: 'cancelled', stateCausedBy: 'service_system' });
      expect(looks).toHaveLength(1);
    });
  });
});

describe('the payer’s five days for an amendment', () => {
  test('over, the provider is asked more often, and the amendment stays open until the provider says expired', async () => {
    const { activities, ladders } = asked((uid) => agreementLook(uid, 'active'));
    await temporal.run(activities, async () => {
      const handle = await amending();
      await pass(handle, 5 * DAY - HOUR);
      expect(ladders.at(-1)).toBe('payer_decision');
      await pass(handle, 2 * HOUR);
      await eventually(() => Promise.resolve(ladders), (seen) => seen.at(-1) === 'overdue'); // prettier-ignore
      const open = { pending: [{ kind: 'amendment' }], attention: [{ code: 'overdue' }] };
      expect(await handle.query(getAgreement)).toMatchObject({ state: 'active', ...open });
      await pass(handle, 30 * DAY);
      expect(await handle.query(getAgreement)).toMatchObject({ state: 'active', ...open });
      await handle.signal(agreementFact, aFact('amendment_expired'));
      const view = await untilAgreement(handle, ({ pending }) => pending.length === 0);
      expect(view).toMatchObject({ actions: [{ stage: 'failed', failure: { code: 'amendment_expired' } }] });
      expect(view.attention).toEqual([]);
    });
  });
});

describe('an amendment that is late', () => {
  test('stays flagged and closely watched whatever else is told or looked at, until it is answered', async () => {
    const unrelated = aFact('suspension_failed');
    const { activities, looks, ladders } = asked((uid) => agreementLook(uid, 'active', [unrelated]));
    await temporal.run(activities, async () => {
      const handle = await amending();
      await pass(handle, 5 * DAY + HOUR);
      const isOverdue = { attention: [{ code: 'overdue' }], awaiting: { what: 'amendment-decision' } };
      await eventually(() => Promise.resolve(ladders), (seen) => seen.at(-1) === 'overdue'); // prettier-ignore
      await handle.signal(agreementFact, unrelated);
      await untilAgreement(handle, ({ factCount }) => factCount === 3);
      expect(await handle.query(getAgreement)).toMatchObject(isOverdue);
      await handle.executeUpdate(lookUpNow);
      await reached(looks, 1);
      const view = await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'amendment-decision');
      expect(view).toMatchObject(isOverdue);
      await eventually(() => Promise.resolve(ladders), (seen) => seen.slice(-2).join() === 'overdue,overdue'); // prettier-ignore
      await handle.signal(agreementFact, aFact('amendment_declined', { causedBy: 'debtor' }));
      const after = await untilAgreement(handle, ({ pending }) => pending.length === 0);
      expect(after).toMatchObject({ attention: [], awaiting: { what: 'nothing' } });
    });
  });
});

describe('the time by which an answer to an amendment was requested', () => {
  test('come, the provider is asked, and the amendment stays open until the provider says what came of it', async () => {
    const { activities, looks } = asked((uid) => agreementLook(uid, 'active'));
    await temporal.run(activities, async () => {
      const handle = await amending({ resolution_requested_before: inSeconds(2 * DAY) });
      await pass(handle, 2 * DAY - HOUR);
      expect(looks).toHaveLength(0);
      await pass(handle, 2 * HOUR);
      await reached(looks, 1);
      const view = await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'amendment-decision');
      expect(view).toMatchObject({ pending: [{ kind: 'amendment', isAccepted: true }], attention: [] });
      await handle.signal(agreementFact, aFact('amendment_declined', { causedBy: 'debtor' }));
      const after = await untilAgreement(handle, ({ pending }) => pending.length === 0);
      expect(after).toMatchObject({ state: 'active', actions: [{ stage: 'failed' }] });
    });
  });
});

/** The next first Sunday of April or October, when Sydney's clocks change, and when that day ends there. */
function nextClockChange(): { day: string; endsAt: number } {
  const thisYear = new Date().getUTCFullYear();
  const changes = [thisYear, thisYear + 1].flatMap((year) =>
    [3, 9].map((month) => {
      const first = new Date(Date.UTC(year, month, 1));
      const day = new Date(Date.UTC(year, month, 1 + ((7 - first.getUTCDay()) % 7)))
        .toISOString()
        .slice(0, 10);
      return { day, endsAt: Date.parse(`${day}T${month === 3 ? '13' : '12'}:59:59.999Z`) };
    }),
  );
  const next = changes.find(({ endsAt }) => endsAt > Date.now() + 2 * DAY * 1000);
  if (next === undefined) throw new Error('expected a change of clocks within a year');
  return next;
}

describe('the last day of validity', () => {
  test('ends when it ends in Sydney, the clocks having changed since: the provider is asked, and nothing else changes', async () => {
    const { activities, looks } = asked((uid) => agreementLook(uid, 'active'));
    const { day, endsAt } = nextClockChange();
    await temporal.run(activities, async () => {
      const handle = await active({ validity_end_date: day });
      await pass(handle, Math.round((endsAt - Date.now()) / 1000) - 5 * 60);
      expect(looks).toHaveLength(0);
      await pass(handle, 10 * 60);
      await reached(looks, 1);
      const view = await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'nothing');
      expect(view).toMatchObject({ state: 'active', attention: [] });
      await pass(handle, 365 * DAY);
      expect(looks).toHaveLength(1);
      await handle.signal(agreementFact, aFact('cancelled', { causedBy: 'service_system' }));
      expect(await handle.result()).toMatchObject({ state: 'cancelled' });
    });
  });
});
