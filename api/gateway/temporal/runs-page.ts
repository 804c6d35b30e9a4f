// Pages through the runs that existed when the first page was read, one for each workflow id. Runs that end, continue as new or
// start again between two pages neither duplicate nor hide an item.
import { z } from 'zod';
import { IS_OPEN } from '../../../delivery/open.js';
import { readCursor, writeCursor } from '../../http/paging.js';

export interface Run<Fields = unknown> {
  workflowId: string;
  runId: string;
  /** With nine fractional digits, so that text comparison works. */
  startedAt: string;
  isOpen: boolean;
  fields: Fields;
}

export interface RunsPage<Fields> {
  runs: Run<Fields>[];
  /** Temporal's token of the next page, in base64url. Empty on the last page. */
  token: string;
}

/** Makes one list request to Temporal. */
export type ReadRuns<Fields> = (
  terms: readonly string[],
  size: number,
  token: string,
) => Promise<RunsPage<Fields>>;

/** Runs closed before `at` are listed as closed. Runs started after `until` are not listed. */
const Moment = z.object({ at: z.string(), until: z.string() });
type Moment = z.output<typeof Moment>;
/** Open runs come first: `after` is the last one returned. Closed runs follow: `token` is Temporal's own. */
const Position = z.union([
  Moment.extend({ after: z.object({ startedAt: z.string(), runId: z.string() }) }),
  Moment.extend({ token: z.string() }),
]);
type Position = z.output<typeof Position>;
type Open = Partial<Extract<Position, { after: unknown }>> & { at: string };

export interface PageRequest {
  /** The conditions that all runs must match. */
  terms: readonly string[];
  size: number;
  cursor?: string | undefined;
}

/** @throws ApiError `invalid_request` for a malformed cursor, and the errors of `read`. */
export async function runsPage<Fields>(
  read: ReadRuns<Fields>,
  { terms, size, cursor }: PageRequest,
): Promise<{ runs: Run<Fields>[]; next: string | undefined }> {
  const position = cursor === undefined ? undefined : readCursor(Position, cursor);
  if (position !== undefined && 'token' in position) return overPage(read, { terms, size }, position);
  const from: Open = position ?? { at: asInTheStore(new Date()) };
  const { runs, hasMore } = await openPage(read, { terms, size }, from);
  const [first] = runs;
  // The server's clock may be ahead of ours.
  const until = from.until ?? latest(from.at, first?.startedAt);
  const last = runs.at(-1);
  if (hasMore && last !== undefined)
    return { runs, next: writeCursor({ at: from.at, until, after: placeOf(last) } satisfies Position) };
  const over = { at: from.at, until, token: '' } satisfies Position;
  if (runs.length === size) return { runs, next: writeCursor(over) };
  const rest = await overPage(read, { terms, size: size - runs.length }, over);
  return { runs: [...runs, ...rest.runs], next: rest.next };
}

const latest = (one: string, other = one): string => (other > one ? other : one);
const asInTheStore = (at: Date): string => at.toISOString().replace('Z', '000000Z');
const placeOf = ({ startedAt, runId }: Run): Pick<Run, 'startedAt' | 'runId'> => ({ startedAt, runId });

/** Runs that were open when the list started, even if they have ended since. Newest first. */
async function openPage<Fields>(
  read: ReadRuns<Fields>,
  { terms, size }: PageRequest,
  { at, until, after }: Open,
): Promise<{ runs: Run<Fields>[]; hasMore: boolean }> {
  const endedSince = `CloseTime > '${at}'`;
  const behind = after === undefined ? [] : [`StartTime <= '${after.startedAt}'`];
  // One extra run, because the query also returns the last run of the previous page.
  const page = await read([...terms, `(${IS_OPEN} OR ${endedSince})`, ...behind], size + 1, '');
  const lowest = page.token !== '' && page.runs.every(({ isOpen }) => isOpen) ? page.runs.at(-1) : undefined;
  const down = lowest === undefined ? [] : [`StartTime >= '${lowest.startedAt}'`];
  const ended = page.token === '' ? [] : await readAll(read, [...terms, endedSince, ...behind, ...down]);
  const found = new Map([...page.runs, ...ended].map((run) => [run.runId, run]));
  const rest = [...found.values()].filter((run) => after === undefined || compare(run, after) > 0);
  const newest = await newestOnly(read, rest, until ?? asInTheStore(new Date()));
  const runs = newest.sort(compare);
  return { runs: runs.slice(0, size), hasMore: lowest !== undefined || runs.length > size };
}

/** Newest first. */
const compare = (one: Pick<Run, 'startedAt' | 'runId'>, other: Pick<Run, 'startedAt' | 'runId'>): number =>
  -(one.startedAt.localeCompare(other.startedAt) || one.runId.localeCompare(other.runId));

/** Runs that had ended when the list started. Their order is stable. */
async function overPage<Fields>(
  read: ReadRuns<Fields>,
  { terms, size }: PageRequest,
  { at, until, token }: Moment & { token: string },
): Promise<{ runs: Run<Fields>[]; next: string | undefined }> {
  const isOver = [`CloseTime <= '${at}'`, "ExecutionStatus != 'ContinuedAsNew'"];
  const page = await read([...terms, ...isOver], size, token);
  const next =
    page.token === '' ? undefined : writeCursor({ at, until, token: page.token } satisfies Position);
  return { runs: await newestOnly(read, page.runs, until), next };
}

/** Drops runs that a later run of the same workflow id had followed when the list started. */
async function newestOnly<Fields>(
  read: ReadRuns<Fields>,
  runs: readonly Run<Fields>[],
  until: string,
): Promise<Run<Fields>[]> {
  const over = runs.filter(({ isOpen }) => !isOpen);
  if (over.length === 0) return [...runs];
  const ids = [...new Set(over.map(({ workflowId }) => `'${workflowId}'`))].join(', ');
  const since = over.map(({ startedAt }) => startedAt).reduce((one, other) => (one < other ? one : other));
  const terms = [`WorkflowId IN (${ids})`, `StartTime > '${since}'`, `StartTime <= '${until}'`];
  const later = await readAll(read, terms);
  return runs.filter(
    (run) =>
      run.isOpen ||
      !later.some(({ workflowId, startedAt }) => workflowId === run.workflowId && startedAt > run.startedAt),
  );
}

const AT_ONCE = 1000;

async function readAll<Fields>(read: ReadRuns<Fields>, terms: readonly string[]): Promise<Run<Fields>[]> {
  const runs: Run<Fields>[] = [];
  for (let token = '', isRead = false; !isRead; isRead = token === '') {
    const page = await read(terms, AT_ONCE, token);
    runs.push(...page.runs);
    ({ token } = page);
  }
  return runs;
}
