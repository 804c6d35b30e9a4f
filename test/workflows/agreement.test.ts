import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  AGREEMENT_WORKFLOW, agreementFact, agreementWorkflowId, connectionRestored, getAgreement, getTimeline,
} from '../../workflows/agreement.contract.js'; // prettier-ignore
import { aFact } from '../domain/facts.js';
import { eventsOf, eventually, fastForward, skipTime, useTemporal } from '../temporal.js';
import { A_MANDATE, agreementLook, failure, nothingNew, only } from './provider.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { AgreementInput, AgreementView } from '../../workflows/agreement.contract.js';

const temporal = useTemporal();
const created = {
  createAgreement: ({ uid }: { uid: string }) => Promise.resolve(agreementLook(uid, 'created')),
};
const look = (handle: WorkflowHandle) => () => handle.query(getAgreement);
const until = (handle: WorkflowHandle, isIt: (view: AgreementView) => boolean) =>
  eventually(look(handle), isIt);

async function start(input: Partial<AgreementInput> = {}): Promise<WorkflowHandle & { uid: string }> {
  const uid = input.uid ?? `agr-${randomUUID()}`;
  const args = [{ uid, connectionId: 'acme', mandate: A_MANDATE, ...input }];
  const handle = await temporal.client.workflow.start(AGREEMENT_WORKFLOW, {
    taskQueue: temporal.taskQueue,
    workflowId: agreementWorkflowId(uid),
    args,
  });
  return Object.assign(handle, { uid });
}

describe('an agreement workflow', () => {
  test('is created, awaits the payer, and is active once the provider says so', async () => {
    await temporal.run(only(created), async () => {
      const handle = await start();
      const asked = await until(handle, ({ state }) => state === 'created');
      expect(asked.awaiting).toMatchObject({ what: 'payer-decision' });
      expect(Date.parse(asked.awaiting.until ?? '') - Date.parse(asked.createdAt)).toBeGreaterThan(
        5 * 86_400_000 - 60_000,
      );
      await handle.signal(agreementFact, aFact('activated'));
      expect(await until(handle, ({ state }) => state === 'active')).toMatchObject({
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
        const handle = await start();
        await handle.signal(agreementFact, aFact(type, { causedBy: 'debtor' }));
        expect(await handle.result()).toMatchObject({ state: type, stateCausedBy: 'debtor' });
      });
    },
  );

  test('ends failed, with the provider’s code, when the creation is refused', async () => {
    const refused = { createAgreement: () => Promise.reject(failure('rejected', ['ZPAGR12'])) };
    await temporal.run(only(refused), async () => {
      const handle = await start();
      expect(await handle.result()).toMatchObject({ state: 'failed', stateReason: { code: 'ZPAGR12' } });
    });
  });

  test('folds repeated and reordered facts to the same state', async () => {
    await temporal.run(
      only({ ...created, lookUpAgreement: ({ uid }) => Promise.resolve(agreementLook(uid, 'active')) }),
      async () => {
        const handle = await start();
        const [activated, suspended, reactivated] = [
          aFact('activated'),
          aFact('suspended'),
          aFact('reactivated'),
        ];
        for (const fact of [reactivated, suspended, suspended, activated, reactivated, activated]) {
          await handle.signal(agreementFact, fact);
        }
        const view = await until(
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
      const handle = await start();
      await until(handle, ({ state }) => state === 'active');
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
      const handle = await start();
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
      const handle = await start();
      await until(handle, ({ state }) => state === 'created');
      await fastForward(temporal.client, handle.workflowId, 5 * 86_400 + 60);
      const late = await until(handle, ({ attention }) => attention.length > 0);
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
      const handle = await start();
      await until(handle, ({ state }) => state === 'created');
      await fastForward(temporal.client, handle.workflowId, 3 * 86_400);
      await handle.signal(agreementFact, aFact('activated'));
      expect(await until(handle, ({ state }) => state === 'active')).toMatchObject({ attention: [] });
    });
  });

  test('looks up a fact that does not fit, and lets history supply what was missed', async () => {
    const activated = aFact('activated', { source: 'history' });
    const suspended = aFact('suspended');
    const lookUpAgreement = ({ uid }: { uid: string }) =>
      Promise.resolve(agreementLook(uid, 'suspended', [activated]));
    await temporal.run(only({ ...created, lookUpAgreement }), async () => {
      const handle = await start();
      await until(handle, ({ state }) => state === 'created');
      await handle.signal(agreementFact, suspended);
      await until(handle, ({ state, awaiting }) => state === 'suspended' && awaiting.what === 'nothing');
      expect((await handle.query(getTimeline)).conflicts).toEqual([]);
    });
  });

  test('looks twice before it believes the provider against the facts', async () => {
    let looks = 0;
    const lookUpAgreement = ({ uid }: { uid: string }) => {
      looks += 1;
      return Promise.resolve(agreementLook(uid, 'suspended'));
    };
    await temporal.run(only({ ...created, lookUpAgreement }), async () => {
      const handle = await start();
      await until(handle, ({ state }) => state === 'created');
      await handle.signal(agreementFact, aFact('activated'));
      await handle.signal(agreementFact, aFact('an event that we do not know'));
      await skipTime(temporal.client, handle.workflowId);
      await until(handle, ({ state }) => state === 'suspended');
      expect(looks).toBe(2);
    });
  });

  test('keeps an unknown state of the provider, says so, and does not ask for ever', async () => {
    let looks = 0;
    const lookUpAgreement = ({ uid }: { uid: string }) => {
      looks += 1;
      return Promise.resolve(agreementLook(uid, 'frozen'));
    };
    await temporal.run(only({ ...created, lookUpAgreement }), async () => {
      const handle = await start();
      await until(handle, ({ state }) => state === 'created');
      await handle.signal(agreementFact, aFact('activated'));
      await handle.signal(agreementFact, aFact('thawed'));
      await skipTime(temporal.client, handle.workflowId);
      const view = await until(handle, ({ attention }) => attention.length > 0);
      expect(view).toMatchObject({ state: 'active', attention: [{ code: 'conflict' }] });
      expect(looks).toBe(2);
    });
  });

  test('under an unauthenticated event holds payments back, and moves only when the provider agrees', async () => {
    const cancelled = aFact('cancelled', { authenticated: false });
    const confirmed = { ...cancelled, source: 'history' as const, authenticated: true };
    const lookUpAgreement = ({ uid }: { uid: string }) =>
      Promise.resolve(agreementLook(uid, 'cancelled', [confirmed]));
    await temporal.run(only({ ...created, lookUpAgreement }), async () => {
      const handle = await start();
      await handle.signal(agreementFact, aFact('activated'));
      await handle.signal(agreementFact, cancelled);
      expect(await handle.result()).toMatchObject({ state: 'cancelled' });
    });
  });

  test('is not moved by a forged event under a verifier that cannot tell', async () => {
    const lookUpAgreement = ({ uid }: { uid: string }) => Promise.resolve(agreementLook(uid, 'created'));
    await temporal.run(only({ ...created, lookUpAgreement }), async () => {
      const handle = await start();
      await handle.signal(agreementFact, aFact('activated', { authenticated: false }));
      const { facts } = await eventually(
        () => handle.query(getTimeline),
        (timeline) => timeline.facts.length === 2,
      );
      expect(facts.map(({ type }) => type)).toContain('activated');
      expect(await until(handle, ({ awaiting }) => awaiting.what === 'payer-decision')).toMatchObject({
        state: 'created',
      });
    });
  });

  test('adopts an agreement that nobody started here', async () => {
    const activated = aFact('activated', { source: 'history' });
    const adoptAgreement = ({ uid }: { uid: string }) =>
      Promise.resolve({ owner: 'acme', ...agreementLook(uid, 'active', [activated]) });
    await temporal.run(only({ adoptAgreement }), async () => {
      const handle = await start({ mandate: undefined, connectionId: undefined });
      const view = await until(handle, ({ state }) => state === 'active');
      expect(view).toMatchObject({ adopted: true, connectionId: 'acme', mandate: { purpose: 'utility' } });
    });
  });

  test('ends unknown, flagged, when in a whole day no connection shows it', async () => {
    await temporal.run(only({ adoptAgreement: () => Promise.reject(nothingNew('10h')) }), async () => {
      const handle = await start({ mandate: undefined });
      await skipTime(temporal.client, handle.workflowId);
      expect(await handle.result()).toMatchObject({ state: 'unknown', attention: [{ code: 'orphan' }] });
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
      const handle = await start();
      const waits = await until(handle, ({ awaiting }) => awaiting.what === 'reauthorisation');
      expect(waits).toMatchObject({ state: 'pending', attention: [{ code: 'needs_reauthorisation' }] });
      await handle.signal(connectionRestored);
      expect(await until(handle, ({ state }) => state === 'created')).toMatchObject({ attention: [] });
    });
  });

  test('hands over to a fresh run when its history is long, and forgets nothing', async () => {
    await temporal.run(only(created), async () => {
      const handle = await start();
      const first = await handle.describe();
      await handle.signal(agreementFact, aFact('activated'));
      const facts = Array.from({ length: 520 }, () => aFact('amended'));
      for (const fact of facts) await handle.signal(agreementFact, fact);
      await eventually(
        () => temporal.client.workflow.getHandle(handle.workflowId).describe(),
        ({ runId }) => runId !== first.runId,
      );
      const view = await until(
        temporal.client.workflow.getHandle(handle.workflowId),
        ({ factCount }) => factCount >= 521,
      );
      expect(view.state).toBe('active');
    });
  });
});
