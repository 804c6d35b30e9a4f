// The life of a client (docs/provider.md#clients): the status of its PayTo service, and where it stands in the hierarchy. Pure. Three
// states are ours: `requested`, the provider has not answered yet; `failed`, it refused to register it; `unresolved`, an operator gave up
// asking whether it has. No event is published of it: what moves it is a snapshot, in either direction.
import { differences } from '../commands/differences.js';
import type { ClientOrder, ClientParticulars } from './request.schema.js';
import type { Lifecycle } from '../facts/fold.js';

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

/** How far a change of its particulars has come. */
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
  isSilent: true,
  needsLookUp: new Set(),
  still: new Set(['attention_resolved']),
  // Among those of one rank the provider may go back: a client that was suspended is active again.
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

/** Whether it never came to be, as far as is known. What is off-boarded is followed: no document says that there is no way back. */
export const isClientFinal = (state: ClientLifecycleState): boolean =>
  state === 'failed' || state === 'unresolved';

const DECIDED: ReadonlySet<string> = new Set<ClientLifecycleState>(['active', 'suspended', 'off_boarded']);

/** Whether the provider has decided on its service, as far as this release knows. */
export const isDecidedService = (state: string): boolean => DECIDED.has(state);

/** Capitals and doubled spaces are no other name. */
const plain = (name: string | null | undefined): string =>
  (name ?? '').trim().replaceAll(/\s+/g, ' ').toLowerCase();

/** Whether a client at the provider is of the requested business: by ABN, else by ACN, and by legal name where it has neither. */
export function isOfBusiness(order: ClientOrder, found: ClientParticulars): boolean {
  const { australian_business_number: abn, australian_company_number: acn } = order;
  if (abn !== undefined) return abn === found.australian_business_number;
  if (acn !== undefined) return acn === found.australian_company_number;
  return plain(order.legal_name) === plain(found.legal_name) && found.australian_company_number == null;
}

/**
 * The paths at which a client differs from what was requested, as far as the provider says. Services are not compared: they come and go.
 * @param isParentFollowed its parent is followed here, so the parent is not the primary client.
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

/** The provider may name the primary client as the parent where we requested none. Older versions name no parent. */
function isOtherParent(
  requested: string | undefined,
  found: string | null | undefined,
  isFollowed: boolean,
): boolean {
  if (found === undefined) return false;
  return requested === undefined ? found !== null && isFollowed : found !== requested;
}

/** A client as it is stored here. */
export interface FoundClient {
  uid: string;
  state: ClientLifecycleState | 'unknown';
  connectionId?: string | undefined;
  order: ClientOrder;
  particulars?: ClientParticulars | undefined;
}

/** A client in the hierarchy by the provider's id. */
export interface LineageEntry {
  clientId: string;
  /** Undefined where it is not followed here. */
  found: FoundClient | undefined;
}

/** More levels than any organisation has. */
const MOST_LEVELS = 10;

/**
 * The client of that id and those above it, up to the primary client, which is no part of it. The line ends early at a client that is
 * not followed here, as nothing says who is above it.
 */
export async function lineageOf(
  clientId: string,
  view: (clientId: string) => Promise<FoundClient | undefined>,
): Promise<LineageEntry[]> {
  const line: LineageEntry[] = [];
  for (let id: string | undefined = clientId; id !== undefined && line.length < MOST_LEVELS;) {
    const found: FoundClient | undefined = await view(id);
    // A client that was ordered without a parent is beneath the primary client, whose id no call answers.
    const below = line.at(-1)?.found;
    if (found === undefined && below !== undefined && below.order.parent_client_id === undefined) break;
    line.push({ clientId: id, found });
    id = found?.particulars?.parent_client_id ?? found?.order.parent_client_id;
  }
  return line;
}

/** The primary client is on the first level, and a client without a parent on the second. */
const FIRST_BENEATH = 2;

/** The provider offers no other service below this level (docs/provider.md#clients). */
const LAST_WITH_ALL_SERVICES = 2;

export interface PlaceRefusal {
  pointer: '/parent_client_id' | '/services';
  detail: string;
}

/** The position in the hierarchy at which a client registers. */
export interface Place {
  /** Its parent first, then those above that one. */
  above: readonly LineageEntry[];
  /** How many levels are enabled, the primary client's included. */
  depth: number;
  connectionId: string;
}

/** Every reason why a client may not be registered there. */
export function refusalsOfPlace({ services }: Pick<ClientOrder, 'services'>, place: Place): PlaceRefusal[] {
  const refusals: PlaceRefusal[] = [];
  const misplaced = refusalBeneath(place);
  if (misplaced !== undefined) refusals.push({ pointer: '/parent_client_id', detail: misplaced });
  const level = FIRST_BENEATH + place.above.length;
  if (level > LAST_WITH_ALL_SERVICES && services.some((service) => service !== 'payto')) {
    const detail = `expected payto alone: below level ${LAST_WITH_ALL_SERVICES} the provider offers no other service`;
    refusals.push({ pointer: '/services', detail });
  }
  return refusals;
}

function refusalBeneath({ above, depth, connectionId }: Place): string | undefined {
  const [parent] = above;
  if (parent === undefined) return undefined;
  if (parent.found === undefined)
    return 'expected a parent that is followed here: GET /v1/clients lists them. Leave it out for a client beneath the primary client';
  const { connectionId: parents = connectionId } = parent.found;
  if (parents !== connectionId)
    return `expected a parent on connection ${connectionId}; this one is on ${parents}`;
  const level = FIRST_BENEATH + above.length;
  if (level > depth)
    return `expected a parent on a level above ${depth}, as ${depth} levels are enabled (CLIENT_DEPTH); beneath this one it would stand on level ${level}`;
  const stopping = above.find(stopsBeneath);
  return stopping && `expected a parent that is not suspended or off-boarded; ${inWords(stopping)}`;
}

const stopsBeneath = ({ found }: LineageEntry): boolean =>
  found?.state === 'suspended' || found?.state === 'off_boarded';

const inWords = ({ clientId, found }: LineageEntry): string =>
  `client ${clientId} (/v1/clients/${found?.uid}) is ${found?.state}`;

/**
 * Why the PayTo service of a client, or of one above it, lets it initiate no agreement.
 * @param line the client itself, then those above it.
 */
export function refusalToInitiate(line: readonly LineageEntry[]): string | undefined {
  const [itself, ...above] = line;
  if (itself?.found === undefined || itself.found.state === 'unknown') return undefined;
  const { uid, state } = itself.found;
  if (state === 'not_configured')
    return `expected a client with the PayTo service; client /v1/clients/${uid} has none: ask the provider to configure it, as its API adds none to a client that exists (ZCLT05)`;
  if (state !== 'active') return `expected a client whose PayTo service is active; ${inWords(itself)}`;
  const stopping = above.find(stopsBeneath);
  return (
    stopping &&
    `expected a client with none suspended or off-boarded above it; ${inWords(stopping)}, and stops new agreements of all beneath it`
  );
}
