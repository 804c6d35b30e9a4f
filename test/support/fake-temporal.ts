// Temporal clients without a server.
import { Client, Connection } from '@temporalio/client';
import { vi } from 'vitest';

export function aTemporalThatTakesHeartbeats(): Client {
  const temporal = new Client({ connection: Connection.lazy() });
  vi.spyOn(temporal.activity, 'heartbeat').mockResolvedValue();
  return temporal;
}

/** Every workflow has an open run, which takes each signal. */
export function onSignal(temporal: Client, receive: (workflowId: string, arg: unknown) => void): void {
  vi.spyOn(temporal.workflow, 'getHandle').mockImplementation(
    (workflowId) =>
      ({
        workflowId,
        signal: (_name: unknown, arg: unknown) => {
          receive(workflowId, arg);
          return Promise.resolve();
        },
      }) as never,
  );
}
