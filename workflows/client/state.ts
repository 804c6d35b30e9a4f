// The state of a client, and how snapshots, callers and operators change it. Plain JSON and pure. The provider does not accept our uid for
// a client. So the client is looked for by its business before it is sent, and after each submission with an unknown outcome.
import {
  clientDifferences,
  type ChangeStage,
  type ClientLifecycleState,
  type ClientSnapshot,
} from '../../domain/client/lifecycle.js';
import { applyUse, repeatOfUse, type KeyUse } from '../../domain/commands/key-use.js';
import * as entity from '../resource/attention.js';
import * as followed from '../resource/state.js';
import { markOpen, park, restartSearch } from '../resource/submission/state.js';
import { reportingTo, type Reporting } from '../resource/reports.js';
import type { ClientChanges, ClientOrder, ClientParticulars } from '../../domain/client/request.schema.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { AttentionResolution, Decision } from '../../domain/attention/resolution.js';
import type { Fetched, Refusal } from '../../domain/facts/snapshot.js';

export interface ClientOrderRequest {
  uid: string;
  connectionId: string;
  /** The client to register. */
  order: ClientOrder;
  /** The provider's ids of the clients above it, its parent first, as far as we know them. */
  above?: string[] | undefined;
  requestedBy?: string | undefined;
  /** The id of the onboarding workflow that waits for it. */
  reportTo?: string | undefined;
}

/** A change of a client. Its key makes it idempotent. */
export interface ChangeRequest {
  changes: ClientChanges;
  use: KeyUse;
}

/** A requested change. It states the desired values, so a repeat changes nothing. */
export interface Change extends Pick<ChangeRequest, 'changes'> {
  /** Digest of the caller's key. */
  key: string;
  stage: ChangeStage;
  requestedAt: Instant;
  endedAt?: Instant | undefined;
  failure?: Refusal | undefined;
}

export interface ClientState extends followed.ResourceState<ClientLifecycleState>, Reporting {
  order: ClientOrder;
  /** The provider's ids of the clients above it, its parent first, as far as known at the request. */
  above: string[];
  requestedAt: Instant;
  requestedBy?: string | undefined;
  /** The client's details in the latest snapshot. */
  particulars?: ClientParticulars | undefined;
  /** A search before the first submission found no matching client. */
  isSearched?: true | undefined;
  adopted?: true | undefined;
  /** Only if parked: the provider's ids of the clients that may be ours. */
  candidates?: string[] | undefined;
  failure?: Refusal | undefined;
  changes: Change[];
}

/** Older changes are dropped: a repeat after this many newer changes counts as a new change. */
const MAX_CHANGES = 20;

export function newClient(
  { uid, connectionId, order, above, requestedBy, reportTo }: ClientOrderRequest,
  now: Instant,
): ClientState {
  const base = followed.newResourceState<ClientLifecycleState>(
    { uid, connectionId, start: 'requested' },
    now,
  );
  const { parent_client_id: parent } = order;
  return {
    ...base,
    ...reportingTo(reportTo),
    // Its business is searched for first.
    awaiting: { what: 'look-up', since: now },
    order,
    above: above ?? (parent === undefined ? [] : [parent]),
    requestedAt: now,
    requestedBy,
    changes: [],
  };
}

/** A client that was found by its business may belong to someone else. A client that was read by its id is ours. */
export function differencesIn({ order }: ClientState, { snapshot }: Fetched<ClientSnapshot>): string[] {
  const { fits, particulars, isParentFollowed = false } = snapshot;
  if (fits === undefined) return [];
  return fits.length > 1 ? ['/legal_name'] : clientDifferences(order, particulars, isParentFollowed);
}

/** The match may be another client or an older registration of the business. A second one must not be created, so an operator decides. */
export function parkCandidates(
  state: ClientState,
  now: Instant,
  paths: string[],
  { snapshot: { fits = [] } }: Fetched<ClientSnapshot>,
): ClientState {
  const met =
    fits.length > 1
      ? `${fits.length} clients of this business: ${fits.join(', ')}`
      : `client ${fits.join()} of this business, which differs in ${paths.join(', ')}`;
  return park({ ...state, candidates: fits }, now, 'difference', {
    detail: `The provider has ${met}.`,
    next: 'Compare them at the provider, then resolve this flag. `adopt` with the `client_id` of our client follows that client. `close` gives up this request. Until then nothing is registered.',
  });
}

export const applySnapshot = (state: ClientState, { snapshot }: Fetched<ClientSnapshot>): ClientState => ({
  ...state,
  providerId: state.providerId ?? snapshot.clientId,
  particulars: snapshot.particulars,
  adopted: state.adopted ?? (snapshot.fits !== undefined && state.submission.count === 0 ? true : undefined),
});

const applyOwnEnd: typeof entity.applyEnd<ClientState> = (state, now, end, reason) =>
  entity.applyEnd({ ...state, failure: reason }, now, end, reason);

/** The provider refused the registration. */
export const applyRefusal = (state: ClientState, now: Instant, reason: Refusal): ClientState =>
  applyOwnEnd(state, now, { verb: 'submit', type: 'refused', causedBy: 'provider' }, reason);

/** A repeat changes nothing. Expects a resolution that passed `validateResolution`. */
export const resolveFlag = (state: ClientState, resolution: AttentionResolution, now: Instant): ClientState =>
  entity.resolveFlag(state, resolution, now, (before, decision) =>
    applyDecision(before, decision, now, resolution.clientId),
  );

/** The client that `adopt` means: the named one, or the only candidate. */
export const adoptedId = (
  { candidates = [] }: ClientState,
  clientId: string | undefined,
): string | undefined =>
  clientId === undefined && candidates.length === 1
    ? candidates[0]
    : candidates.find((one) => one === clientId);

function applyDecision(
  state: ClientState,
  decision: Decision,
  now: Instant,
  clientId: string | undefined,
): ClientState {
  const isDifference = state.submission.parkedFor === 'difference';
  if (decision === 'adopt') {
    if (!isDifference) return restartSearch(state, now);
    const providerId = adoptedId(state, clientId);
    return { ...markOpen(state), providerId, candidates: undefined, adopted: true, isLookUpDue: true };
  }
  return markOpen(
    isDifference && state.submission.count === 0
      ? applyOwnEnd(state, now, { verb: 'close', type: 'refused', causedBy: 'initiator' }, CLOSED)
      : applyOwnEnd(state, now, { verb: 'give-up', type: 'unresolved', causedBy: 'initiator' }, UNRESOLVED),
  );
}

const CLOSED: Refusal = {
  code: 'closed',
  title: 'Given up by an operator: the provider already has a client of this business.',
  next: 'Once you know which client is right, request it again under another uid.',
};
const UNRESOLVED: Refusal = {
  code: 'unresolved',
  title: 'Given up by an operator: the provider may or may not have registered it.',
  next: 'Check at the provider whether the client exists before you request it again under another uid. That request adopts an existing client.',
};

/** A repeat changes nothing. Expects a change that passed the validator. */
export function applyChange(state: ClientState, { changes, use }: ChangeRequest, now: Instant): ClientState {
  if (repeatOfUse(state, use) !== 'none') return state;
  const change: Change = { changes, key: use.key, stage: 'due', requestedAt: now };
  return applyUse({ ...state, changes: [...state.changes, change].slice(-MAX_CHANGES) }, use);
}

/** The pending change. The next one is accepted once it has ended. */
export const changeDue = ({ changes }: Pick<ClientState, 'changes'>): Change | undefined =>
  changes.find(({ stage }) => stage === 'due');

/** @param end the outcome of the pending change. If it was accepted, a look-up becomes due. */
export const markChangeEnded = (
  state: ClientState,
  endedAt: Instant,
  end: Pick<Change, 'stage' | 'failure'>,
): ClientState => ({
  ...state,
  isLookUpDue: end.stage === 'accepted' ? true : state.isLookUpDue,
  changes: state.changes.map((change) => (change.stage === 'due' ? { ...change, ...end, endedAt } : change)),
});
