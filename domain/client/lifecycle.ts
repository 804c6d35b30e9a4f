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

/** A client in the hierarchy, as far as it is known here. */
export interface LineageEntry {
  uid: string;
  clientId: string;
  state: ClientLifecycleState | 'unknown';
}

/** What is known of a client here, for its place in the hierarchy. */
interface FoundClient extends Omit<LineageEntry, 'clientId'> {
  order: Pick<ClientOrder, 'parent_client_id'>;
  particulars?: Pick<ClientParticulars, 'parent_client_id'> | undefined;
}

/** More levels than any organisation has. */
const MOST_LEVELS = 10;

/** The client of that id at the provider and those above it, as far up as they are known. */
export async function lineageOf(
  clientId: string,
  view: (clientId: string) => Promise<FoundClient | undefined>,
): Promise<LineageEntry[]> {
  const line: LineageEntry[] = [];
  for (let id: string | null | undefined = clientId; id != null && line.length < MOST_LEVELS;) {
    const found: FoundClient | undefined = await view(id);
    if (found === undefined) break;
    line.push({ uid: found.uid, clientId: id, state: found.state });
    id = found.particulars?.parent_client_id ?? found.order.parent_client_id;
  }
  return line;
}

/** The primary client stands on the first level, and what names no parent right beneath it. */
const FIRST_BENEATH = 2;

/**
 * Why a client may not be registered there; nothing where it may be, or where that is the provider's to say.
 * @param above its parent first, as far up as known here. @param depth how many levels are enabled.
 */
export function refusalBeneath(above: readonly LineageEntry[], depth: number): string | undefined {
  const [parent] = above;
  if (parent === undefined) return undefined;
  const level = FIRST_BENEATH + above.length;
  if (level > depth)
    return `expected a parent on a level above ${depth}, as ${depth} levels are enabled (CLIENT_DEPTH); beneath this one it would stand on level ${level}`;
  const stopping = above.find(({ state }) => stopsBeneath(state));
  return stopping && `expected a parent that is not suspended or off-boarded; ${inWords(stopping)}`;
}

const stopsBeneath = (state: LineageEntry['state']): boolean =>
  state === 'suspended' || state === 'off_boarded';

const inWords = ({ uid, clientId, state }: LineageEntry): string =>
  `client ${clientId} (/v1/clients/${uid}) is ${state}`;

/**
 * Why a client may initiate no agreement; nothing where it may, or where that is the provider's to say.
 * @param line the client itself, then those above it, as far up as known here.
 */
export function refusalToInitiate(line: readonly LineageEntry[]): string | undefined {
  const [itself, ...above] = line;
  if (itself === undefined || itself.state === 'unknown') return undefined;
  if (itself.state === 'not_configured')
    return `expected a client with the PayTo service; client /v1/clients/${itself.uid} has none: ask the provider to configure it, as its API adds none to a client that exists (ZCLT05)`;
  if (itself.state !== 'active') return `expected a client whose PayTo service is active; ${inWords(itself)}`;
  const stopping = above.find(({ state }) => stopsBeneath(state));
  return (
    stopping &&
    `expected a client with none suspended or off-boarded above it; ${inWords(stopping)}, and stops new agreements of all beneath it`
  );
}
