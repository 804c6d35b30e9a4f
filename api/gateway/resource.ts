// What the gateways of all resources share: reads, and the answer to a repeat of the request that created one.
import type { QueryDefinition } from '@temporalio/common';
import { upgrade, type ResourceEnd } from '../../workflows/contracts/every-workflow.js';
import { workflowIdOf, type ProviderResource, type ResourceName } from '../../domain/resources.js';
import type { RowsRequest } from '../../records/lists.js';
import { ApiError } from '../http/problems/errors.js';
import type { ListPage } from './records.js';
import { oneAtATime, type Calls } from './temporal/calls.js';
import { commandsOf, type ResourceCommands } from './temporal/commands.js';

export interface ResourceReads<View> {
  /** Undefined if the resource does not exist. */
  view: (uid: string) => Promise<View | undefined>;
  /** @throws ApiError `records_unavailable` */
  list: (request: RowsRequest) => Promise<ListPage<View>>;
}

/** @param query answers the view. A run that ends leaves the view and its state. */
export const readsOf = <View extends object>(
  calls: Calls,
  resource: ResourceName,
  query: QueryDefinition<View>,
): ResourceReads<View> =>
  readsWith(calls, resource, query, ({ carried: _, ...view }: View & { carried?: unknown }) => view as View);

/** @param viewOf makes the view of the state that a run leaves. */
export const followedReads = <View, State extends object>(
  calls: Calls,
  resource: ProviderResource,
  query: QueryDefinition<View>,
  viewOf: (state: State) => View,
): ResourceReads<View> =>
  readsWith(calls, resource, query, ({ carried }: ResourceEnd<State>) => viewOf(upgrade(carried)));

const readsWith = <View, End>(
  calls: Calls,
  resource: ResourceName,
  query: QueryDefinition<View>,
  atEnd: (end: End) => View,
): ResourceReads<View> =>
  storedReads(
    calls,
    resource,
    oneAtATime((uid) => calls.read(workflowIdOf(resource, uid), query, atEnd)),
  );

export type FollowedGateway<View> = ResourceReads<View> & ResourceCommands;

/** All that a resource of the provider needs that has no commands of its own. */
export function followedGateway<View, State extends object>(
  calls: Calls,
  resource: ProviderResource,
  query: QueryDefinition<View>,
  viewOf: (state: State) => View,
): FollowedGateway<View> {
  const { lookUp, resolveAttention } = commandsOf(calls, resource);
  return { ...followedReads(calls, resource, query, viewOf), lookUp, resolveAttention };
}

/** @param fromWorkflow reads a resource without a current row. */
export const storedReads = <View>(
  { recorded }: Pick<Calls, 'recorded'>,
  resource: ResourceName,
  fromWorkflow: (uid: string) => Promise<View | undefined>,
): ResourceReads<View> => ({
  view: (uid) => recorded.view({ resource, uid }, () => fromWorkflow(uid)),
  list: (request) => recorded.list(resource, request),
});

/**
 * The existing resource, if it equals the request.
 * @param difference the JSON pointer of the first difference; empty for the whole body.
 * @param named the field that names the resource.
 * @throws ApiError `idempotency_conflict`
 */
export function sameOrRefused<View>(
  found: View,
  difference: string | undefined,
  what: string,
  named: 'uid' | 'id' = 'uid',
): View {
  if (difference === undefined) return found;
  const pointer = difference === '' ? `/${named}` : difference;
  const detail = `expected the value of the first request with this ${named}`;
  throw new ApiError('idempotency_conflict', `${what} already exists with different values.`, {
    errors: [{ pointer, detail }],
  });
}
