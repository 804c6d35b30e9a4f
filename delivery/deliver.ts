// Delivers a signal to an agreement, a payment or a refund, whether its run is open, has ended, or never existed.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { reopen, runStart } from './reopen.js';
import type { SignalDefinition } from '@temporalio/common';
import type { Destination, End, Recipient, RunStart } from './reopen.js';

/** A signal with its arguments, and its sender ("a notification") for the summary of a new run. */
export interface Message {
  signal: string;
  args: unknown[];
  by: string;
}

/** Creates a message with type-checked arguments. */
export const messageOf = <Args extends unknown[]>(
  by: string,
  { name }: SignalDefinition<Args>,
  ...args: Args
): Message => ({ signal: name, args, by });

/** How often another call may open the run between our read and our signal. */
const ATTEMPTS = 3;
/** A slower start could arrive after another run has started and ended. */
const START_MS = 5000;

/**
 * Resolves with true once the message is durable. Resolves with false if a run started and ended during each attempt: the message
 * was not stored, and the caller must deliver it again.
 * @throws the errors of Temporal's client. The message may or may not be stored then.
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

/** Signals the open run, or starts the first one. False if the latest run has ended. */
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
