import { describe, expect, test } from 'vitest';
import {
  AGREEMENT_WORKFLOW,
  agreementFact,
  getTimeline,
  requestPayment,
} from '../../workflows/agreement/contract.js';
import { aFact } from '../domain/facts.js';
import { eventually, skipTime, useTemporal } from '../support/temporal.js';
import { A_MANDATE, agreementLook, anOrder, nothingNew, only, refusalIn } from './provider.js';
import { startAgreement, untilAgreement } from './starting.js';
import type { Fact } from '../../domain/fact.js';
import type { agreement } from '../../workflows/agreement/workflow.js';

const temporal = useTemporal();
const created = {
  createAgreement: ({ uid }: { uid: string }) => Promise.resolve(agreementLook(uid, 'created')),
};

describe('an agreement workflow that asks', () => {
  test('looks up a fact that does not fit, and lets history supply what was missed', async () => {
    const activated = aFact('activated', { source: 'history' });
    const suspended = aFact('suspended');
    const lookUpAgreement = ({ uid }: { uid: string }) =>
      Promise.resolve(agreementLook(uid, 'suspended', [activated]));
    await temporal.run(only({ ...created, lookUpAgreement }), async () => {
      const handle = await startAgreement(temporal);
      await untilAgreement(handle, ({ state }) => state === 'created');
      await handle.signal(agreementFact, suspended);
      await untilAgreement(
        handle,
        ({ state, awaiting }) => state === 'suspended' && awaiting.what === 'nothing',
      );
      expect((await handle.query(getTimeline)).conflicts).toEqual([]);
    });
  });

  test('looks twice before it believes the provider, which knows all that we were told, against the facts', async () => {
    let looks = 0;
    const [activated, strange] = [aFact('activated'), aFact('an event that we do not know')];
    const lookUpAgreement = ({ uid }: { uid: string }) => {
      looks += 1;
      return Promise.resolve(agreementLook(uid, 'suspended', [activated, strange]));
    };
    await temporal.run(only({ ...created, lookUpAgreement }), async () => {
      const handle = await startAgreement(temporal);
      await untilAgreement(handle, ({ state }) => state === 'created');
      await handle.signal(agreementFact, activated);
      await handle.signal(agreementFact, strange);
      await skipTime(temporal.client, handle.workflowId);
      await untilAgreement(handle, ({ state }) => state === 'suspended');
      expect(looks).toBe(2);
    });
  });

  test('looks for half an hour before an answer that lacks what we were told outranks it', async () => {
    let looks = 0;
    const lookUpAgreement = ({ uid }: { uid: string }) => {
      looks += 1;
      return Promise.resolve(agreementLook(uid, 'active', [activated]));
    };
    const [activated, suspended, strange] = [aFact('activated'), aFact('suspended'), aFact('unheard of')];
    await temporal.run(only({ ...created, lookUpAgreement }), async () => {
      const handle = await startAgreement(temporal);
      await untilAgreement(handle, ({ state }) => state === 'created');
      for (const fact of [activated, suspended, strange]) await handle.signal(agreementFact, fact);
      await untilAgreement(handle, ({ state }) => state === 'suspended');
      await skipTime(temporal.client, handle.workflowId);
      await untilAgreement(handle, ({ state }) => state === 'active');
      expect(looks).toBe(5);
    });
  });

  test('keeps an unknown state of the provider, says so, and does not ask for ever', async () => {
    let looks = 0;
    const [activated, thawed] = [aFact('activated'), aFact('thawed')];
    const lookUpAgreement = ({ uid }: { uid: string }) => {
      looks += 1;
      return Promise.resolve(agreementLook(uid, 'frozen', [activated, thawed]));
    };
    await temporal.run(only({ ...created, lookUpAgreement }), async () => {
      const handle = await startAgreement(temporal);
      await untilAgreement(handle, ({ state }) => state === 'created');
      await handle.signal(agreementFact, activated);
      await handle.signal(agreementFact, thawed);
      await skipTime(temporal.client, handle.workflowId);
      const view = await untilAgreement(handle, ({ attention }) => attention.length > 0);
      expect(view).toMatchObject({ state: 'active', attention: [{ code: 'conflict' }] });
      expect(looks).toBe(2);
    });
  });

  test('under an unauthenticated event holds payments back, and moves only when the provider agrees', async () => {
    const [activated, cancelled] = [aFact('activated'), aFact('cancelled', { authenticated: false })];
    const confirmed = { ...cancelled, source: 'history' as const, authenticated: true };
    let isBehind = true;
    const lookUpAgreement = ({ uid }: { uid: string }) =>
      Promise.resolve(
        isBehind ? agreementLook(uid, 'active') : agreementLook(uid, 'cancelled', [activated, confirmed]),
      );
    await temporal.run(only({ ...created, lookUpAgreement }), async () => {
      const handle = await startAgreement(temporal);
      await untilAgreement(handle, ({ state }) => state === 'created');
      await handle.signal(agreementFact, activated);
      await handle.signal(agreementFact, cancelled);
      expect(await untilAgreement(handle, ({ state }) => state === 'active')).toMatchObject({
        awaiting: { what: 'look-up' },
      });
      const asked = handle.executeUpdate(requestPayment, {
        args: [{ uid: 'pay-1', order: anOrder(handle.uid) }],
      });
      expect(await asked.catch(refusalIn)).toBe('agreement_held');
      isBehind = false;
      await skipTime(temporal.client, handle.workflowId);
      expect(await handle.result()).toMatchObject({ state: 'cancelled' });
    });
  });

  test('reads its terms anew when the provider says that it was amended', async () => {
    const [activated, amended] = [aFact('activated'), aFact('amended')];
    const lookUpAgreement = ({ uid }: { uid: string }) => {
      const seen = agreementLook(uid, 'active', [activated, amended]);
      const payment_terms = { type: 'variable', frequency: 'monthly', max_amount: 40_000 };
      return Promise.resolve({
        ...seen,
        agreement: { ...seen.agreement, mandate: { ...A_MANDATE, payment_terms } },
      });
    };
    await temporal.run(only({ ...created, lookUpAgreement }), async () => {
      const handle = await startAgreement(temporal);
      await handle.signal(agreementFact, activated);
      await handle.signal(agreementFact, amended);
      const view = await untilAgreement(
        handle,
        ({ mandate }) => mandate?.payment_terms?.max_amount === 40_000,
      );
      expect(view).toMatchObject({ state: 'active', asked: A_MANDATE });
    });
  });

  test('is not moved by a forged event under a verifier that cannot tell', async () => {
    const lookUpAgreement = ({ uid }: { uid: string }) => Promise.resolve(agreementLook(uid, 'created'));
    await temporal.run(only({ ...created, lookUpAgreement }), async () => {
      const handle = await startAgreement(temporal);
      await handle.signal(agreementFact, aFact('activated', { authenticated: false }));
      const { facts } = await eventually(
        () => handle.query(getTimeline),
        (timeline) => timeline.facts.length === 2,
      );
      expect(facts.map(({ type }) => type)).toContain('activated');
      await skipTime(temporal.client, handle.workflowId);
      expect(
        await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'payer-decision'),
      ).toMatchObject({
        state: 'created',
      });
    });
  });

  test('takes an event that comes after its end up again, looks, and ends as before', async () => {
    const world = only({
      ...created,
      lookUpAgreement: ({ uid }) => Promise.resolve(agreementLook(uid, 'cancelled', told)),
    });
    const told = [aFact('activated'), aFact('cancelled'), aFact('suspended')];
    await temporal.run(world, async () => {
      const handle = await startAgreement(temporal);
      await untilAgreement(handle, ({ state }) => state === 'created');
      for (const fact of told.slice(0, 2)) await handle.signal(agreementFact, fact);
      const { record, ...before } = await handle.result();
      const late = aFact('suspended');
      const again = await temporal.client.workflow.signalWithStart<typeof agreement, [Fact]>(
        AGREEMENT_WORKFLOW,
        {
          taskQueue: temporal.taskQueue,
          workflowId: handle.workflowId,
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          args: [{ uid: handle.uid, carried: record }],
          signal: agreementFact,
          signalArgs: [told[1] ?? late],
        },
      );
      expect(await again.result()).toMatchObject({
        state: before.state,
        mandate: before.mandate,
        factCount: before.factCount,
      });
    });
  });

  test('adopts an agreement that nobody started here', async () => {
    const activated = aFact('activated', { source: 'history' });
    const adoptAgreement = ({ uid }: { uid: string }) =>
      Promise.resolve({ owner: 'acme', ...agreementLook(uid, 'active', [activated]) });
    await temporal.run(only({ adoptAgreement }), async () => {
      const handle = await startAgreement(temporal, { mandate: undefined, connectionId: undefined });
      const view = await untilAgreement(handle, ({ state }) => state === 'active');
      expect(view).toMatchObject({ adopted: true, connectionId: 'acme', mandate: { purpose: 'utility' } });
    });
  });

  test('ends unknown, flagged, when in a whole day no connection shows it', async () => {
    await temporal.run(only({ adoptAgreement: () => Promise.reject(nothingNew('10h')) }), async () => {
      const handle = await startAgreement(temporal, { mandate: undefined });
      await skipTime(temporal.client, handle.workflowId);
      expect(await handle.result()).toMatchObject({ state: 'unknown', attention: [{ code: 'orphan' }] });
    });
  });
});
