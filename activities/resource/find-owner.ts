// Finds the connection of a resource if a notification did not name it: looks the resource up on each connection with consent.
import { Context, heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { IS_OPEN } from '../../delivery/open.js';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { CONSENTED, connectionIdOf } from '../../workflows/connection/contract.js';
import { CONNECTION_STATUS } from '../../workflows/contracts/search-attributes.js';
import { nothingYet, readFailure } from '../failure.js';
import { detailsWith, withHeartbeats } from '../attempts/heartbeat.js';
import type { PollIntervalsName } from '../../domain/time/poll-intervals.js';
import type { Dependencies } from '../dependencies.js';

/** A connection that may have the resource. */
export interface Candidate {
  id: string;
  hasConsent: boolean;
}

/** How many connections are polled at the same time: thousands take minutes, and the worker's other calls are not delayed. */
const AT_ONCE = 10;

/** How many connections a failure names. The server truncates failures of several kilobytes. */
const MOST_NAMED = 10;

/** Connections that could not be polled. */
interface Unasked {
  count: number;
  named: string[];
}

/** Heartbeat details: the next attempt continues from here. */
interface Progress {
  /** All connections up to this id have been polled or skipped, in the order of ids. */
  after?: string | undefined;
  withoutConsent: Unasked;
  silent: Unasked;
}

const NONE: Unasked = { count: 0, named: [] };
const FROM_THE_FIRST: Progress = { withoutConsent: NONE, silent: NONE };

/**
 * Finds the first connection whose account has the resource. If none has it, Temporal retries after the poll interval for adoption.
 * The failure is `nothing_new` if all were polled, and `consents_missing` if some have no consent, which only their merchants can give.
 * It is `not_everyone_asked` if some with consent did not answer. A single candidate is polled even without consent. Its missing consent fails
 * the read as usual, and the workflow waits for it. Call it only in an activity.
 */
export async function findOwner<T extends object>(
  candidates: readonly Candidate[],
  fetchFrom: (connectionId: string) => Promise<T>,
  pollIntervals: PollIntervalsName = 'adoption',
): Promise<T & { owner: string }> {
  const [only, ...others] = candidates;
  if (only !== undefined && others.length === 0)
    return withHeartbeats(() => askOnly(only.id, fetchFrom, pollIntervals));
  let progress = detailsWith<Progress>('silent') ?? FROM_THE_FIRST;
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

/** In the order of ids, so that a new or removed connection does not move the others. */
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

/** @param of the number of connections. */
function notFound(
  pollIntervals: PollIntervalsName,
  withoutConsent: Unasked,
  silent: Unasked,
  of: number,
): ApplicationFailure {
  if (silent.count > 0) {
    const unasked = addUnasked(addUnasked(NONE, silent), withoutConsent);
    return nothingYet(pollIntervals, 'some connections did not answer', 'not_everyone_asked', unasked);
  }
  if (withoutConsent.count > 0 || of === 0)
    return nothingYet(pollIntervals, 'no connection with consent has it', 'consents_missing', withoutConsent);
  return nothingYet(pollIntervals, 'no connection has this resource');
}

/** The listed connections that have had consent at any time. */
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
