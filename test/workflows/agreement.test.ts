import { describe, expect, test } from 'vitest';
import { agreementFact, connectionRestored, getTimeline } from '../../workflows/agreement/contract.js';
import { aFact } from '../domain/facts.js';
import { eventsOf, eventually, fastForward, useTemporal } from '../support/temporal.js';
import { agreementLook, failure, nothingNew, only } from './provider.js';
import { startAgreement, untilAgreement } from './starting.js';

const temporal = useTemporal();
const created = {
  createAgreement: ({ uid }: { uid: string }) => Promise.resolve(agreementLook(uid, 'created')),
};

describe('an agreement workflow', () => {
  test('is created, awaits the payer, and is active once the provider says so', async () => {
    await temporal.run(only(created), async () => {
      const handle = await startAgreement(temporal);
      const asked = await untilAgreement(handle, ({ state }) => state === 'created');
      expect(asked.awaiting).toMatchObject({ what: 'payer-decision' });
      expect(Date.parse(asked.awaiting.until ?? '') - Date.parse(asked.createdAt)).toBeGreaterThan(
        5 * 86_400_000 - 60_000,
      );
      await handle.signal(agreementFact, aFact('activated'));
      expect(await untilAgreement(handle, ({ state }) => state === 'active')).toMatchObject({
        awaiting: { what: 'nothing' },
      });
      await handle.signal(agreementFact, aFact('cancelled'));
      expect(await handle.result()).toMatchObject({ state: 'cancelled' });
    });
  });

  test.each(['declined', 'expired', 'cancelled', 'failed'])(
    'ends %s when the provider says so',
    async (type) => {
      await temporal.run(only(created), async () => {
        const handle = await startAgreement(temporal);
        await handle.signal(agreementFact, aFact(type, { causedBy: 'debtor' }));
        expect(await handle.result()).toMatchObject({ state: type, stateCausedBy: 'debtor' });
      });
    },
  );

  test('ends failed, with the provider’s code, when the creation is refused', async () => {
    const refused = { createAgreement: () => Promise.reject(failure('rejected', ['ZPAGR12'])) };
    await temporal.run(only(refused), async () => {
      const handle = await startAgreement(temporal);
      expect(await handle.result()).toMatchObject({ state: 'failed', stateReason: { code: 'ZPAGR12' } });
    });
  });

  test('folds repeated and reordered facts to the same state', async () => {
    await temporal.run(
      only({ ...created, lookUpAgreement: ({ uid }) => Promise.resolve(agreementLook(uid, 'active')) }),
      async () => {
        const handle = await startAgreement(temporal);
        const [activated, suspended, reactivated] = [
          aFact('activated'),
          aFact('suspended'),
          aFact('reactivated'),
        ];
        for (const fact of [reactivated, suspended, suspended, activated, reactivated, activated]) {
          await handle.signal(agreementFact, fact);
        }
        const view = await untilAgreement(
          handle,
          ({ state, awaiting }) => state === 'active' && awaiting.what === 'nothing',
        );
        expect(view).toMatchObject({ state: 'active', stateSince: reactivated.publishedAt });
        const { facts } = await handle.query(getTimeline);
        expect(facts.filter(({ source }) => source === 'webhook')).toEqual([
          activated,
          suspended,
          reactivated,
        ]);
      },
    );
  });

  test('learns from the provider what no webhook told', async () => {
    let looks = 0;
    const activated = aFact('activated', { source: 'history' });
    const watchAgreement = ({ uid }: { uid: string }) => {
      looks += 1;
      return looks < 3
        ? Promise.reject(nothingNew(1))
        : Promise.resolve(agreementLook(uid, 'active', [activated]));
    };
    await temporal.run(only({ ...created, watchAgreement }), async () => {
      const handle = await startAgreement(temporal);
      await untilAgreement(handle, ({ state }) => state === 'active');
      expect((await handle.query(getTimeline)).facts).toContainEqual(activated);
    });
  });

  test('writes no event for a look that finds nothing new', async () => {
    let looks = 0;
    const watchAgreement = () => {
      looks += 1;
      return Promise.reject(nothingNew(looks < 8 ? 1 : '6h'));
    };
    await temporal.run(only({ ...created, watchAgreement }), async () => {
      const handle = await startAgreement(temporal);
      await eventually(
        () => Promise.resolve(looks),
        (count) => count >= 2,
      );
      const before = await eventsOf(handle);
      await eventually(
        () => Promise.resolve(looks),
        (count) => count >= 8,
      );
      expect(await eventsOf(handle)).toBe(before);
    });
  });

  test('after five silent days says overdue, asks anew, and leaves it to the provider to say expired', async () => {
    const ladders: string[] = [];
    const watchAgreement = ({ ladder }: { ladder: string }) => {
      ladders.push(ladder);
      return Promise.reject(nothingNew('50h'));
    };
    await temporal.run(only({ ...created, watchAgreement }), async () => {
      const handle = await startAgreement(temporal);
      await untilAgreement(handle, ({ state }) => state === 'created');
      await fastForward(temporal.client, handle.workflowId, 5 * 86_400 + 60);
      const late = await untilAgreement(handle, ({ attention }) => attention.length > 0);
      expect(late).toMatchObject({
        state: 'created',
        attention: [{ code: 'overdue' }],
        awaiting: { what: 'payer-decision' },
      });
      expect(ladders.at(-1)).toBe('overdue');
      await handle.signal(agreementFact, aFact('expired'));
      expect(await handle.result()).toMatchObject({ state: 'expired', attention: [] });
    });
  });

  test('takes an answer on the third day for an answer', async () => {
    await temporal.run(only(created), async () => {
      const handle = await startAgreement(temporal);
      await untilAgreement(handle, ({ state }) => state === 'created');
      await fastForward(temporal.client, handle.workflowId, 3 * 86_400);
      await handle.signal(agreementFact, aFact('activated'));
      expect(await untilAgreement(handle, ({ state }) => state === 'active')).toMatchObject({
        attention: [],
      });
    });
  });

  test('waits for consent without asking on, and goes on by itself once it is there', async () => {
    let calls = 0;
    const createAgreement = ({ uid }: { uid: string }) => {
      calls += 1;
      return calls === 1
        ? Promise.reject(failure('needs_reauthorisation'))
        : Promise.resolve(agreementLook(uid, 'created'));
    };
    await temporal.run(only({ createAgreement }), async () => {
      const handle = await startAgreement(temporal);
      const waits = await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'reauthorisation');
      expect(waits).toMatchObject({ state: 'pending', attention: [{ code: 'needs_reauthorisation' }] });
      await handle.signal(connectionRestored);
      expect(await untilAgreement(handle, ({ state }) => state === 'created')).toMatchObject({
        attention: [],
      });
    });
  });

  test('hands over to a fresh run when its history is long, and forgets nothing', async () => {
    await temporal.run(only(created), async () => {
      const handle = await startAgreement(temporal);
      const first = await handle.describe();
      await handle.signal(agreementFact, aFact('activated'));
      const facts = Array.from({ length: 520 }, () => aFact('amendment_declined'));
      for (const fact of facts) await handle.signal(agreementFact, fact);
      await eventually(
        () => temporal.client.workflow.getHandle(handle.workflowId).describe(),
        ({ runId }) => runId !== first.runId,
      );
      const view = await untilAgreement(
        temporal.client.workflow.getHandle(handle.workflowId),
        ({ factCount }) => factCount >= 521,
      );
      expect(view.state).toBe('active');
    });
  });
});
