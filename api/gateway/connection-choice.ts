// Chooses the connection of a new resource: the named one, or the only one that exists.
import { LRUCache } from 'lru-cache';
import { IS_OPEN } from '../../delivery/open.js';
import { CONNECTION_WORKFLOW, connectionWorkflowId } from '../../workflows/connection/contract.js';
import { ApiError } from '../http/problems/errors.js';
import type { Calls } from './temporal/calls.js';

const REMEMBERED_MS = 30_000;

export interface ConnectionChoice {
  /** @throws ApiError `connection_unknown`, or `connection_required` if none is named and not exactly one exists. */
  choose: (id: string | undefined) => Promise<string>;
  /** Whether the connection exists and has not ended. */
  exists: (id: string) => Promise<boolean>;
  /** Forgets the only connection, because another one may have been created. */
  forget: () => void;
}

/** Caches connections that exist for 30 seconds. A missing connection is never cached. */
export function createConnectionChoice(calls: Calls): ConnectionChoice {
  const existing = new LRUCache<string, true>({ max: 1000, ttl: REMEMBERED_MS });
  const only = new LRUCache<'only', string>({ max: 1, ttl: REMEMBERED_MS });
  const exists = async (id: string): Promise<boolean> => {
    if (existing.has(id)) return true;
    const described = await calls.describe(connectionWorkflowId(id));
    if (described?.isOpen !== true) return false;
    existing.set(id, true);
    return true;
  };
  return {
    exists,
    forget: () => only.clear(),
    choose: async (id) => {
      if (id === undefined) return theOnly(calls, only);
      if (!(await exists(id))) throw unknown();
      return id;
    },
  };
}

const unknown = (): ApiError =>
  new ApiError('connection_unknown', 'This connection does not exist or has ended.', {
    errors: [
      {
        pointer: '/connection',
        detail: 'expected the id of a connection; create one with POST /v1/connections',
      },
    ],
  });

async function theOnly(calls: Calls, remembered: LRUCache<'only', string>): Promise<string> {
  const before = remembered.get('only');
  if (before !== undefined) return before;
  const { client } = calls;
  const query = `WorkflowType = '${CONNECTION_WORKFLOW}' AND ${IS_OPEN}`;
  const request = { namespace: client.options.namespace, pageSize: 2, query };
  const { executions } = await calls.short(() => client.workflowService.listWorkflowExecutions(request));
  const [first, second] = executions.map((one) => one.execution?.workflowId ?? '');
  if (first === undefined || second !== undefined)
    throw required(
      first === undefined ? 'none exists. Create one with POST /v1/connections' : 'several exist. Name one',
    );
  const id = first.slice(connectionWorkflowId('').length);
  remembered.set('only', id);
  return id;
}

const required = (met: string): ApiError =>
  new ApiError('connection_required', `The request names no connection, and ${met}.`, {
    errors: [{ pointer: '/connection', detail: 'expected the id of a connection' }],
  });
