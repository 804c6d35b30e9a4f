// Delivers a signal to an agreement, a payment or a refund, whether its run is open, is over, or never was.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { reopen, runStart } from './reopen.js';
import type { SignalDefinition } from '@temporalio/common';
import type { Destination, End, Recipient, RunStart } from './reopen.js';

/** A signal with its arguments, and what sends it, for the page of a run that this begins: "a notification". */
export interface Message {
  signal: string;
  args: unknown[];
  by: string;
}

/** The one way to make a message: its arguments are what the signal takes. */
export const messageOf = <Args extends unknown[]>(
  by: string,
  { name }: SignalDefinition<Args>,
  ...args: Args
): Message => ({ signal: name, args, by });

/** How often another call may open the run between our reading it and our signal. */
const ATTEMPTS = 3;
/** A start that takes longer could come after another run has begun and ended. */
const START_MS = 5000;

/**
 * Resolves with true once the message is durable, and with false where a run was opened and ended again each time that
 * we tried: nothing was kept then, and the caller has to deliver it again.
 * @throws what Temporal's client throws; the message may or may not have been kept.
 */
export async function deliver<State>(
  to: Destination,
  recipient: Recipient<State>,
  message: Message,
): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (await isDelivered(to, recipient, message)) return true;
    const reopened = await reopen<End<State>, void>(to, recipient, message.by, (run) =>
      to.client.withDeadline(Date.now() + START_MS, () =>
        signalWithStart(to, recipient, message, { ...run, workflowIdReusePolicy: 'ALLOW_DUPLICATE' }),
      ),
    );
    if (reopened !== undefined) return true;
  }
  return false;
}

/** Signals a run that is open, or the first one; false when there was one, and it is over. */
async function isDelivered<State>(
  to: Destination,
  recipient: Recipient<State>,
  message: Message,
): Promise<boolean> {
  try {
    const run = runStart(to, recipient, { by: message.by, end: undefined, isReopened: false });
    await signalWithStart(to, recipient, message, { ...run, workflowIdReusePolicy: 'REJECT_DUPLICATE' });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

async function signalWithStart<State>(
  { client }: Destination,
  { workflow }: Recipient<State>,
  { signal, args: signalArgs }: Message,
  run: RunStart & { workflowIdReusePolicy: 'ALLOW_DUPLICATE' | 'REJECT_DUPLICATE' },
): Promise<void> {
  await client.workflow.signalWithStart(workflow, { ...run, signal, signalArgs });
}
