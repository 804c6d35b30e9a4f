// Starts, reads, lists and changes client workflows, and checks the place of a client in the hierarchy.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { claimBusiness } from '../../delivery/claim-business.js';
import { begin, clientStart } from '../../delivery/starts.js';
import type { ClientOrder } from '../../domain/client/request.schema.js';
import { CLIENT_STATES, isClientFinal, lineageOf, refusalsOfPlace } from '../../domain/client/lifecycle.js';
import type { LineageEntry, PlaceRefusal } from '../../domain/client/lifecycle.js';
import { firstDifference } from '../../domain/commands/differences.js';
import type { KeyUse } from '../../domain/commands/key-use.js';
import { AGREEMENTS } from '../../domain/agreement/lifecycle.js';
import { changeClient, clientWorkflowId, getClient } from '../../workflows/client/contract.js';
import type { ChangeRequest, ClientEnd, ClientInput, ClientView } from '../../workflows/client/contract.js';
import { ApiError } from '../http/problems/errors.js';
import type { RowsRequest } from '../../records/lists.js';
import { oneAtATime } from './temporal/calls.js';
import type { Calls } from './temporal/calls.js';
import { commanding, resourceCommands } from './temporal/commands.js';
import type { ResourceCommands } from './temporal/commands.js';
import { withKey } from './temporal/key-binding.js';
import type { ListPage } from './records.js';

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
  clients: ClientView[];
}

export interface ClientsGateway extends ResourceCommands {
  /** Starts a client, or returns it for a repeat. Refuses a different request with the same uid, key or business. */
  start: (requested: ClientStart) => Promise<ClientView>;
  view: (uid: string) => Promise<ClientView | undefined>;
  list: (request: RowsRequest) => Promise<ListPage<ClientView>>;
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
  const view = viewing(calls);
  const uidOf: ClientsGateway['uidOf'] = (clientId) =>
    calls.recorded.ask(({ clientUid }) => clientUid(clientId));
  const line = (clientId: string): Promise<LineageEntry[]> =>
    lineageOf(clientId, async (id) => {
      const uid = await uidOf(id);
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
    uidOf,
    placeOf,
    list: (request) => calls.recorded.list('client', request),
    beneath: (clientId) => beneathOf(calls, clientId),
    ...clientCommands(calls),
    start: async (requested) => {
      const connectionId = await connectionFor(requested.connection);
      const uid = requested.uidOn(connectionId);
      return withKey(calls, requested.use, 'client', async () => {
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
      });
    },
  };
}

function viewing(calls: Calls): ClientsGateway['view'] {
  const ofWorkflow = oneAtATime((uid) =>
    calls.read(clientWorkflowId(uid), getClient, ({ carried, ...left }: ClientEnd): ClientView => left),
  );
  return (uid) =>
    calls.recorded.view({ resource: 'client', uid, workflowId: clientWorkflowId(uid) }, () =>
      ofWorkflow(uid),
    );
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

/** At most this many clients below one are listed. */
const MOST_BENEATH = 100;

async function beneathOf({ recorded }: Calls, clientId: string): Promise<Beneath> {
  const states = { running: AGREEMENTS.live, gone: CLIENT_STATES.filter(isClientFinal) };
  const { clients, ...counts } = await recorded.ask(({ beneath }) => beneath(clientId, states, MOST_BENEATH));
  return { ...counts, clients: clients as ClientView[] };
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
