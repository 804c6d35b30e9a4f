// What the API asks of client workflows: start, read, list, change, and what stands in the way of one that initiates an agreement.
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
  /** Of the connection that it turns out to be on: a uid that is derived from a key belongs to it. */
  uidOn: (connectionId: string) => string;
  /** Left out, the only connection is meant. */
  connection: string | undefined;
  order: ClientOrder;
  /** The caller's key, where there was one beside the uid. */
  use?: KeyUse | undefined;
  /** How many levels of clients are enabled. */
  depth: number;
  /** The principal that asks for it. */
  by: string;
}

/** What a suspension would leave running. */
export interface Beneath {
  /** Agreements that the client itself initiates. */
  own: number;
  /** Those of all clients beneath it that are known here, and these clients, the newest first. */
  agreements: number;
  clients: ListedClient[];
}

export interface ClientsGateway extends ResourceCommands {
  /** Starts it, or finds that this very client was requested before. Refuses another one under the same uid, with the same key, or of the same business. */
  start: (requested: ClientStart) => Promise<ClientView>;
  view: (uid: string) => Promise<ClientView | undefined>;
  list: (query: ListQuery<ClientView['state']>) => Promise<ListPage<ListedClient>>;
  /** What runs of a client and beneath it. */
  beneath: (clientId: string) => Promise<Beneath>;
  /** Under which uid a client is followed here, by the provider's id of it. */
  uidOf: (clientId: string) => Promise<string | undefined>;
  /** Which clients would stand above one of this order, its parent first; and why it may not stand there. */
  placeOf: (
    order: ClientOrder,
    depth: number,
    connectionId: string,
  ) => Promise<{ above: string[]; refusals: PlaceRefusal[] }>;
  /** Asks for a change, or finds that this very change was asked for before. */
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
    `Client /v1/clients/${owner} registers this business. Use that client, or repeat this request with its uid where it is not found.`,
    { errors: [{ pointer, detail: `expected a business of no other client; client ${owner} owns it` }] },
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
  const detail = 'expected what the client with this uid was asked for with';
  throw new ApiError('idempotency_conflict', `Client ${found.uid} exists already, with other particulars.`, {
    errors: [{ pointer: pointer === '' ? '/uid' : pointer, detail }],
  });
}

const placeNotAllowed = (errors: PlaceRefusal[]): ApiError =>
  new ApiError('parent_not_allowed', 'Expected a parent beneath which this client may be registered.', {
    errors,
  });

/** Under which uid it is followed here; the newest, should there be several. */
async function uidOf(calls: Calls, clientId: string): Promise<string | undefined> {
  // What is of another form could end its quotes, and none of our search attributes has it.
  if (!UID.test(clientId)) return undefined;
  const { runs } = await readingRuns(calls, CLIENT_WORKFLOW)([`ClientId = '${clientId}'`], 1, '');
  return runs[0]?.workflowId.slice(clientWorkflowId('').length);
}

/** So many clients beneath one are named and counted under. */
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

/** How many agreements run that one of these clients initiates. */
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
  new ApiError('client_final', 'This client never came to be; nothing can be asked of it.');
