import { vi } from 'vitest';
import type { Client } from '@temporalio/client';

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
