// Sends single updates to workflows, also to those that have no open run.
import { WithStartWorkflowOperation } from '@temporalio/client';
import type { WorkflowStartOptions } from '@temporalio/client';
import type { UpdateDefinition } from '@temporalio/common';
import { recipientOf } from '../../../delivery/recipients.js';
import { READING_LASTS_MS, reopen } from '../../../delivery/reopen.js';
import type { RunStart } from '../../../delivery/reopen.js';
import type { PaymentEnd } from '../../../workflows/payment/contract.js';
import { ApiError, notFound } from '../../http/problems/errors.js';
import { noneIfNotFound } from './calls.js';
import type { Calls } from './calls.js';
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

/** Sends an update to a workflow, and starts a run with it if none is open. */
export function updateWithStart<Answer, Args extends unknown[]>(
  { client, taskQueue, recorded, long }: Calls,
  { workflow, ...options }: { workflow: string } & Omit<WorkflowStartOptions, 'taskQueue'>,
  definition: UpdateDefinition<Answer, Args>,
  args: Args,
): Promise<Answer> {
  recorded.updated(options.workflowId);
  return long(ANSWER_MS, () =>
    client.workflow.executeUpdateWithStart(definition, {
      args,
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
 * Sends an update to a payment. If its run has ended, a new run starts with the update (delivery/reopen.ts).
 * @throws ApiError `not_found` if the payment never existed, `payment_forgotten` if the end of the last run is unknown.
 */
export async function updatePayment<Answer, Request>(
  calls: Calls,
  uid: string,
  { definition, request, updateId, by, answered }: PaymentUpdate<Answer, Request>,
): Promise<Answer> {
  const recipient = recipientOf('payment', uid, undefined);
  const { workflow, workflowId } = recipient;
  const args: [Request] = [request];
  const start = (run: RunStart): Promise<Answer> => {
    const startWorkflowOperation = startOrUse(workflow, run);
    const options = { args, updateId, startWorkflowOperation };
    return calls.client.withDeadline(Date.now() + ANSWER_MS, () =>
      calls.client.workflow.executeUpdateWithStart(definition, options),
    );
  };
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const run = await calls.describe(workflowId);
    if (run === undefined) throw notFound('a payment');
    const withinMs = run.isOpen ? ANSWER_MS : READING_LASTS_MS + ANSWER_MS;
    const answer = await calls
      .update(workflowId, withinMs, async (handle) =>
        run.isOpen
          ? { answer: await handle.executeUpdate<Answer, [Request]>(definition, { args, updateId }) }
          : reopen<PaymentEnd, Answer>(calls, recipient, by, start, (end) => answered(endFound(end))),
      )
      // The run ended after we read it.
      .catch(noneIfNotFound);
    if (answer !== undefined) return answer.answer;
  }
  throw workerUnavailable(
    new Error(`each attempt found that the run of ${workflowId} had started or ended again`),
  );
}

function endFound(end: PaymentEnd | undefined): PaymentEnd {
  if (end !== undefined) return end;
  const detail = 'The workflow was terminated, so we do not know the outcome. Look it up at the provider.';
  throw new ApiError('payment_forgotten', detail);
}
