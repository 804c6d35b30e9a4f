// What a client workflow keeps, and what snapshots, callers and operators change in it. Plain JSON and pure. The provider takes no uid
// of ours for a client, so it is looked for by its business before it is sent, and after each submission whose outcome is not known.
import { CLIENT_LIFECYCLE, clientDifferences } from '../../domain/client/lifecycle.js';
import { recordUse, repeatOfUse } from '../../domain/commands/key-use.js';
import * as entity from '../entity/resource/attention.js';
import * as followed from '../entity/resource/state.js';
import { newSubmission, markOpen, park, restartSearch } from '../entity/resource/submission.js';
import { reportingTo } from '../entity/engine/reports.js';
import type { Reporting } from '../entity/engine/reports.js';
import type { ChangeStage, ClientLifecycleState } from '../../domain/client/lifecycle.js';
import type { ClientChanges, ClientOrder, ClientParticulars } from '../../domain/client/request.schema.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { KeyUse } from '../../domain/commands/key-use.js';
import type { AttentionResolution, Decision } from '../../domain/attention/resolution.js';
import type { ClientSnapshot, Fetched, Refusal } from '../../domain/facts/snapshot.js';

/** What a client is begun with. */
export interface ClientOrderRequest {
  uid: string;
  connectionId: string;
  /** What to register. */
  order: ClientOrder;
  /** The provider's ids of the clients above it, its parent first, as far up as known here. */
  above?: string[] | undefined;
  /** The principal that asked for it. */
  requestedBy?: string | undefined;
  /** The id of the onboarding workflow that waits for it. */
  reportTo?: string | undefined;
}

/** A change of a client; its key makes it one, however often it is asked for. */
export interface ChangeRequest {
  changes: ClientChanges;
  use: KeyUse;
}

/** A change that was asked for. It says how the client is to be, so that a repeat changes nothing. */
export interface Change extends Pick<ChangeRequest, 'changes'> {
  /** Digest of the caller's key. */
  key: string;
  stage: ChangeStage;
  requestedAt: Instant;
  endedAt?: Instant | undefined;
  failure?: Refusal | undefined;
}

export interface ClientState extends followed.ResourceState<ClientLifecycleState>, Reporting {
  /** What was asked for. */
  order: ClientOrder;
  /** The provider's ids of the clients above it, its parent first, as far up as was known when it was asked for. */
  above: string[];
  requestedAt: Instant;
  requestedBy?: string | undefined;
  /** As the provider showed it last. */
  particulars?: ClientParticulars | undefined;
  /** It was looked for, and nothing like it was there, before anything was sent. */
  isSearched?: true | undefined;
  adopted?: true | undefined;
  /** Of what is parked: the provider's ids of those that may be it. */
  candidates?: string[] | undefined;
  failure?: Refusal | undefined;
  changes: Change[];
}

/** Of older ones nothing is kept: a repeat after so many more changes is a change of its own. */
export const MAX_CHANGES = 20;

export function newClient(
  { uid, connectionId, order, above, requestedBy, reportTo }: ClientOrderRequest,
  now: Instant,
): ClientState {
  const base = followed.newResourceState<ClientLifecycleState>(
    { uid, connectionId, submission: newSubmission('ready'), start: 'requested' },
    { what: 'provider-acceptance', since: now },
  );
  const { parent_client_id: parent } = order;
  return {
    ...base,
    ...reportingTo(reportTo),
    order,
    above: above ?? (parent === undefined ? [] : [parent]),
    requestedAt: now,
    requestedBy,
    changes: [],
  };
}

/** A client that was found by its business may be another one; a client that was read by its id is ours. */
export function differencesIn({ order }: ClientState, { snapshot }: Fetched<ClientSnapshot>): string[] {
  const { fits, particulars, isParentFollowed = false } = snapshot;
  if (fits === undefined) return [];
  return fits.length > 1 ? ['/legal_name'] : clientDifferences(order, particulars, isParentFollowed);
}

/** What was found may be another's, or an older one of the same business: a second one may not be made, so a person decides. */
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
    next: 'Compare them at the provider, then resolve this flag: `adopt`, with the `client_id` of the one that is ours, follows that one; `close` gives this request up. Nothing is registered from here before.',
  });
}

export const applySnapshot = (state: ClientState, { snapshot }: Fetched<ClientSnapshot>): ClientState => ({
  ...state,
  providerId: state.providerId ?? snapshot.clientId,
  particulars: snapshot.particulars,
  adopted: state.adopted ?? (snapshot.fits !== undefined && state.submission.count === 0 ? true : undefined),
});

const recordOwnEnd: typeof entity.recordEnd<ClientState> = (state, now, end, reason) =>
  entity.recordEnd({ ...state, failure: reason }, now, end, reason);

/** The provider would not register it. */
export const recordRefusal = (state: ClientState, now: Instant, reason: Refusal): ClientState =>
  recordOwnEnd(state, now, { verb: 'submit', type: 'refused', causedBy: 'provider' }, reason);

/** A look-up becomes due; one that is running already is followed by another. */
export const requestLookUp = (state: ClientState): ClientState => ({ ...state, isLookUpDue: true });

/** A repeat changes nothing. Expects what `validateResolution` let through. */
export const resolveFlag = (state: ClientState, resolution: AttentionResolution, now: Instant): ClientState =>
  entity.resolveFlag(state, resolution, now, (before, decision) =>
    applyDecision(before, decision, now, resolution.clientId),
  );

/** Which client `adopt` is about: the one that is named, or the only one that fits. */
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
      ? recordOwnEnd(state, now, { verb: 'close', type: 'refused', causedBy: 'initiator' }, CLOSED)
      : recordOwnEnd(state, now, { verb: 'give-up', type: 'unresolved', causedBy: 'initiator' }, UNRESOLVED),
  );
}

const CLOSED: Refusal = {
  code: 'closed',
  title: 'Given up by an operator: the provider has a client of this business already.',
  next: 'Ask for it again under another uid once it is known which client it is to be.',
};
const UNRESOLVED: Refusal = {
  code: 'unresolved',
  title: 'Given up by an operator: it is not known whether the provider has registered it.',
  next: 'Before it is asked for again, under another uid, look at the provider whether it is there: that request adopts it then.',
};

/** A repeat changes nothing. Expects what the validator let through. */
export function recordChange(state: ClientState, { changes, use }: ChangeRequest, now: Instant): ClientState {
  if (repeatOfUse(state, use) !== 'none') return state;
  const change: Change = { changes, key: use.key, stage: 'due', requestedAt: now };
  return recordUse({ ...state, changes: [...state.changes, change].slice(-MAX_CHANGES) }, use);
}

/** One at a time: the next is admitted once this has ended. */
export const changeDue = ({ changes }: Pick<ClientState, 'changes'>): Change | undefined =>
  changes.find(({ stage }) => stage === 'due');

/** @param end what became of the one that was due; the provider is asked how the client is now. */
export const markChangeEnded = (
  state: ClientState,
  endedAt: Instant,
  end: Pick<Change, 'stage' | 'failure'>,
): ClientState => ({
  ...state,
  isLookUpDue: end.stage === 'accepted' ? true : state.isLookUpDue,
  changes: state.changes.map((change) => (change.stage === 'due' ? { ...change, ...end, endedAt } : change)),
});

/** What a run leaves to the next, within Temporal's limit for a payload. */
export const stateToCarry = (state: ClientState): ClientState => followed.compact(CLIENT_LIFECYCLE, state);
