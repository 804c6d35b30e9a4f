// Paces background queries of Temporal's lists. The server limits the list queries per second of a namespace
// (docs/operating.md#limits). Background work leaves capacity for API callers.
import { createPace, type Pace, type Acquire } from './pace.js';
import type { Client, WorkflowExecutionInfo } from '@temporalio/client';

/** Half of the server's default limit. */
const VISIBILITY_PACE: Pace = { intervalMs: 200, burst: 5 };

/** How many rows are processed before the event loop runs. */
const ROWS_AT_ONCE = 500;

export interface Visibility {
  /** Lists every matching run, page by page. */
  list(query: string): AsyncIterable<WorkflowExecutionInfo>;
  /** For callers that read pages themselves: resolves when the next request may be sent. */
  acquire: Acquire;
}

/** Create one per process. */
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
