import { WorkflowNotFoundError } from '@temporalio/common';
import type { Message } from '../../workflows/entity/contract.js';
import type { Dependencies } from '../dependencies.js';

/** @returns false where no run under that id is open. */
export const signalRunActivity =
  ({ temporal: { workflow } }: Pick<Dependencies, 'temporal'>) =>
  ({ workflowId, signal, arg }: Message): Promise<boolean> =>
    workflow
      .getHandle(workflowId)
      .signal(signal, arg)
      .then(() => true)
      .catch((error: unknown) => {
        if (error instanceof WorkflowNotFoundError) return false;
        throw error;
      });
