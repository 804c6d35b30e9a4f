// Temporal's lists as background work reads them. The server answers so many requests a second for all of a namespace
// (docs/operating.md#temporals-lists), and callers of the API wait for theirs: what no caller waits for takes turns and leaves them the rest.
import { createPace } from './pace.js';
import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import type { Pace, Acquire } from './pace.js';

/** Half of what a server gives that is not configured otherwise. */
export const VISIBILITY_PACE: Pace = { intervalMs: 200, burst: 5 };

/** So many rows are handled before the event loop has its turn. */
const ROWS_AT_ONCE = 500;

export interface Visibility {
  /** Every run that matches, a page at a time. */
  list(query: string): AsyncIterable<WorkflowExecutionInfo>;
  /** For who reads a page by a call of its own: resolves when the next request may go. */
  acquire: Acquire;
}

/** One for all of a process. */
export function createVisibility({ workflow }: Pick<Client, 'workflow'>, pace = VISIBILITY_PACE): Visibility {
  const acquire = createPace(pace);
  return {
    acquire,
    async *list(query) {
      let rows = 0;
      await acquire();
      for await (const run of workflow.list({ query, pageSize: ROWS_AT_ONCE })) {
        yield run;
        rows += 1;
        if (rows % ROWS_AT_ONCE === 0) await acquire();
      }
    },
  };
}
