// Starts, reads, lists and changes client workflows, and checks the place of a client in the hierarchy.
import { claimBusiness } from '../../delivery/claim-business.js';
import { clientStart } from '../../delivery/starts.js';
import type { ClientOrder } from '../../domain/client/request.schema.js';
import {
  CLIENT_STATES,
  isClientFinal,
  lineageOf,
  refusalsOfPlace,
  type LineageEntry,
  type PlaceRefusal,
} from '../../domain/client/lifecycle.js';
import { firstDifference } from '../../domain/commands/differences.js';
import type { KeyUse } from '../../domain/commands/key-use.js';
import { AGREEMENTS } from '../../domain/agreement/lifecycle.js';
import {
  changeClient,
  getClient,
  type ChangeRequest,
  type ClientView,
} from '../../workflows/client/contract.js';
import { firstView, viewOf } from '../../workflows/client/view.js';
import { requestedByCaller, type Caller } from '../http/caller.js';
import { ApiError, found } from '../http/problems/errors.js';
import type { RecordMemory } from '../../domain/records/remembered.js';
import type { ConnectionChoice } from './connection-choice.js';
import { noneIfAway } from './records.js';
import { followedGateway, sameOrRefused, type FollowedGateway } from './resource.js';
import type { Calls } from './temporal/calls.js';
import { commandsOf } from './temporal/commands.js';
import { withKey } from './temporal/key-binding.js';
import { startNew } from './temporal/start.js';
import { ANSWER_MS } from './temporal/updates.js';

interface ClientStart {
  /** The uid on the given connection. A uid derived from an Idempotency-Key depends on the connection. */
  uidOn: (connectionId: string) => string;
  /** Optional if there is only one connection. */
  connection: string | undefined;
  order: ClientOrder;
  /** The use of the caller's Idempotency-Key, if the request has a key besides the uid. */
  use?: KeyUse | undefined;
  /** How many client levels the provider has enabled. */
  depth: number;
  /** Who requests it. */
  caller: Caller;
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

export interface ClientsGateway extends FollowedGateway<ClientView> {
  /** Starts a client, or returns it for a repeat. Refuses a different request with the same uid, key or business. */
  start: (requested: ClientStart) => Promise<ClientView>;
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

export function createClientsGateway(calls: Calls, choose: ConnectionChoice['choose']): ClientsGateway {
  const followed = followedGateway(calls, 'client', getClient, viewOf);
  const { view } = followed;
  const { once, assertOpen } = commandsOf(calls, 'client');
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
    ...{ ...followed, uidOf, placeOf },
    beneath: (clientId) => beneathOf(calls, clientId),
    change: async (uid, request) => assertOpen(await once(uid, changeClient, request, request.use)),
    start: async (requested) => {
      const connectionId = await choose(requested.connection);
      const uid = requested.uidOn(connectionId);
      const { row, isUnchecked } = await calls.recorded.before({ resource: 'client', uid });
      return withKey(calls, requested.use, 'client', async () => {
        const existing =
          row === undefined ? await view(uid).catch(noneIfAway) : found(await view(uid), 'a client');
        if (existing !== undefined) return asRequested(existing, requested);
        const { above, refusals } = await placeOf(requested.order, requested.depth, connectionId);
        if (refusals.length > 0) throw placeNotAllowed(refusals);
        const { order, caller } = requested;
        await claim(calls, { uid, connectionId, order });
        const input = { uid, connectionId, order, above, requestedBy: caller.principal, isUnchecked };
        const started = await startNew(calls, input, clientStart, firstView);
        return started ?? asRequested(found(await view(uid), 'a client'), requested);
      });
    },
  };
}

/** @throws ApiError `business_already_registered` */
async function claim(calls: Calls, claimed: Parameters<typeof claimBusiness>[1]): Promise<void> {
  // While the records are away, an owner that Temporal has forgotten keeps its business.
  const owners: RecordMemory = {
    remembered: (resource, uid) =>
      calls.recorded.ask(({ remembered }) => remembered(resource, uid)).catch(noneIfAway),
  };
  const owner = await calls.long(ANSWER_MS, () => claimBusiness(calls, claimed, owners));
  if (owner === claimed.uid) return;
  const { australian_business_number: abn } = claimed.order;
  const pointer = abn === undefined ? '/australian_company_number' : '/australian_business_number';
  throw new ApiError(
    'business_already_registered',
    `Client /v1/clients/${owner} already registers this business. Use that client. If it is not found, repeat this request with its uid.`,
    { errors: [{ pointer, detail: `expected a business without a client; client ${owner} registers it` }] },
  );
}

/** @throws ApiError `idempotency_conflict` */
function asRequested(found: ClientView, { connection, order, caller }: ClientStart): ClientView {
  requestedByCaller(found, caller);
  const isElsewhere = connection !== undefined && connection !== found.connectionId;
  const pointer = isElsewhere ? '/connection' : firstDifference(order, found.order);
  return sameOrRefused(found, pointer, `Client ${found.uid}`);
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
