// Delivers a signal to a resource's workflow, whether its run is open, has ended, or never existed.
import { isFound, isStarted } from './open.js';
import { reopen, runStart, type Destination, type End, type Recipient, type RunStart } from './reopen.js';
import type { SignalDefinition } from '@temporalio/common';

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
export async function deliver(to: Destination, recipient: Recipient, message: Message): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (await isSignalled(to, recipient, message)) return true;
    if (await isFirstRunStarted(to, recipient, message)) return true;
    const reopened = await reopen<End, void>(to, recipient, message.by, (run) =>
      signalInNewRun(to, recipient, message, run),
    );
    if (reopened !== undefined) return true;
  }
  return false;
}

/**
 * As `deliver`, but never starts the first run, and reopens a run only if that belonged to the recipient's connection.
 * @returns `unknown` if there is no such run. Then nothing was stored.
 */
export async function deliverToExisting(
  to: Destination,
  recipient: Recipient,
  message: Message,
): Promise<boolean | 'unknown'> {
  const { workflowId, connectionId } = recipient;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (await isSignalled(to, recipient, message)) return true;
    if (!(await isFound(to.client.workflow.getHandle(workflowId).describe()))) return 'unknown';
    const reopened = await reopen<End & { state?: unknown }, true | 'unknown'>(
      ...([to, recipient, message.by] as const),
      (start) => signalInNewRun(to, recipient, message, start).then(() => true),
      (end) =>
        end?.connectionId === connectionId && end?.state !== 'unknown' ? undefined : { answer: 'unknown' },
    );
    if (reopened !== undefined) return reopened.answer;
  }
  return false;
}

/** A plain signal costs less than one that may start a run, and almost all are for open runs. False if no run is open. */
const isSignalled = (
  { client }: Destination,
  { workflowId }: Recipient,
  { signal, args }: Message,
): Promise<boolean> => isFound(client.workflow.getHandle(workflowId).signal(signal, ...args));

/** Starts the first run with the signal, or signals one that has started in the meantime. False if the latest run has ended. */
function isFirstRunStarted(to: Destination, recipient: Recipient, message: Message): Promise<boolean> {
  const run = runStart(to, recipient, { by: message.by, end: undefined, isReopened: false });
  return isStarted(
    signalWithStart(to, recipient, message, { ...run, workflowIdReusePolicy: 'REJECT_DUPLICATE' }),
  );
}

const signalInNewRun = (
  to: Destination,
  recipient: Recipient,
  message: Message,
  run: RunStart,
): Promise<void> =>
  to.client.withDeadline(Date.now() + START_MS, () =>
    signalWithStart(to, recipient, message, { ...run, workflowIdReusePolicy: 'ALLOW_DUPLICATE' }),
  );

async function signalWithStart(
  { client }: Destination,
  { workflow }: Recipient,
  { signal, args: signalArgs }: Message,
  run: RunStart & { workflowIdReusePolicy: 'ALLOW_DUPLICATE' | 'REJECT_DUPLICATE' },
): Promise<void> {
  await client.workflow.signalWithStart(workflow, { ...run, signal, signalArgs });
}
