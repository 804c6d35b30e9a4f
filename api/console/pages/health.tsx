// The health of the system on the first page: connections, workers, records and stops.
import { pathOf } from '../../routes/links.js';
import type { QueueWorkers } from '../../gateway/workers.js';
import { ApiError } from '../../http/problems/errors.js';
import type { Connection, ConnectionPage, StopsInForce } from '../answers.js';
import { connectionsOf } from '../figures/scope.js';
import { duration, sentenceOf, words } from '../format.js';
import { Facts } from '../parts.js';
import type { Visit } from '../visit.js';
import { pageOf } from '../places.js';

interface HealthParts {
  connections: { status: Connection['status']; ids: string[] }[];
  stops: StopsInForce | undefined;
  workers: QueueWorkers[] | undefined;
}

/** What could not be read is undefined. */
export async function healthOf(visit: Visit): Promise<HealthParts> {
  const [workers, stops, ...pages] = await Promise.all([
    visit.dependencies.temporal.workers.queues().catch(noneIfRefused),
    visit.api.read<{ data: StopsInForce }>('/v1/stop'),
    ...connectionsOf(visit.key).map((connection) =>
      visit.api.read<ConnectionPage>(pathOf('/v1/connections', { per_page: 200, connection })),
    ),
  ]);
  const all = pages.flatMap(({ answer }) => answer?.data ?? []);
  const statuses = [...new Set(all.map(({ status }) => status))].sort();
  return {
    connections: statuses.map((status) => ({
      status,
      ids: all.filter((one) => one.status === status).map(({ id }) => id),
    })),
    stops: stops.answer?.data,
    workers,
  };
}

/** Temporal is away. The page says so, and shows the rest. */
function noneIfRefused(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error;
}

/** Records that are older than this need a look. */
const LATE_MS = 30_000;

export function Health({
  connections,
  stops,
  workers,
  recordedUntil,
  nowMs,
}: HealthParts & { recordedUntil: string | undefined; nowMs: number }) {
  const lag = recordedUntil === undefined ? undefined : nowMs - Date.parse(recordedUntil);
  return (
    <section aria-labelledby="health">
      <h2 id="health">Health</h2>
      <Facts
        rows={[
          ['Connections', <Connections connections={connections} />],
          ['Workers', <Workers queues={workers} />],
          [
            'Records',
            lag === undefined
              ? 'not read yet'
              : lag > LATE_MS
                ? `late by ${duration(lag)}: pages may miss newer changes`
                : 'up to date',
          ],
          [
            'Stops in force',
            <>
              {stops === undefined ? 'not read' : String(stops.stops.length)}{' '}
              <a href="/console/stop">Stops of payments</a>
            </>,
          ],
        ]}
      />
    </section>
  );
}

const MOST_NAMED = 10;

const Connections = ({ connections }: Pick<HealthParts, 'connections'>) =>
  connections.length === 0 ? (
    <>none</>
  ) : (
    <>
      {connections.map(({ status, ids }) => (
        <p>
          {ids.length} {words(status)}:{' '}
          {ids.slice(0, MOST_NAMED).map((id, index) => (
            <>
              {index === 0 ? '' : ', '}
              <a href={pageOf('connection', id)}>{id}</a>
            </>
          ))}
          {ids.length > MOST_NAMED ? (
            <>
              {' '}
              and <a href={pathOf('/console/connections', { state: status })}>more</a>
            </>
          ) : null}
        </p>
      ))}
    </>
  );

/** Queues whose workers have the same releases are one line. */
function Workers({ queues }: { queues: QueueWorkers[] | undefined }) {
  if (queues === undefined) return <>not read, because Temporal did not answer in time</>;
  const lines = new Map<string, string[]>();
  for (const queue of queues) {
    const text = releasesOf(queue);
    lines.set(text, [...(lines.get(text) ?? []), queue.queue]);
  }
  return (
    <>
      {[...lines].map(([text, names]) => (
        <p>
          {sentenceOf(names.join(', '))}: {text}
        </p>
      ))}
    </>
  );
}

/** Such as `release 1.2.0 (current)`. */
function releasesOf({ current, polling }: QueueWorkers): string {
  if (polling.length === 0) return 'no worker polls this queue, so its work waits';
  return polling
    .map((release) => {
      if (release === undefined) return 'workers without a release';
      return `release ${release}${release === current ? ' (current)' : current === undefined ? '' : ' (older or not current yet)'}`;
    })
    .join(', ');
}
