// What is owed to an agreement that is over: one more look, and no more than that where nobody can make it.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  AGREEMENT_WORKFLOW, agreementFact, connectionRestored, lookUpNow, requestAction,
} from '../../workflows/agreement/contract.js'; // prettier-ignore
import { aFact } from '../domain/facts.js';
import { useTemporal } from '../support/temporal.js';
import { agreementLook, failure, only } from './provider.js';
import { startAgreement, untilAgreement } from './starting.js';
import type { Activities } from '../../activities/index.js';
import type { ActionRequest } from '../../domain/action.js';
import type { Fact } from '../../domain/fact.js';
import type { agreement } from '../../workflows/agreement/workflow.js';

const temporal = useTemporal();
const takesAll = {
  createAgreement: ({ uid }: { uid: string }) => Promise.resolve(agreementLook(uid, 'created')),
  actOnAgreement: () => Promise.resolve({ outcome: 'accepted' } as const),
};
const amendment = (): ActionRequest => ({
  key: randomUUID(),
  ask: { kind: 'amendment', body: { changes: { description: 'Plan 78' } } },
});

async function amending() {
  const handle = await startAgreement(temporal);
  await handle.signal(agreementFact, aFact('activated'));
  await untilAgreement(handle, ({ state, awaiting }) => state === 'active' && awaiting.what === 'nothing');
  await handle.executeUpdate(requestAction, { args: [amendment()] });
  await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'amendment-decision');
  return handle;
}

const during = (given: Partial<Activities>, story: () => Promise<void>) =>
  temporal.run(only({ ...takesAll, ...given }), story);
const cancelled = () => aFact('cancelled', { publishedAt: '2026-12-01T00:00:00.000Z', causedBy: 'debtor' });

/** An event that comes after the end, and a provider that shows it once it lets us in. */
function lateNews() {
  const door = { isOpen: false };
  const late = aFact('suspended', { publishedAt: '2026-12-02T00:00:00.000Z' });
  const lookUpAgreement: Activities['lookUpAgreement'] = ({ uid }) =>
    door.isOpen
      ? Promise.resolve(agreementLook(uid, 'cancelled', [late]))
      : Promise.reject(failure('forbidden'));
  return { door, late, lookUpAgreement };
}

describe('an agreement that is over', () => {
  test.each(['forbidden', 'needs_reauthorisation', 'rejected'])(
    'ends though its last look is refused for good (%s), and shows why',
    async (code) => {
      const lookUpAgreement = () => Promise.reject(failure(code));
      await during({ lookUpAgreement }, async () => {
        const handle = await amending();
        await handle.signal(agreementFact, cancelled());
        const end = await handle.result();
        expect(end).toMatchObject({
          state: 'cancelled',
          attention: [{ code: code === 'rejected' ? 'conflict' : code }],
          pending: [],
          actions: [{ stage: 'failed', failure: { code: 'agreement_final' } }],
        });
        expect(end.record.blocked).toBeUndefined();
      });
    },
  );

  test('ends at once if consent was missing before', async () => {
    let looks = 0;
    const lookUpAgreement = () => {
      looks += 1;
      return Promise.reject(failure('needs_reauthorisation'));
    };
    await during({ lookUpAgreement }, async () => {
      const handle = await amending();
      await handle.executeUpdate(lookUpNow);
      await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'reauthorisation');
      await handle.signal(agreementFact, cancelled());
      const end = { state: 'cancelled', attention: [{ code: 'needs_reauthorisation' }] };
      expect(await handle.result()).toMatchObject(end);
      expect(looks).toBe(1);
    });
  });

  test('asks anew when something is told of it later, and needs nobody to say that it may', async () => {
    const { late, door, lookUpAgreement } = lateNews();
    await during({ lookUpAgreement }, async () => {
      const handle = await amending();
      await handle.signal(agreementFact, cancelled());
      const { record } = await handle.result();
      door.isOpen = true;
      const again = await temporal.client.workflow.signalWithStart<typeof agreement, [Fact]>(
        AGREEMENT_WORKFLOW,
        {
          taskQueue: temporal.taskQueue,
          workflowId: handle.workflowId,
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          args: [{ uid: handle.uid, carried: record }],
          signal: agreementFact,
          signalArgs: [late],
        },
      );
      expect(await again.result()).toMatchObject({ state: 'cancelled', attention: [] });
    });
  });

  test('but waits for consent where something that was told says otherwise', async () => {
    const { late, door, lookUpAgreement } = lateNews();
    await during({ lookUpAgreement }, async () => {
      const handle = await amending();
      for (const fact of [late, cancelled()]) await handle.signal(agreementFact, fact);
      await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'reauthorisation');
      door.isOpen = true;
      await handle.signal(connectionRestored);
      expect(await handle.result()).toMatchObject({ state: 'cancelled' });
    });
  });
});
