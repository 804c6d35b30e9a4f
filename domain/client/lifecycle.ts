// The states of a client (docs/provider.md#clients), mostly those of its PayTo service, and its place in the hierarchy. Pure. Three states are ours.
// `requested`: the provider has not answered. `failed`: it refused the registration. `unresolved`: an operator gave up, and the outcome is
// unknown. The provider publishes no events about clients, so only snapshots move the state, in either direction.
import { differences } from '../commands/differences.js';
import type { ClientOrder, ClientParticulars } from './request.schema.js';
import type { Lifecycle } from '../facts/fold.js';
import type { ResourceSnapshot } from '../facts/snapshot.js';

export const CLIENT_STATES = [
  'requested',
  'not_configured',
  'pending',
  'active',
  'suspended',
  'off_boarded',
  'failed',
  'unresolved',
] as const;
export type ClientLifecycleState = (typeof CLIENT_STATES)[number];

/** The progress of a change of a client's details. */
export const CHANGE_STAGES = ['due', 'accepted', 'refused'] as const;
export type ChangeStage = (typeof CHANGE_STAGES)[number];

export const CLIENT_LIFECYCLE: Lifecycle<ClientLifecycleState> = {
  moves: {
    requested: { refused: 'failed', unresolved: 'unresolved' },
    not_configured: {},
    pending: {},
    active: {},
    suspended: {},
    off_boarded: {},
    failed: {},
    unresolved: {},
  },
  needsLookUp: new Set(),
  still: new Set(['attention_resolved']),
  // Within one rank the state may move back: a suspended client can become active again.
  rank: {
    requested: 0,
    not_configured: 1,
    pending: 1,
    active: 1,
    suspended: 1,
    off_boarded: 1,
    failed: 1,
    unresolved: 1,
  },
  finalRank: 2,
};

/** Whether the client was never registered, as far as we know. We still follow an off-boarded client: the documents do not rule out a return. */
export const isClientFinal = (state: ClientLifecycleState): boolean =>
  state === 'failed' || state === 'unresolved';

const DECIDED: ReadonlySet<string> = new Set<ClientLifecycleState>(['active', 'suspended', 'off_boarded']);

/** Whether the provider has decided on the service, as far as this release knows. */
export const isDecidedService = (state: string): boolean => DECIDED.has(state);

/** Case and repeated spaces do not make a different name. */
const plain = (name: string | null | undefined): string =>
  (name ?? '').trim().replaceAll(/\s+/g, ' ').toLowerCase();

/** Whether a client at the provider is the requested business: by ABN, else by ACN, else by legal name. */
export function isOfBusiness(order: ClientOrder, found: ClientParticulars): boolean {
  const { australian_business_number: abn, australian_company_number: acn } = order;
  if (abn !== undefined) return abn === found.australian_business_number;
  if (acn !== undefined) return acn === found.australian_company_number;
  return plain(order.legal_name) === plain(found.legal_name) && found.australian_company_number == null;
}

/**
 * The paths at which a client differs from the request, as far as the provider shows them. Services are not compared, because they change.
 * @param isParentFollowed the parent is followed here, so it is not the primary client.
 */
export function clientDifferences(
  order: ClientOrder,
  found: ClientParticulars,
  isParentFollowed: boolean,
): string[] {
  const { services: _, legal_name: name, parent_client_id: parent, ...requested } = order;
  const isRenamed = found.legal_name != null && plain(found.legal_name) !== plain(name);
  const isElsewhere = isOtherParent(parent, found.parent_client_id, isParentFollowed);
  return [
    ...(isRenamed ? ['/legal_name'] : []),
    ...differences(requested, found),
    ...(isElsewhere ? ['/parent_client_id'] : []),
  ];
}

/** The provider may show the primary client as the parent if we requested none. Older versions show no parent. */
function isOtherParent(
  requested: string | undefined,
  found: string | null | undefined,
  isFollowed: boolean,
): boolean {
  if (found === undefined) return false;
  return requested === undefined ? found !== null && isFollowed : found !== requested;
}

/** A client as stored here. */
export interface FoundClient {
  uid: string;
  state: ClientLifecycleState | 'unknown';
  connectionId?: string | undefined;
  order: ClientOrder;
  particulars?: ClientParticulars | undefined;
}

/** A client in the hierarchy, by the provider's id. */
export interface LineageEntry {
  clientId: string;
  /** Undefined if it is not followed here. */
  found: FoundClient | undefined;
}

/** More levels than any organisation has. */
const MOST_LEVELS = 10;

/**
 * The client with this id and those above it, without the primary client. The line ends early at a client that is not followed here,
 * because its parent is unknown.
 */
export async function lineageOf(
  clientId: string,
  view: (clientId: string) => Promise<FoundClient | undefined>,
): Promise<LineageEntry[]> {
  const line: LineageEntry[] = [];
  for (let id: string | undefined = clientId; id !== undefined && line.length < MOST_LEVELS;) {
    const found: FoundClient | undefined = await view(id);
    // A client without a requested parent is directly beneath the primary client, whose id no call returns.
    const below = line.at(-1)?.found;
    if (found === undefined && below !== undefined && below.order.parent_client_id === undefined) break;
    line.push({ clientId: id, found });
    id = found?.particulars?.parent_client_id ?? found?.order.parent_client_id;
  }
  return line;
}

/** The primary client is on level 1, and a client without a parent on level 2. */
const FIRST_BENEATH = 2;

/** Below this level the provider offers PayTo only (docs/provider.md#clients). */
const LAST_WITH_ALL_SERVICES = 2;

export interface PlaceRefusal {
  pointer: '/parent_client_id' | '/services';
  detail: string;
}

export interface Place {
  /** The parent first, then the clients above it. */
  above: readonly LineageEntry[];
  /** The number of enabled levels, including the primary client's. */
  depth: number;
  connectionId: string;
}

/** Every reason to refuse a registration in this place of the hierarchy. */
export function refusalsOfPlace({ services }: Pick<ClientOrder, 'services'>, place: Place): PlaceRefusal[] {
  const refusals: PlaceRefusal[] = [];
  const misplaced = refusalBeneath(place);
  if (misplaced !== undefined) refusals.push({ pointer: '/parent_client_id', detail: misplaced });
  const [parent] = place.above;
  if (parent !== undefined && isElsewhere(parent, place.connectionId)) return refusals;
  const level = FIRST_BENEATH + place.above.length;
  if (level > LAST_WITH_ALL_SERVICES && services.some((service) => service !== 'payto')) {
    const detail = `expected only payto: the provider offers no other service below level ${LAST_WITH_ALL_SERVICES}`;
    refusals.push({ pointer: '/services', detail });
  }
  return refusals;
}

/** Whether the client is unknown or on another connection. Both get the same refusal, because the caller's key may be bound. */
const isElsewhere = ({ found }: LineageEntry, connectionId: string): boolean =>
  found === undefined || (found.connectionId ?? connectionId) !== connectionId;

function refusalBeneath({ above, depth, connectionId }: Place): string | undefined {
  const [parent] = above;
  if (parent === undefined) return undefined;
  if (isElsewhere(parent, connectionId))
    return `expected a parent of connection ${connectionId} that is followed here: GET /v1/clients lists them. Omit parent_client_id to place the client beneath the primary client`;
  const level = FIRST_BENEATH + above.length;
  if (level > depth)
    return `expected a parent above level ${depth}: ${depth} levels are enabled (CLIENT_DEPTH), and this client would be on level ${level}`;
  const stopping = above.find(stopsBeneath);
  return stopping && `expected a parent that is not suspended or off-boarded; ${inWords(stopping)}`;
}

const stopsBeneath = ({ found }: LineageEntry): boolean =>
  found?.state === 'suspended' || found?.state === 'off_boarded';

const inWords = ({ clientId, found }: LineageEntry): string =>
  `client ${clientId} (/v1/clients/${found?.uid}) is ${found?.state}`;

/**
 * Why a client may not initiate agreements, by its PayTo service and those of the clients above it.
 * @param line the client, then those above it.
 */
export function refusalToInitiate(line: readonly LineageEntry[]): string | undefined {
  const [itself, ...above] = line;
  if (itself?.found === undefined || itself.found.state === 'unknown') return undefined;
  const { uid, state } = itself.found;
  if (state === 'not_configured')
    return `expected a client with the PayTo service; client /v1/clients/${uid} has none. Ask the provider to configure it: the API cannot add a service to an existing client (ZCLT05)`;
  if (state !== 'active') return `expected a client whose PayTo service is active; ${inWords(itself)}`;
  const stopping = above.find(stopsBeneath);
  return (
    stopping &&
    `expected no suspended or off-boarded client above this one; ${inWords(stopping)}, which blocks new agreements of every client beneath it`
  );
}

export interface ClientSnapshot extends ResourceSnapshot {
  /** The provider's id. */
  clientId: string;
  particulars: ClientParticulars;
  /** If we searched by business: the ids of all matching clients. This snapshot shows the first one. */
  fits?: string[] | undefined;
  /** The parent is a client that is followed here. */
  isParentFollowed?: boolean | undefined;
}
