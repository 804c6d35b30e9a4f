import { randomUUID } from 'node:crypto';
import {
  AGREEMENT_WORKFLOW,
  agreementFact,
  agreementWorkflowId,
  type AgreementEnd,
  type AgreementInput,
} from '../../workflows/agreement/contract.js';
import { aFact } from '../support/facts.js';
import { skipTime, type Temporal } from '../support/temporal.js';
import { startAgreement } from '../support/workflows/runs.js';
import { TAKES_ALL, happening, showing } from './lives.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { RememberedRow } from '../../domain/records/remembered.js';
import type { Fact } from '../../domain/facts/fact.js';
import type { agreement } from '../../workflows/index.js';
import type { Scripts } from './script.js';

const startedBy = ({ client, taskQueue }: Temporal, fact: Fact, input: AgreementInput) =>
  client.workflow.signalWithStart<typeof agreement, [Fact]>(AGREEMENT_WORKFLOW, {
    taskQueue,
    workflowId: agreementWorkflowId(input.uid),
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    args: [input],
    signal: agreementFact,
    signalArgs: [fact],
  });

const runOf = async ({ client }: Temporal, handle: WorkflowHandle): Promise<WorkflowHandle> =>
  client.workflow.getHandle(handle.workflowId, (await handle.describe()).runId);

export const ADOPTION_SCRIPTS: Scripts = {
  'taken-up-again-after-its-end': (() => {
    const provider = happening();
    return {
      activities: { ...TAKES_ALL, lookUpAgreement: showing('cancelled', provider.published) },
      live: async (temporal) => {
        const handle = await startAgreement(temporal);
        for (const type of ['activated', 'cancelled']) await provider.signal(handle, type);
        const { carried }: AgreementEnd = await handle.result();
        const first = await runOf(temporal, handle);
        const again = await startedBy(temporal, aFact('suspended'), { uid: handle.uid, carried });
        await skipTime(temporal.client, handle.workflowId);
        await again.result();
        return [first, again];
      },
    };
  })(),
  'continued-from-its-record': (() => {
    const left: { carried?: AgreementEnd['carried'] } = {};
    const row = {
      is: 'row',
      version: 1,
      identity: 'first',
      connectionId: 'acme',
      state: 'cancelled',
      view: {},
    };
    return {
      activities: {
        ...{ ...TAKES_ALL, lookUpAgreement: showing('cancelled') },
        readRecord: () => Promise.resolve({ ...row, ...left } as RememberedRow),
      },
      live: async (temporal) => {
        const handle = await startAgreement(temporal);
        for (const type of ['activated', 'cancelled']) await handle.signal(agreementFact, aFact(type));
        Object.assign(left, { carried: (await handle.result()).carried });
        const again = await startedBy(temporal, aFact('suspended'), { uid: handle.uid, readsRecord: true });
        await skipTime(temporal.client, handle.workflowId);
        await again.result();
        return [await runOf(temporal, handle)];
      },
    };
  })(),
  'of-a-record-that-is-gone': {
    activities: {
      readRecord: () => Promise.resolve({ is: 'gone', why: 'expired', since: '2026-11-01T00:00:00.000Z' }),
      keepGone: () => Promise.resolve(),
    },
    live: async (temporal) => {
      const handle = await startedBy(temporal, aFact('suspended'), { uid: randomUUID(), readsRecord: true });
      await handle.result().catch(() => undefined);
      return [await runOf(temporal, handle)];
    },
  },
};
