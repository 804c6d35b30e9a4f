// The lives of agreements in which something is doubted, refused, lost for a while, or late.
import { randomUUID } from 'node:crypto';
import {
  connectionRestored,
  lookUpNow,
  requestAction,
  requestPayment,
  resolveAttention,
} from '../../workflows/agreement/contract.js';
import { handOver } from '../../workflows/entity/contract.js';
import { paymentWorkflowId } from '../../workflows/payment/contract.js';
import { fastForward, skipTime } from '../support/temporal.js';
import {
  A_MANDATE,
  fetchedAgreement,
  anOrder,
  failure,
  nothingNew,
  fetchedPayment,
  refusalIn,
} from '../support/workflows/provider.js';
import { startAgreement } from '../support/workflows/starting.js';
import {
  AMEND,
  A_DAY,
  CANCEL,
  SUSPEND,
  TAKES_ALL,
  asked,
  askedWith,
  atRest,
  awaits,
  counted,
  ended,
  happening,
  isCancelRequested,
  living,
  onceFailing,
  showing,
  until,
} from './lives.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { Activities } from '../../activities/index.js';
import type { Temporal } from '../support/temporal.js';
import type { Stories, Story } from './story.js';

const inDays = (days: number): string => new Date(Date.now() + days * A_DAY * 1000).toISOString();
const RESOLUTION = {
  key: 'case-1',
  code: 'conflict',
  reason: 'compared with the provider',
  by: 'ops',
} as const;

/** Time jumps for as long as this is waited for. */
async function skippingUntil(
  handle: WorkflowHandle,
  { client }: Temporal,
  isIt: Parameters<typeof until>[1],
): Promise<void> {
  await skipTime(client, handle.workflowId);
  await until(handle, isIt);
  await skipTime(client, handle.workflowId, false);
}

/** An active agreement receives these events, which snapshots explain by their history, or never do. */
function doubted(
  shown: string,
  lookUps: 'explain' | 'never explain',
  types: readonly string[],
  over = {},
): Story {
  const { signal, published } = happening();
  const lookUpAgreement = showing(shown, lookUps === 'explain' ? published : undefined);
  return living({ lookUpAgreement }, async (handle, temporal) => {
    for (const type of types) await signal(handle, type, over);
    await until(handle, ({ factCount }) => factCount > types.length);
    await skippingUntil(handle, temporal, awaits('nothing'));
  });
}

/** A command that the provider says it is not the time for, and what the snapshot shows then. */
const answeredBySnapshot = (shown: string, live: Parameters<typeof living>[1]): Story => {
  const sendCommand: Activities['sendCommand'] = ({ uid }) =>
    Promise.resolve({ outcome: 'out_of_place', fetched: fetchedAgreement(uid, shown), code: 'ZPSUS00' });
  return living({ sendCommand, lookUpAgreement: showing(shown) }, live);
};

/** A call that consent or an operator must mend, then made again. */
const blockedFor = (
  activities: Partial<Activities>,
  begin: (handle: WorkflowHandle) => Promise<unknown>,
  isOver: Parameters<typeof until>[1],
): Story =>
  living(activities, async (handle) => {
    await begin(handle);
    await until(handle, awaits('reauthorisation'));
    await handle.signal(connectionRestored);
    await until(handle, isOver);
  });

const ask = (handle: WorkflowHandle, key: string, what: typeof SUSPEND) =>
  handle.executeUpdate(requestAction, { args: [{ key, ask: what }] });

export const OPEN_QUESTION_STORIES: Stories = {
  'unknown-event-explained': doubted('active', 'explain', ['thawed']),
  'unknown-event-never-explained': doubted('active', 'never explain', ['thawed']),
  'unknown-state-flagged': doubted('frozen', 'explain', ['thawed']),
  'conflict-that-the-provider-wins': doubted('suspended', 'explain', ['thawed']),
  'unauthenticated-event-confirmed': doubted('suspended', 'explain', ['suspended'], { authenticated: false }),
  'forged-event-outlasted': doubted('active', 'never explain', ['cancelled'], { authenticated: false }),
  'suspended-by-the-payer-and-not-resumed-by-us': living({}, async (handle) => {
    const { signal } = happening();
    await signal(handle, 'suspended', { causedBy: 'debtor' });
    await until(handle, ({ state }) => state === 'suspended');
    await ask(handle, 'r-1', { kind: 'reactivation', body: {} }).catch(refusalIn);
    await signal(handle, 'reactivated', { causedBy: 'debtor' });
    await until(handle, atRest);
  }),
  'amendment-declined-then-another-expired': living({}, async (handle) => {
    await askedWith(handle, 'a-1', AMEND, 'amendment_declined');
    await askedWith(handle, 'a-2', AMEND, 'amendment_expired');
  }),
  'amendment-and-suspension-under-way-together': living({}, async (handle) => {
    await asked(handle, AMEND);
    await asked(handle, SUSPEND, 'suspended');
  }),
  'amendment-overdue': living({}, async (handle, temporal) => {
    await asked(handle, AMEND);
    await fastForward(temporal.client, handle.workflowId, 5 * A_DAY + 600);
    await until(handle, ({ attention }) => attention.some(({ code }) => code === 'overdue'));
    const { signal } = happening();
    await signal(handle, 'amendment_expired');
    await until(handle, ({ pending }) => pending.length === 0);
  }),
  'deadline-of-the-resolution-asked-about': (() => {
    const { lookUps, lookUpAgreement } = counted('created');
    return {
      activities: { ...TAKES_ALL, lookUpAgreement },
      live: async (temporal) => {
        const mandate = { ...A_MANDATE, resolution_requested_before: inDays(1), cancel_if_unresolved: true };
        const handle = await startAgreement(temporal, { mandate });
        await until(handle, awaits('payer-decision'));
        await fastForward(temporal.client, handle.workflowId, A_DAY + 600);
        await lookUps(1);
        await until(handle, awaits('payer-decision'));
        await ended(handle);
        return [handle];
      },
    };
  })(),
  'deadline-of-the-amendment-resolution': (() => {
    const { lookUps, lookUpAgreement } = counted('active');
    return living({ lookUpAgreement }, async (handle, temporal) => {
      const body = { changes: { description: 'Plan 78' }, resolution_requested_before: inDays(1) };
      await asked(handle, { kind: 'amendment', body });
      await fastForward(temporal.client, handle.workflowId, A_DAY + 600);
      await lookUps(1);
      await until(handle, awaits('amendment-decision'));
    });
  })(),
  'command-shown-as-done': answeredBySnapshot('suspended', async (handle, temporal) => {
    await ask(handle, 's-1', SUSPEND);
    await skippingUntil(
      handle,
      temporal,
      ({ pending, state }) => pending.length === 0 && state === 'suspended',
    );
  }),
  'command-shown-as-impossible': answeredBySnapshot('active', async (handle) => {
    await ask(handle, 's-1', SUSPEND);
    await until(handle, ({ actions }) => actions[0]?.stage === 'refused');
  }),
  'command-taken-while-creating': (() => {
    let create: () => void = () => undefined;
    const isFree = new Promise<void>((resolve) => (create = resolve));
    const createAgreement: Activities['createAgreement'] = async ({ uid }) => {
      await isFree;
      return fetchedAgreement(uid, 'created');
    };
    return {
      activities: { ...TAKES_ALL, createAgreement },
      live: async (temporal) => {
        const handle = await startAgreement(temporal);
        await ask(handle, 'c-1', CANCEL);
        create();
        await until(handle, awaits('action-outcome'));
        await ended(handle);
        return [handle];
      },
    };
  })(),
  'command-blocked-for-consent': blockedFor(
    {
      sendCommand: onceFailing(failure('needs_reauthorisation'), TAKES_ALL.sendCommand),
      lookUpAgreement: showing('active'),
    },
    (handle) => ask(handle, 's-1', SUSPEND),
    awaits('action-outcome'),
  ),
  'look-up-blocked-for-a-scope': blockedFor(
    { lookUpAgreement: onceFailing(failure('forbidden'), showing('active')) },
    (handle) => handle.executeUpdate(lookUpNow),
    atRest,
  ),
  'watch-for-an-outcome-blocked-for-consent': blockedFor(
    {
      watchAgreement: onceFailing(failure('needs_reauthorisation'), () => Promise.reject(nothingNew('50h'))),
    },
    (handle) => ask(handle, 's-1', SUSPEND),
    awaits('action-outcome'),
  ),
  'watch-for-the-payer-refused-then-resolved': {
    activities: {
      ...TAKES_ALL,
      watchAgreement: onceFailing(failure('rejected', ['X']), ({ uid }) =>
        Promise.resolve(fetchedAgreement(uid, 'active')),
      ),
    },
    live: async (temporal) => {
      const handle = await startAgreement(temporal);
      await until(handle, ({ attention }) => attention.some(({ code }) => code === 'conflict'));
      await handle.executeUpdate(resolveAttention, { args: [RESOLUTION] });
      await until(handle, atRest);
      await ended(handle);
      return [handle];
    },
  },
  'agreement-that-temporal-was-asked-to-cancel': living({}, async (handle) => {
    await handle.cancel();
    await until(handle, isCancelRequested);
  }),
  'agreement-signalled-to-hand-over-while-its-release-is-current': living({}, async (handle) => {
    await handle.signal(handOver);
    await asked(handle, SUSPEND, 'suspended');
  }),
  'payment-uid-of-another-agreement': {
    activities: { ...TAKES_ALL, submitPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'settled')) },
    live: async (temporal) => {
      const uid = `pay-${randomUUID()}`;
      const request = { uid, order: anOrder('agr-1') };
      const handles = [await startAgreement(temporal), await startAgreement(temporal)];
      for (const handle of handles) {
        const { signal } = happening();
        await signal(handle, 'activated');
        await until(handle, atRest);
        await handle.executeUpdate(requestPayment, { args: [request] }).catch(refusalIn);
        await ended(handle);
      }
      await temporal.client.workflow.getHandle(paymentWorkflowId(uid)).result();
      return handles;
    },
  },
};
