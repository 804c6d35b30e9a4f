// Which connection a new agreement is for: the one that is named, or the only one there is.
import { LRUCache } from 'lru-cache';
import { IS_OPEN } from '../../delivery/open.js';
import { CONNECTION_WORKFLOW, connectionWorkflowId } from '../../workflows/connection/contract.js';
import { ApiError } from '../http/problems/errors.js';
import type { Calls } from './temporal/calls.js';

const REMEMBERED_MS = 30_000;

export interface ConnectionChoice {
  /** @throws ApiError `connection_unknown`, or `connection_required` where none is named and there is not just one. */
  choose: (id: string | undefined) => Promise<string>;
  /** Whether there is such a connection and it has not ended. */
  exists: (id: string) => Promise<boolean>;
  /** A connection was begun: the only one may be so no longer. */
  forget: () => void;
}

/** Remembers for a while what exists; never that something does not. */
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
  new ApiError('connection_unknown', 'Expected a connection that exists and has not ended.', {
    errors: [
      {
        pointer: '/connection',
        detail: 'expected the id of a connection; begin one with POST /v1/connections',
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
    throw required(first === undefined ? 'there is none' : 'there are several');
  const id = first.slice(connectionWorkflowId('').length);
  remembered.set('only', id);
  return id;
}

const required = (met: string): ApiError =>
  new ApiError('connection_required', `Expected a connection to be named, since ${met}.`, {
    errors: [{ pointer: '/connection', detail: 'expected the id of a connection' }],
  });
