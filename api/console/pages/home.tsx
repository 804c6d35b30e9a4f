// The first page: what needs a person, money, payments in flight, and health.
import { sydneyDayOf } from '../../../domain/time/sydney.js';
import type { ConnectionPage, StopsInForce } from '../answers.js';
import { MoneyChart } from '../drawings/money-chart.js';
import { counted, dollars, duration, sentenceOf } from '../format.js';
import { showPage } from '../layout.js';
import { attentionOf, type FlagGroup } from '../figures/attention.js';
import { moneyOf, type Figures } from '../figures/money.js';
import { Facts, Foreign, Money, Time } from '../parts.js';
import { readPage, type Visit } from '../visit.js';
import { connectionsOf } from '../figures/scope.js';

export const showHome = readPage(
  {
    path: '/console',
    operationId: 'showConsole',
    summary: 'Show what needs a person, the money of today and of this month, and the health of the system',
    description: 'Open this in a browser, and sign in with any API key.',
  },
  async (visit) => {
    const { c, dependencies } = visit;
    const nowMs = dependencies.clock.now();
    const [attention, money, health] = await Promise.all([
      attentionOf(visit),
      visit.key.scopes.includes('read') ? moneyOf(visit) : undefined,
      healthOf(visit),
    ]);
    const content = (
      <>
        {visit.key.scopes.includes('read') ? null : (
          <p class="notice warn">This key lacks the scope read, so most of this page is empty.</p>
        )}
        <Stopped stops={health.stops} />
        <Attention {...attention} nowMs={nowMs} />
        {money === undefined ? null : (
          <MoneyParts money={money} today={sydneyDayOf(new Date(nowMs).toISOString())} />
        )}
        <Health {...health} recordedUntil={dependencies.progress.recordedUntil()} nowMs={nowMs} />
      </>
    );
    return showPage(c, { title: 'Home', content, session: visit });
  },
);

function Attention({ groups, unread, nowMs }: { groups: FlagGroup[]; unread: string[]; nowMs: number }) {
  return (
    <section aria-labelledby="attention">
      <h2 id="attention">What needs a person</h2>
      {groups.length === 0 && unread.length === 0 ? <p>Nothing. No flag is open.</p> : null}
      {groups.map(({ code, flagged, isCut }) => (
        <details open={groups.length < 4}>
          <summary>
            <b>{sentenceOf(code)}</b>: {counted(flagged.length, 'flag')}
            {isCut ? ' or more' : ''}, the oldest for{' '}
            {duration(nowMs - Date.parse(flagged[0]?.since ?? new Date(nowMs).toISOString()))}
          </summary>
          <p>
            <b>What to do:</b> {flagged[0]?.next}
          </p>
          <ul>
            {flagged.slice(0, 10).map(({ kind, uid, since, href }) => (
              <li>
                {kind} {href === undefined ? <code>{uid}</code> : <a href={href}>{uid}</a>} since{' '}
                <Time at={since} />
              </li>
            ))}
          </ul>
          {flagged.length > 10 ? <p>These are the oldest ten of {flagged.length}.</p> : null}
        </details>
      ))}
      {unread.length === 0 ? null : (
        <p>Not read, because the key must not or the records are away: {unread.join(', ')}.</p>
      )}
    </section>
  );
}

function MoneyParts({ money, today }: { money: Figures; today: string }) {
  const rows = [
    ['Requested', money.requested],
    ['Settled', money.settled],
    ['Failed', money.failed],
    ['Refunded', money.refunded],
  ] as const;
  return (
    <>
      <section aria-labelledby="money">
        <h2 id="money">Money</h2>
        {money.problem === undefined ? null : <p class="notice warn">{money.problem}</p>}
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">In Sydney</th>
              <th scope="col">Today</th>
              <th scope="col">This month</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, figure]) => (
              <tr>
                <th scope="row">{name}</th>
                {[figure.today, figure.month].map(({ amount, count }) => (
                  <td>
                    <Money cents={amount} />
                    <small>{counted(count, name === 'Refunded' ? 'refund' : 'payment')}</small>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        <MoneyChart days={money.days} today={today} />
      </section>
      <InFlight money={money} />
    </>
  );
}

const InFlight = ({ money }: { money: Figures }) => (
  <section aria-labelledby="flight">
    <h2 id="flight">Payments in flight</h2>
    <Facts
      rows={money.inFlight.map(
        ({ name, count, amount }) => [name, `${counted(count, 'payment')}, ${dollars(amount)}`] as const,
      )}
    />
    <p>
      <a href="/console/payments?attention=any">Payments with a flag</a>
    </p>
  </section>
);

interface HealthParts {
  connections: { status: string; ids: string[] }[];
  stops: StopsInForce | undefined;
}

async function healthOf(visit: Visit): Promise<HealthParts> {
  const [stops, ...pages] = await Promise.all([
    visit.api.read<{ data: StopsInForce }>('/v1/stop'),
    ...connectionsOf(visit.key).map((id) =>
      visit.api.read<ConnectionPage>(
        `/v1/connections?per_page=200${id === undefined ? '' : `&connection=${id}`}`,
      ),
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
  };
}

/** Records that are older than this need a look. */
const LATE_MS = 30_000;

function Health({
  connections,
  stops,
  recordedUntil,
  nowMs,
}: HealthParts & { recordedUntil: string | undefined; nowMs: number }) {
  const lag = recordedUntil === undefined ? undefined : nowMs - Date.parse(recordedUntil);
  return (
    <section aria-labelledby="health">
      <h2 id="health">Health</h2>
      <Facts
        rows={[
          [
            'Connections',
            connections.length === 0
              ? 'none'
              : connections
                  .map(
                    ({ status, ids }) =>
                      `${ids.length} ${sentenceOf(status).toLowerCase()}: ${ids.join(', ')}`,
                  )
                  .join('; '),
          ],
          [
            'Records',
            lag === undefined
              ? 'not read yet'
              : lag > LATE_MS
                ? `late by ${duration(lag)}: pages may miss newer changes`
                : 'up to date',
          ],
          ['Stops in force', stops === undefined ? 'not read' : String(stops.stops.length)],
        ]}
      />
    </section>
  );
}

const Stopped = ({ stops }: Pick<HealthParts, 'stops'>) =>
  stops === undefined || stops.stops.length === 0 ? null : (
    <div class="notice bad">
      <p>
        <b>Payments are stopped.</b>
      </p>
      <ul>
        {stops.stops.map(({ connection, reason, by, since }) => (
          <li>
            {connection ?? 'All connections'}: <Foreign text={reason} /> ({by}, since <Time at={since} />)
          </li>
        ))}
      </ul>
    </div>
  );
