import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  agreementFact, getTimeline, lookUpNow, requestAction, resolveAttention,
} from '../../workflows/agreement/contract.js'; // prettier-ignore
import { aFact } from '../domain/facts.js';
import { useTemporal } from '../support/temporal.js';
import { agreementLook, failure, only, refusalIn } from './provider.js';
import { startAgreement, untilAgreement } from './starting.js';
import type { Activities } from '../../activities/index.js';
import type { ActionRequest } from '../../domain/action.js';
import type { Temporal } from '../support/temporal.js';

const temporal = useTemporal();
const created = {
  createAgreement: ({ uid }: { uid: string }) => Promise.resolve(agreementLook(uid, 'created')),
};
const accepts = { ...created, actOnAgreement: () => Promise.resolve({ outcome: 'accepted' } as const) };

const WHY = { reason: 'initiating_party_requested', narrative: 'As agreed by phone' };
const asked = (kind: 'suspension' | 'cancellation', key: string = randomUUID()): ActionRequest => ({
  key,
  ask: { kind, body: WHY },
});
const askedBare = (kind: 'reactivation' | 'amendment_recall', key: string = randomUUID()): ActionRequest => ({
  key,
  ask: { kind, body: {} },
});

async function anActiveOne(from: Temporal) {
  const handle = await startAgreement(from);
  await handle.signal(agreementFact, aFact('activated'));
  await untilAgreement(handle, ({ state, awaiting }) => state === 'active' && awaiting.what === 'nothing');
  return handle;
}

const during = (given: Partial<Activities>, story: () => Promise<void>) => temporal.run(only(given), story);

describe('a command on an agreement', () => {
  test('is passed on, awaited, and over once the provider tells what came of it', async () => {
    const calls: unknown[] = [];
    const actOnAgreement: Activities['actOnAgreement'] = (args) => {
      calls.push(args);
      return Promise.resolve({ outcome: 'accepted' });
    };
    await during({ ...created, actOnAgreement }, async () => {
      const handle = await anActiveOne(temporal);
      const request = asked('suspension');
      const taken = await handle.executeUpdate(requestAction, { args: [request] });
      expect(taken).toEqual({ key: request.key, kind: 'suspension', stage: 'asked', fresh: true });
      const waiting = await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'action-outcome');
      expect(waiting.pending).toMatchObject([{ kind: 'suspension', key: request.key, isAccepted: true }]);
      await handle.signal(agreementFact, aFact('suspended', { causedBy: 'initiator' }));
      const view = await untilAgreement(handle, ({ pending }) => pending.length === 0);
      expect(view).toMatchObject({ state: 'suspended', actions: [{ key: request.key, stage: 'done' }] });
      expect(calls).toMatchObject([{ uid: handle.uid, ask: request.ask }]);
    });
  });

  test('may be repeated with its key, and the key used for nothing else', async () => {
    let calls = 0;
    const actOnAgreement = () => {
      calls += 1;
      return Promise.resolve({ outcome: 'accepted' } as const);
    };
    await during({ ...created, actOnAgreement }, async () => {
      const handle = await anActiveOne(temporal);
      const request = asked('suspension', 'key-1');
      await handle.executeUpdate(requestAction, { args: [request] });
      await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'action-outcome');
      const again = await handle.executeUpdate(requestAction, { args: [request] });
      expect(again).toMatchObject({ fresh: false, stage: 'accepted' });
      const other = handle.executeUpdate(requestAction, { args: [asked('cancellation', 'key-1')] });
      expect(await other.catch(refusalIn)).toBe('action_key_conflict');
      expect(calls).toBe(1);
    });
  });

  test('of which the provider says that it failed is over, and says why', async () => {
    await during(accepts, async () => {
      const handle = await anActiveOne(temporal);
      await handle.executeUpdate(requestAction, { args: [asked('suspension')] });
      await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'action-outcome');
      const reason = { code: 'MMS.API.9001', title: 'Not now' };
      await handle.signal(agreementFact, aFact('suspension_failed', { reason }));
      const view = await untilAgreement(handle, ({ pending }) => pending.length === 0);
      expect(view).toMatchObject({ state: 'active', actions: [{ stage: 'failed', failure: reason }] });
    });
  });

  test('that the provider refuses is over, and leaves the agreement as it was', async () => {
    const actOnAgreement = () => Promise.reject(failure('rejected', ['ZPUNP00']));
    await during({ ...created, actOnAgreement }, async () => {
      const handle = await anActiveOne(temporal);
      await handle.executeUpdate(requestAction, { args: [asked('suspension')] });
      const view = await untilAgreement(handle, ({ actions }) => actions[0]?.stage === 'refused');
      expect(view).toMatchObject({
        state: 'active',
        pending: [],
        actions: [{ failure: { code: 'ZPUNP00' } }],
      });
      const { facts } = await handle.query(getTimeline);
      expect(facts.map(({ type }) => type)).toEqual(['activated', 'requested', 'refused']);
    });
  });

  test('whose answer was lost is done where the provider shows that it is', async () => {
    const actOnAgreement: Activities['actOnAgreement'] = ({ uid }) =>
      Promise.resolve({ outcome: 'look', look: agreementLook(uid, 'cancelled'), code: 'ZPCAN00' });
    const lookUpAgreement: Activities['lookUpAgreement'] = ({ uid }) =>
      Promise.resolve(agreementLook(uid, 'cancelled'));
    await during({ ...created, actOnAgreement, lookUpAgreement }, async () => {
      const handle = await anActiveOne(temporal);
      await handle.executeUpdate(requestAction, { args: [asked('cancellation')] });
      expect(await handle.result()).toMatchObject({ state: 'cancelled', actions: [{ stage: 'done' }] });
    });
  });

  test('whose outcome nobody told is found by asking', async () => {
    let looks = 0;
    const watchAgreement: Activities['watchAgreement'] = ({ uid, answers }) => {
      if (answers === undefined) return new Promise(() => undefined);
      looks += 1;
      const suspended = aFact('suspended', { source: 'history', causedBy: 'initiator' });
      return Promise.resolve(agreementLook(uid, 'suspended', [suspended]));
    };
    await during({ ...accepts, watchAgreement }, async () => {
      const handle = await anActiveOne(temporal);
      await handle.executeUpdate(requestAction, { args: [asked('suspension')] });
      const view = await untilAgreement(handle, ({ state }) => state === 'suspended');
      expect(view).toMatchObject({ pending: [], actions: [{ stage: 'done' }] });
      expect(looks).toBe(1);
    });
  });

  test.each([
    ['reactivation', 'agreement_state_forbids'],
    ['amendment_recall', 'no_amendment'],
  ] as const)('%s of an active agreement is refused with %s, and writes nothing', async (kind, code) => {
    await during(accepts, async () => {
      const handle = await anActiveOne(temporal);
      const before = (await handle.describe()).historyLength;
      const refused = handle.executeUpdate(requestAction, { args: [askedBare(kind)] });
      expect(await refused.catch(refusalIn)).toBe(code);
      expect((await handle.describe()).historyLength).toBe(before);
    });
  });

  test('to resume what the payer paused is refused', async () => {
    await during(accepts, async () => {
      const handle = await anActiveOne(temporal);
      await handle.signal(agreementFact, aFact('suspended', { causedBy: 'debtor' }));
      await untilAgreement(handle, ({ state }) => state === 'suspended');
      const refused = handle.executeUpdate(requestAction, { args: [askedBare('reactivation')] });
      expect(await refused.catch(refusalIn)).toBe('suspended_by_payer');
    });
  });
});

describe('an amendment', () => {
  const change = (key: string): ActionRequest => ({
    key,
    ask: { kind: 'amendment', body: { changes: { payment_terms: { max_amount: 40_000 } } } },
  });

  test('waits for the payer, one at a time, and can be taken back', async () => {
    await during(accepts, async () => {
      const handle = await anActiveOne(temporal);
      await handle.executeUpdate(requestAction, { args: [change('a-1')] });
      const waiting = await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'amendment-decision');
      expect(Date.parse(waiting.awaiting.until ?? '')).toBeGreaterThan(Date.now() + 4 * 86_400_000);
      const second = handle.executeUpdate(requestAction, { args: [change('a-2')] });
      expect(await second.catch(refusalIn)).toBe('action_pending');
      const recall = askedBare('amendment_recall', 'r-1');
      await handle.executeUpdate(requestAction, { args: [recall] });
      await untilAgreement(handle, ({ pending }) => pending.every(({ isAccepted }) => isAccepted));
      await handle.signal(agreementFact, aFact('amendment_recalled'));
      const view = await untilAgreement(handle, ({ pending }) => pending.length === 0);
      expect(view.actions).toMatchObject([
        { key: 'a-1', stage: 'failed', failure: { code: 'amendment_recalled' } },
        { key: 'r-1', stage: 'done' },
      ]);
    });
  });

  test('that the payer accepts brings the new terms', async () => {
    const lookUpAgreement: Activities['lookUpAgreement'] = ({ uid }) => {
      const look = agreementLook(uid, 'active', [amended]);
      const mandate = { ...look.agreement.mandate, payment_terms: { type: 'variable', max_amount: 40_000 } };
      return Promise.resolve({ ...look, agreement: { ...look.agreement, mandate } });
    };
    const amended = aFact('amended', { causedBy: 'initiator' });
    await during({ ...accepts, lookUpAgreement }, async () => {
      const handle = await anActiveOne(temporal);
      await handle.executeUpdate(requestAction, { args: [change('a-1')] });
      await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'amendment-decision');
      await handle.signal(agreementFact, { ...amended, publishedAt: new Date().toISOString() });
      const view = await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'nothing');
      expect(view).toMatchObject({
        mandate: { payment_terms: { max_amount: 40_000 } },
        actions: [{ stage: 'done' }],
      });
    });
  });
});

describe('an operator', () => {
  test('can have the provider looked at, which finds what nobody told', async () => {
    const lookUpAgreement: Activities['lookUpAgreement'] = ({ uid }) =>
      Promise.resolve(agreementLook(uid, 'suspended', [aFact('suspended', { source: 'history' })]));
    await during({ ...created, lookUpAgreement }, async () => {
      const handle = await anActiveOne(temporal);
      await handle.executeUpdate(lookUpNow);
      await untilAgreement(handle, ({ state }) => state === 'suspended');
    });
  });

  test('resolves a flag, and who did so and why stays in the timeline', async () => {
    let isMended = false;
    const lookUpAgreement: Activities['lookUpAgreement'] = ({ uid }) =>
      isMended ? Promise.resolve(agreementLook(uid, 'active')) : Promise.reject(failure('rejected', ['X']));
    await during({ ...created, lookUpAgreement }, async () => {
      const handle = await anActiveOne(temporal);
      await handle.executeUpdate(lookUpNow);
      await untilAgreement(handle, ({ attention }) => attention.some(({ code }) => code === 'conflict'));
      isMended = true;
      const resolution = { code: 'conflict', reason: 'mended by the provider', by: 'ops' } as const;
      await handle.executeUpdate(resolveAttention, { args: [resolution] });
      await untilAgreement(
        handle,
        ({ attention, awaiting }) => attention.length === 0 && awaiting.what === 'nothing',
      );
      const { facts } = await handle.query(getTimeline);
      expect(facts.at(-1)).toMatchObject({
        type: 'attention_resolved',
        source: 'command',
        detail: { code: 'conflict', by: 'ops' },
        reason: { narrative: 'mended by the provider' },
      });
      const again = handle.executeUpdate(resolveAttention, { args: [resolution] });
      expect(await again.catch(refusalIn)).toBe('no_such_attention');
    });
  });
});
