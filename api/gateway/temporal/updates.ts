// Sends single updates to workflows, also to those that have no open run.
import {
  WithStartWorkflowOperation,
  type WorkflowHandle,
  type WorkflowStartOptions,
} from '@temporalio/client';
import type { UpdateDefinition } from '@temporalio/common';
import { recipientOf } from '../../../delivery/recipients.js';
import { READING_LASTS_MS, reopen, type RunStart } from '../../../delivery/reopen.js';
import type { PaymentEnd } from '../../../workflows/payment/contract.js';
import { noneIfNotFound, type Calls } from './calls.js';
import { startFromRecord, updateOrStart, type RecordStart } from '../../../delivery/update-or-start.js';
import { rememberedOf } from './forgotten.js';
import { workerUnavailable } from './outages.js';

/** Time limit of an update. A worker usually answers within milliseconds. */
export const ANSWER_MS = 10_000;

/** Sends an update to an open run. Undefined if there is none. */
export const updateOpen = <Answer, Request>(
  calls: Calls,
  workflowId: string,
  definition: UpdateDefinition<Answer, [Request]>,
  request: Request,
  withinMs = ANSWER_MS,
): Promise<Answer | undefined> =>
  calls
    .update(workflowId, withinMs, (handle) =>
      handle.executeUpdate<Answer, [Request]>(definition, { args: [request] }),
    )
    .catch(noneIfNotFound);

/** Sends an update to a workflow, and starts a run with it if none is open. @param updateId repeats with the same one are one update. */
export function updateWithStart<Answer, Args extends unknown[]>(
  { client, taskQueue, recorded, long }: Calls,
  { workflow, ...options }: { workflow: string } & Omit<WorkflowStartOptions, 'taskQueue'>,
  definition: UpdateDefinition<Answer, Args>,
  args: Args,
  { withinMs = ANSWER_MS, updateId }: { withinMs?: number; updateId?: string | undefined } = {},
): Promise<Answer> {
  recorded.updated(options.workflowId);
  return long(withinMs, () =>
    client.workflow.executeUpdateWithStart(definition, {
      ...{ args, ...(updateId !== undefined && { updateId }) },
      startWorkflowOperation: startOrUse(workflow, { ...options, taskQueue }),
    }),
  );
}

const startOrUse = (workflow: string, options: WorkflowStartOptions) =>
  new WithStartWorkflowOperation(workflow, {
    ...options,
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  });

/** An update that the next run of a payment also accepts. */
interface PaymentUpdate<Answer, Request> {
  definition: UpdateDefinition<Answer, [Request]>;
  request: Request;
  updateId: string;
  /** The cause of a reopening, for the summary of the new run: "a refund". */
  by: string;
  /** Answers from the end of the last run without a new run. Throws a refusal. */
  answered: (end: PaymentEnd) => { answer: Answer } | undefined;
}

/** How often a run may start or end between our read and our update. */
const ATTEMPTS = 3;

/**
 * Sends an update to a payment. If its run has ended, a new run starts with the update (delivery/reopen.ts). If Temporal has forgotten the run, or
 * it has left no state, the new run reads its record first.
 * @throws ApiError `not_found` if the payment never existed, `gone`, or `records_unavailable`.
 */
export async function updatePayment<Answer, Request>(
  calls: Calls,
  uid: string,
  { definition, request, updateId, by, answered }: PaymentUpdate<Answer, Request>,
): Promise<Answer> {
  const recipient = recipientOf('payment', uid, undefined);
  const { workflow, workflowId } = recipient;
  const sent = { definition, args: [request] as [Request], updateId };
  const send = (handle: WorkflowHandle, start: RecordStart | undefined): Promise<Answer> =>
    calls.client.withDeadline(Date.now() + ANSWER_MS, () => updateOrStart(calls, handle, start, sent));
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const run = await calls.describe(workflowId);
    if (run?.isOpen === false) await calls.recorded.assertNotGone({ resource: 'payment', uid });
    const row = run === undefined ? await rememberedOf(calls, { resource: 'payment', uid }) : undefined;
    const withinMs = run?.isOpen === true ? ANSWER_MS : READING_LASTS_MS + ANSWER_MS;
    const answer = await calls
      .update(workflowId, withinMs, async (handle): Promise<{ answer: Answer } | undefined> => {
        if (row !== undefined)
          return { answer: await send(handle, startFromRecord(calls, 'payment', { uid, ...row }, by)) };
        if (run?.isOpen === true) return { answer: await send(handle, undefined) };
        return reopen<PaymentEnd, Answer>(
          ...([calls, recipient, by, (next: RunStart) => send(handle, { workflow, run: next })] as const),
          (end) => end && answered(end),
        );
      })
      // The run ended after we read it.
      .catch(noneIfNotFound);
    if (answer !== undefined) return answer.answer;
  }
  throw workerUnavailable(
    new Error(`each attempt found that the run of ${workflowId} had started or ended again`),
  );
}
