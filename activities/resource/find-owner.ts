// Which connection a thing belongs to, when a notification did not say: each that has consent is asked.
import { Context, heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { IS_OPEN } from '../../delivery/open.js';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { CONSENTED, connectionIdOf } from '../../workflows/connection/contract.js';
import { CONNECTION_STATUS } from '../../workflows/entity/search-attributes.js';
import { nothingYet, readFailure } from '../failure.js';
import { withHeartbeats } from '../attempts/heartbeat.js';
import type { PollIntervalsName } from '../../domain/time/poll-intervals.js';
import type { Dependencies } from '../dependencies.js';

/** A connection that may be asked. */
export interface Candidate {
  id: string;
  hasConsent: boolean;
}

/** So many are asked at a time: enough to get through thousands within minutes, and few beside what else the worker does. */
const AT_ONCE = 10;

/** So many are named; of more only the number is said, since a failure of some kilobytes is cut by the server. */
const MOST_NAMED = 10;

/** Those that could not be asked. */
interface Unasked {
  count: number;
  named: string[];
}

/** What is heartbeated, so that the attempt after this one goes on where it stopped. */
interface Progress {
  /** All up to this one, in the order of their ids, have been asked or passed over. */
  after?: string | undefined;
  withoutConsent: Unasked;
  silent: Unasked;
}

const NONE: Unasked = { count: 0, named: [] };
const FROM_THE_FIRST: Progress = { withoutConsent: NONE, silent: NONE };

/**
 * The first connection whose account has it, with what was fetched. While none has it, the attempt fails and is made again where the
 * adoption poll intervals says. The failure says whether each was asked: `nothing_new`; all but those without consent, which only their
 * merchants can change: `consents_missing`; or not even those with consent: `not_everyone_asked`. A connection that is the only one is
 * asked as it is, and a missing consent is waited for. Only within an activity.
 */
export async function findOwner<T extends object>(
  candidates: readonly Candidate[],
  fetchFrom: (connectionId: string) => Promise<T>,
  pollIntervals: PollIntervalsName = 'adoption',
): Promise<T & { owner: string }> {
  const [only, ...others] = candidates;
  if (only !== undefined && others.length === 0)
    return withHeartbeats(() => askOnly(only.id, fetchFrom, pollIntervals));
  let progress = progressIn(Context.current().info.heartbeatDetails);
  const ask = async (): Promise<T & { owner: string }> => {
    for (const group of groupsAfter(progress.after, candidates)) {
      const answers = await Promise.all(group.map((candidate) => askOne(candidate, fetchFrom)));
      const found = answers.find((answer) => answer.is === 'found');
      if (found !== undefined) return { ...found.fetched, owner: found.id };
      progress = addAnswers(progress, answers);
      await stopIfCancelled();
    }
    const { withoutConsent, silent } = progress;
    progress = FROM_THE_FIRST;
    heartbeat(progress);
    throw notFound(pollIntervals, withoutConsent, silent, candidates.length);
  };
  return withHeartbeats(ask, () => progress);
}

async function askOnly<T extends object>(
  owner: string,
  fetchFrom: (connectionId: string) => Promise<T>,
  pollIntervals: PollIntervalsName,
): Promise<T & { owner: string }> {
  try {
    return { ...(await fetchFrom(owner)), owner };
  } catch (error) {
    throw isAbsent(error) ? nothingYet(pollIntervals, 'the connection does not have it') : readFailure(error);
  }
}

type Answer<T> = { id: string } & (
  { is: 'found'; fetched: T } | { is: 'absent' | 'withoutConsent' | 'silent' }
);

async function askOne<T extends object>(
  { id, hasConsent }: Candidate,
  fetchFrom: (connectionId: string) => Promise<T>,
): Promise<Answer<T>> {
  if (!hasConsent) return { id, is: 'withoutConsent' };
  try {
    return { id, is: 'found', fetched: await fetchFrom(id) };
  } catch (error) {
    if (isAbsent(error)) return { id, is: 'absent' };
    return { id, is: isWithoutConsent(error) ? 'withoutConsent' : 'silent' };
  }
}

const isAbsent = (error: unknown): boolean => error instanceof PaymentsApiError && error.code === 'not_found';

const isWithoutConsent = (error: unknown): boolean =>
  error instanceof PaymentsApiError
    ? error.lacksScope === true
    : error instanceof ApplicationFailure && error.type === 'needs_reauthorisation';

/** By id, so that a connection which is begun or lost meanwhile moves none of the others. */
function groupsAfter(after: string | undefined, candidates: readonly Candidate[]): Candidate[][] {
  const left = candidates
    .filter(({ id }) => after === undefined || id > after)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  return Array.from({ length: Math.ceil(left.length / AT_ONCE) }, (_, index) =>
    left.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  );
}

function addAnswers(progress: Progress, answers: readonly Answer<unknown>[]): Progress {
  const those = (kind: Answer<unknown>['is']): Unasked => {
    const named = answers.filter(({ is }) => is === kind).map(({ id }) => id);
    return { count: named.length, named };
  };
  return {
    after: answers.at(-1)?.id,
    withoutConsent: addUnasked(progress.withoutConsent, those('withoutConsent')),
    silent: addUnasked(progress.silent, those('silent')),
  };
}

const addUnasked = (unasked: Unasked, more: Unasked): Unasked => ({
  count: unasked.count + more.count,
  named: [...unasked.named, ...more.named].slice(0, MOST_NAMED),
});

async function stopIfCancelled(): Promise<void> {
  const { cancellationSignal, cancelled } = Context.current();
  if (cancellationSignal.aborted) await cancelled;
}

/** @param of how many there are. */
function notFound(
  pollIntervals: PollIntervalsName,
  withoutConsent: Unasked,
  silent: Unasked,
  of: number,
): ApplicationFailure {
  if (silent.count > 0) {
    const unasked = addUnasked(addUnasked(NONE, silent), withoutConsent);
    return nothingYet(pollIntervals, 'not every connection could be asked', 'not_everyone_asked', unasked);
  }
  if (withoutConsent.count > 0 || of === 0)
    return nothingYet(pollIntervals, 'none with consent has it', 'consents_missing', withoutConsent);
  return nothingYet(pollIntervals, 'no connection has it');
}

/** Those of lists that have ever had a consent. */
export async function connectionsOf({
  temporal,
}: Pick<Dependencies, 'temporal'>): Promise<readonly Candidate[]> {
  const all: Candidate[] = [];
  for await (const { workflowId, typedSearchAttributes } of temporal.workflow.list({
    query: `${CONSENTED} AND ${IS_OPEN}`,
  }))
    all.push({
      id: connectionIdOf(workflowId),
      hasConsent: typedSearchAttributes.get(CONNECTION_STATUS) === 'healthy',
    });
  return all;
}

/** What an attempt before this one has left; anything else begins with the first. */
const progressIn = (details: unknown): Progress => (isProgress(details) ? details : FROM_THE_FIRST);

const isProgress = (details: unknown): details is Progress =>
  typeof details === 'object' && details !== null && 'withoutConsent' in details && 'silent' in details;
