import { randomUUID } from 'node:crypto';
import { getAgreement, putPlan } from '../../workflows/agreement/contract.js';
import { STOP_WORKFLOW, resumePayments, stopPayments } from '../../workflows/stop/contract.js';
import { addDays } from '../../domain/time/calendar.js';
import { sydneyDayOf } from '../../domain/time/sydney.js';
import { eventually, fastForward, type Temporal } from '../support/temporal.js';
import { failure, fetchedPayment } from '../support/workflows/provider.js';
import { startAgreement, type Started } from '../support/workflows/runs.js';
import { A_DAY, atRest, handedOver, showing, until } from './lives.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { Activities } from '../../activities/index.js';
import type { OnMissed, PlanEntry } from '../../domain/agreement/plan.js';
import type { stop } from '../../workflows/stop/workflow.js';
import type { Scripts } from './script.js';

type Agreement = Started<WorkflowHandle>;

const SETTLING: Partial<Activities> = {
  submitPayment: ({ uid }) => Promise.resolve(fetchedPayment(uid, 'settled')),
};

async function plan(
  handle: Agreement,
  days: number,
  onMissed: OnMissed = 'skip',
  amount = 100,
): Promise<void> {
  const today = sydneyDayOf(new Date().toISOString());
  const dates = Array.from({ length: days }, (_, ahead) => ({ date: addDays(today, ahead + 1), amount }));
  const order = { agreement_uid: handle.uid, priority: 'unattended' };
  const request = {
    schedule: { dates },
    onMissed,
    onHoliday: 'same' as const,
    order,
    uidBase: `plan-${handle.uid}`,
    by: 'shop',
  };
  await handle.executeUpdate(putPlan, { args: [request] });
}

const pass = ({ client }: Temporal, { workflowId }: WorkflowHandle, days = 1): Promise<void> =>
  fastForward(client, workflowId, days * A_DAY);

const untilLogged = (
  handle: WorkflowHandle,
  isIt: (log: readonly PlanEntry[]) => boolean,
): Promise<unknown> =>
  eventually(
    () => handle.query(getAgreement),
    ({ plan: met }) => isIt(met?.log ?? []),
  );

const startStop = ({ client, taskQueue }: Temporal): Promise<WorkflowHandle<typeof stop>> =>
  client.workflow.start<typeof stop>(STOP_WORKFLOW, {
    taskQueue,
    workflowId: `stop-${randomUUID()}`,
    args: [{}],
  });

const WHY = { reason: 'looks wrong', by: 'ops' };

export const PLAN_SCRIPTS: Scripts = {
  'plan-continued-as-new': {
    activities: {
      ...SETTLING,
      createAgreement: showing('active'),
      lookUpAgreement: () => Promise.reject(failure('unavailable')),
    },
    live: async (temporal) => {
      const handle = await startAgreement(temporal);
      await until(handle, atRest);
      await plan(handle, 2);
      const [first, newest] = await handedOver(temporal, handle);
      await pass(temporal, newest, 2);
      await untilLogged(newest, ({ length }) => length > 0);
      return [first, newest];
    },
  },
  'payments-stopped-by-a-run-that-was-continued-as-new': {
    activities: {},
    live: async (temporal) => {
      const handle = await startStop(temporal);
      await handle.executeUpdate(stopPayments, { args: [WHY] });
      const [first, newest] = await handedOver(temporal, handle);
      await newest.executeUpdate(resumePayments, { args: [WHY] });
      return [first, newest];
    },
  },
};
