// The lives of agreements that begin with an event: nobody here knows them, or they were over.
import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import {
  AGREEMENT_WORKFLOW,
  agreementFact,
  agreementWorkflowId,
  connectionRestored,
} from '../../workflows/agreement/contract.js';
import { aFact } from '../support/facts.js';
import { skipTime } from '../support/temporal.js';
import { fetchedAgreement, failure } from '../support/workflows/provider.js';
import { startAgreement } from '../support/workflows/starting.js';
import { TAKES_ALL, atRest, awaits, ended, happening, onceFailing, showing, until } from './lives.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { Activities } from '../../activities/index.js';
import type { Fact } from '../../domain/fact.js';
import type { AgreementEnd, AgreementInput } from '../../workflows/agreement/contract.js';
import type { agreement } from '../../workflows/agreement/workflow.js';
import type { Temporal } from '../support/temporal.js';
import type { Stories } from './story.js';

const adopts =
  (state: string, published: () => Fact[] = () => []): Activities['adoptAgreement'] =>
  ({ uid }) =>
    Promise.resolve({ owner: 'acme', ...fetchedAgreement(uid, state, published()) });

/** As a webhook begins it: the event first, and perhaps what an earlier run knew. */
const begunBy = ({ client, taskQueue }: Temporal, fact: Fact, input: AgreementInput) =>
  client.workflow.signalWithStart<typeof agreement, [Fact]>(AGREEMENT_WORKFLOW, {
    taskQueue,
    workflowId: agreementWorkflowId(input.uid),
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    args: [input],
    signal: agreementFact,
    signalArgs: [fact],
  });

/** This very run, whatever comes after it. */
const runOf = async ({ client }: Temporal, handle: WorkflowHandle): Promise<WorkflowHandle> =>
  client.workflow.getHandle(handle.workflowId, (await handle.describe()).runId);

const notEveryoneAsked = ApplicationFailure.create({ type: 'not_everyone_asked', nextRetryDelay: '10h' });
const anUid = (): string => `agr-${randomUUID()}`;

export const ADOPTION_STORIES: Stories = {
  'adopted-from-an-event-then-ended': (() => {
    const activated = aFact('activated');
    return {
      activities: { adoptAgreement: adopts('active', () => [{ ...activated, source: 'history' }]) },
      live: async (temporal) => {
        const handle = await begunBy(temporal, activated, { uid: anUid(), connectionId: 'acme' });
        await until(handle, atRest);
        await ended(handle);
        return [handle];
      },
    };
  })(),
  'adopted-from-an-event-that-names-no-connection': {
    activities: { adoptAgreement: adopts('created') },
    live: async (temporal) => {
      const handle = await begunBy(temporal, aFact('activated'), { uid: anUid() });
      await until(handle, atRest);
      await ended(handle);
      return [handle];
    },
  },
  'adopted-when-it-is-over': (() => {
    const cancelled = aFact('cancelled');
    return {
      activities: { adoptAgreement: adopts('cancelled', () => [{ ...cancelled, source: 'history' }]) },
      live: async (temporal) => {
        const handle = await begunBy(temporal, cancelled, { uid: anUid() });
        await handle.result();
        return [handle];
      },
    };
  })(),
  'adopted-on-the-second-day': (() => {
    let calls = 0;
    const adoptAgreement: Activities['adoptAgreement'] = (of) => {
      calls += 1;
      return calls <= 3 ? Promise.reject(notEveryoneAsked) : adopts('active')(of);
    };
    return {
      activities: { adoptAgreement },
      live: async (temporal) => {
        const handle = await startAgreement(temporal, { mandate: undefined, connectionId: undefined });
        await skipTime(temporal.client, handle.workflowId);
        await until(handle, ({ state }) => state === 'active');
        await skipTime(temporal.client, handle.workflowId, false);
        await ended(handle);
        return [handle];
      },
    };
  })(),
  'adopted-once-there-is-consent': {
    activities: { adoptAgreement: onceFailing(failure('needs_reauthorisation'), adopts('active')) },
    live: async (temporal) => {
      const handle = await begunBy(temporal, aFact('activated'), { uid: anUid(), connectionId: 'acme' });
      await until(handle, awaits('reauthorisation'));
      await handle.signal(connectionRestored);
      await until(handle, atRest);
      await ended(handle);
      return [handle];
    },
  },
  'taken-up-again-after-its-end': (() => {
    const provider = happening();
    return {
      activities: { ...TAKES_ALL, lookUpAgreement: showing('cancelled', provider.published) },
      live: async (temporal) => {
        const handle = await startAgreement(temporal);
        for (const type of ['activated', 'cancelled']) await provider.signal(handle, type);
        const { carried }: AgreementEnd = await handle.result();
        const first = await runOf(temporal, handle);
        // Nothing that can be believed of an agreement that is over: it is looked up.
        const again = await begunBy(temporal, aFact('suspended'), { uid: handle.uid, carried });
        await skipTime(temporal.client, handle.workflowId);
        await again.result();
        return [first, again];
      },
    };
  })(),
  'taken-up-again-and-alive-after-all': (() => {
    const activated = aFact('activated');
    return {
      activities: {
        createAgreement: () => Promise.reject(failure('rejected', ['ZPAGR15'])),
        lookUpAgreement: showing('active', () => [{ ...activated, source: 'history' }]),
      },
      live: async (temporal) => {
        const handle = await startAgreement(temporal);
        const { carried }: AgreementEnd = await handle.result();
        const first = await runOf(temporal, handle);
        const again = await begunBy(temporal, activated, { uid: handle.uid, carried });
        await until(again, ({ state }) => state === 'active');
        await skipTime(temporal.client, handle.workflowId);
        await until(again, atRest);
        await skipTime(temporal.client, handle.workflowId, false);
        await ended(again);
        return [first, again];
      },
    };
  })(),
};
