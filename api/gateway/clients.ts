// Starts, reads, lists and changes client workflows, and checks the place of a client in the hierarchy.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { IS_OPEN } from '../../delivery/open.js';
import { claimBusiness } from '../../delivery/claim-business.js';
import { begin, clientStart } from '../../delivery/starts.js';
import type { ClientOrder } from '../../domain/client/request.schema.js';
import { lineageOf, refusalsOfPlace } from '../../domain/client/lifecycle.js';
import type { LineageEntry, PlaceRefusal } from '../../domain/client/lifecycle.js';
import { firstDifference } from '../../domain/commands/differences.js';
import type { KeyUse } from '../../domain/commands/key-use.js';
import { UID } from '../../domain/provider/uid.js';
import { AGREEMENT_WORKFLOW } from '../../workflows/agreement/contract.js';
import {
  CLIENT_WORKFLOW,
  changeClient,
  clientWorkflowId,
  getClient,
} from '../../workflows/client/contract.js';
import type { ChangeRequest, ClientEnd, ClientInput, ClientView } from '../../workflows/client/contract.js';
import { ApiError } from '../http/problems/errors.js';
import type { ListQuery } from '../http/parameters.schema.js';
import { oneAtATime } from './temporal/calls.js';
import type { Calls } from './temporal/calls.js';
import { commanding, resourceCommands } from './temporal/commands.js';
import type { ResourceCommands } from './temporal/commands.js';
import { bindKey } from './temporal/key-binding.js';
import { LISTINGS, listRuns, listed, readingRuns } from './temporal/lists.js';
import type { ListPage, ListedClient } from './temporal/lists.js';

export interface ClientStart {
  /** The uid on the given connection. A uid derived from an Idempotency-Key depends on the connection. */
  uidOn: (connectionId: string) => string;
  /** Optional if there is only one connection. */
  connection: string | undefined;
  order: ClientOrder;
  /** The use of the caller's Idempotency-Key, if the request has a key besides the uid. */
  use?: KeyUse | undefined;
  /** How many client levels the provider has enabled. */
  depth: number;
  /** The principal that requests it. */
  by: string;
}

/** Agreements and clients that continue if a client is suspended. */
export interface Beneath {
  /** Running agreements that the client itself initiates. */
  own: number;
  /** Running agreements of the clients below it that we know. */
  agreements: number;
  /** Those clients, newest first. */
  clients: ListedClient[];
}

export interface ClientsGateway extends ResourceCommands {
  /** Starts a client, or returns it for a repeat. Refuses a different request with the same uid, key or business. */
  start: (requested: ClientStart) => Promise<ClientView>;
  view: (uid: string) => Promise<ClientView | undefined>;
  list: (query: ListQuery<ClientView['state']>) => Promise<ListPage<ListedClient>>;
  /** Running agreements of a client and of the clients below it. */
  beneath: (clientId: string) => Promise<Beneath>;
  /** Our uid of a client, by the provider's id. */
  uidOf: (clientId: string) => Promise<string | undefined>;
  /** The ancestors of a requested client, parent first, and the rules that forbid this place. */
  placeOf: (
    order: ClientOrder,
    depth: number,
    connectionId: string,
  ) => Promise<{ above: string[]; refusals: PlaceRefusal[] }>;
  /** Requests a change. A repeat changes nothing. */
  change: (uid: string, request: ChangeRequest) => Promise<void>;
}

export function createClientsGateway(
  calls: Calls,
  connectionFor: (id: string | undefined) => Promise<string>,
): ClientsGateway {
  const view = oneAtATime((uid) =>
    calls.read(clientWorkflowId(uid), getClient, ({ carried, ...left }: ClientEnd): ClientView => left),
  );
  const line = (clientId: string): Promise<LineageEntry[]> =>
    lineageOf(clientId, async (id) => {
      const uid = await uidOf(calls, id);
      return uid === undefined ? undefined : view(uid);
    });
  const placeOf: ClientsGateway['placeOf'] = async (order, depth, connectionId) => {
    const { parent_client_id: parent } = order;
    const above = parent === undefined ? [] : await line(parent);
    const refusals = refusalsOfPlace(order, { above, depth, connectionId });
    return { above: above.map(({ clientId }) => clientId), refusals };
  };
  return {
    view,
    uidOf: (clientId) => uidOf(calls, clientId),
    placeOf,
    list: (query) => listRuns(calls, LISTINGS.clients, query),
    beneath: (clientId) => beneathOf(calls, clientId),
    ...clientCommands(calls),
    start: async (requested) => {
      const connectionId = await connectionFor(requested.connection);
      const uid = requested.uidOn(connectionId);
      await bindKey(calls, requested.use, 'client');
      const found = await view(uid);
      if (found !== undefined) return sameOrRefused(found, requested);
      const { above, refusals } = await placeOf(requested.order, requested.depth, connectionId);
      if (refusals.length > 0) throw placeNotAllowed(refusals);
      const { order, by: requestedBy } = requested;
      await claim(calls, { uid, connectionId, order });
      try {
        return await startNew(calls, { uid, connectionId, order, above, requestedBy });
      } catch (error) {
        const started = error instanceof WorkflowExecutionAlreadyStartedError ? await view(uid) : undefined;
        if (started === undefined) throw error;
        return sameOrRefused(started, requested);
      }
    },
  };
}

const CLAIM_MS = 10_000;

/** @throws ApiError `business_already_registered` */
async function claim(calls: Calls, claimed: Parameters<typeof claimBusiness>[1]): Promise<void> {
  const owner = await calls.long(CLAIM_MS, () => claimBusiness(calls, claimed));
  if (owner === claimed.uid) return;
  const { australian_business_number: abn } = claimed.order;
  const pointer = abn === undefined ? '/australian_company_number' : '/australian_business_number';
  throw new ApiError(
    'business_already_registered',
    `Client /v1/clients/${owner} already registers this business. Use that client. If it is not found, repeat this request with its uid.`,
    { errors: [{ pointer, detail: `expected a business without a client; client ${owner} registers it` }] },
  );
}

async function startNew(calls: Calls, input: ClientInput & { above: string[] }): Promise<ClientView> {
  const { uid, connectionId, order, requestedBy } = input;
  const now = new Date();
  await calls.short(() => begin(calls, clientStart(input, now)));
  const since = now.toISOString();
  return {
    ...{ uid, connectionId, order, state: 'requested', stateSince: since, requestedAt: since, requestedBy },
    ...{ adopted: false, submissions: 0, changes: [], attention: [] },
    awaiting: { what: 'look-up', since },
  };
}

/** @throws ApiError `idempotency_conflict` */
function sameOrRefused(found: ClientView, { connection, order }: ClientStart): ClientView {
  const isElsewhere = connection !== undefined && connection !== found.connectionId;
  const pointer = isElsewhere ? '/connection' : firstDifference(order, found.order);
  if (pointer === undefined) return found;
  const detail = 'expected the value of the first request with this uid';
  throw new ApiError('idempotency_conflict', `Client ${found.uid} already exists with different values.`, {
    errors: [{ pointer: pointer === '' ? '/uid' : pointer, detail }],
  });
}

const placeNotAllowed = (errors: PlaceRefusal[]): ApiError =>
  new ApiError('parent_not_allowed', 'The client cannot be registered under this parent. See `errors`.', {
    errors,
  });

/** Our uid of the client. If several runs match, the newest counts. */
async function uidOf(calls: Calls, clientId: string): Promise<string | undefined> {
  // Any other form could break out of the quotes, and no search attribute of ours has it.
  if (!UID.test(clientId)) return undefined;
  const { runs } = await readingRuns(calls, CLIENT_WORKFLOW)([`ClientId = '${clientId}'`], 1, '');
  return runs[0]?.workflowId.slice(clientWorkflowId('').length);
}

/** At most this many clients below one are listed and have their agreements counted. */
const MOST_BENEATH = 100;

async function beneathOf(calls: Calls, clientId: string): Promise<Beneath> {
  if (!UID.test(clientId)) return { own: 0, agreements: 0, clients: [] };
  const read = readingRuns(calls, CLIENT_WORKFLOW);
  const { runs } = await read([`ClientsAbove = '${clientId}'`, IS_OPEN], MOST_BENEATH, '');
  const clients = runs.map(({ workflowId, fields }) => listed(LISTINGS.clients, workflowId, fields));
  const ids = clients.flatMap((one) =>
    one.clientId !== undefined && UID.test(one.clientId) ? [one.clientId] : [],
  );
  return { own: await runningOf(calls, [clientId]), agreements: await runningOf(calls, ids), clients };
}

/** The number of running agreements that these clients initiate. */
async function runningOf({ client, short }: Calls, clientIds: readonly string[]): Promise<number> {
  if (clientIds.length === 0) return 0;
  const named = clientIds.map((id) => `'${id}'`).join(', ');
  const query = `WorkflowType = '${AGREEMENT_WORKFLOW}' AND ${IS_OPEN} AND ClientId IN (${named})`;
  return (await short(() => client.workflow.count(query))).count;
}

function clientCommands(calls: Calls): ResourceCommands & Pick<ClientsGateway, 'change'> {
  const kind = {
    workflowId: clientWorkflowId,
    what: 'a client',
    otherwise: 'client_final',
  } as const;
  const command = commanding(calls, kind);
  return {
    change: async (uid, request) => {
      const ended = await command(uid, changeClient.name, request, (handle, as) =>
        handle.executeUpdate(changeClient, { args: [request], ...as }),
      );
      if (ended !== undefined) throw over();
    },
    ...resourceCommands(calls, kind, command, over),
  };
}

const over = (): ApiError =>
  new ApiError('client_final', 'This client ended unregistered and accepts no more commands.');
