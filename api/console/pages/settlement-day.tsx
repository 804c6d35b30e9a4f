// The day: what settled here, the provider's report, the float accounts, and each exception with what to do.
import { pathOf } from '../../routes/links.js';
import type { ConnectionPage, FloatAccount, FloatAccountPage, Reconciliation } from '../answers.js';
import { pageOf } from '../places.js';
import { connectionIn } from '../figures/scope.js';
import { counted, dayInWords, dollars, words } from '../format.js';
import { showPage } from '../layout.js';
import { Facts, Foreign, Money, State, Table, Time } from '../parts.js';
import { readPage, type Visit } from '../visit.js';
import { DayChooser, dayIn } from './day-parts.js';
import { Exceptions } from './day-exceptions.js';
import { showProblem } from './refusal.js';

export const showDay = readPage(
  {
    path: '/console/day',
    operationId: 'showDay',
    summary: 'Show the reconciliation of a day in Sydney',
    description: 'Without `day` it shows the last day whose settlement report is due.',
  },
  async (visit) => {
    const { api, key, c } = visit;
    const [day, connection] = [dayIn(visit), connectionIn(visit)];
    const [reconciled, accounts, connections] = await Promise.all([
      api.read<{ data: Reconciliation }>(pathOf(`/v1/reconciliation/${day}`, { connection })),
      api.read<FloatAccountPage>(pathOf('/v1/float-accounts', { connection, per_page: 200 })),
      key.connections === undefined ? api.read<ConnectionPage>('/v1/connections?per_page=200') : undefined,
    ]);
    if (reconciled.problem !== undefined)
      return showProblem(visit, reconciled.problem, 'connection with this id');
    const options = key.connections ?? connections?.answer?.data.map(({ id }) => id) ?? [];
    const content = (
      <>
        <DayChooser visit={visit} day={day} page="/console/day" others={{ connection }}>
          <ConnectionChoice options={options} chosen={connection} isBound={key.connections !== undefined} />
        </DayChooser>
        <Content visit={visit} found={reconciled.answer.data} connection={connection} />
        <Downloads day={day} connection={connection} accounts={accounts.answer?.data} />
      </>
    );
    return showPage(c, { title: `Day: ${dayInWords(day)}`, content, session: visit });
  },
);

const ConnectionChoice = ({
  options,
  chosen,
  isBound,
}: {
  options: readonly string[];
  chosen: string | undefined;
  isBound: boolean;
}) => (
  <div>
    <label for="connection">Connection</label>
    <select id="connection" name="connection">
      {isBound ? null : <option value="">all</option>}
      {options.map((id) => (
        <option value={id} selected={id === chosen}>
          {id}
        </option>
      ))}
    </select>
  </div>
);

function Content({
  visit,
  found,
  connection,
}: {
  visit: Visit;
  found: Reconciliation;
  connection: string | undefined;
}) {
  return (
    <>
      <p class="lead">{sentenceFor(found)}</p>
      <Facts
        rows={[
          ['From', <Time at={found.from} />],
          ['Until', <Time at={found.until} />],
          ['Report due on', dayInWords(found.next_business_day)],
        ]}
      />
      <Reports found={found} />
      <Totals found={found} />
      <FloatTotals float={found.float} />
      <Exceptions found={found} connection={connection} chosen={visit.c.req.query('kind')} />
    </>
  );
}

const countOf = ({ exception_counts: counts }: Reconciliation): number =>
  counts.reduce((sum, { count }) => sum + count, 0);

/** Such as `12 payments of $504.00 settled here. Everything agrees with the report.` */
export function sentenceFor(found: Reconciliation): string {
  const { payments, refunds, reports } = found;
  const settled = `${counted(payments.settled.count, 'payment')} of ${dollars(payments.settled.amount)} and ${counted(refunds.settled.count, 'refund')} of ${dollars(refunds.settled.amount)} settled here.`;
  const exceptions = countOf(found);
  if (exceptions > 0)
    return `${settled} ${counted(exceptions, 'exception')} ${exceptions === 1 ? 'needs' : 'need'} a person.`;
  if (reports.every(({ state }) => state === 'not_expected')) return `${settled} No report is expected.`;
  return reports.every(({ state }) => state === 'stored' || state === 'not_expected')
    ? `${settled} Everything agrees with the report.`
    : `${settled} There is no exception, but a report is missing or not usable.`;
}

type Report = Reconciliation['reports'][number];
const REPORT_STATES: Readonly<Record<Report['state'], string>> = {
  not_expected: 'The connection had no consent on the day, and nothing settled.',
  not_due: 'It is not due yet.',
  awaited: 'It is due, and has not arrived yet.',
  late: 'It should have arrived. Ask the provider for it.',
  stored: 'It arrived, and is compared.',
  unreadable: 'It arrived, but cannot be read, so none of its lines counts. Ask the provider.',
  other_day: 'It arrived, but is of another day, so none of its lines counts. Ask the provider.',
};

const Reports = ({ found: { day, reports } }: { found: Reconciliation }) => (
  <section aria-labelledby="reports">
    <h2 id="reports">Settlement reports of the provider</h2>
    {reports.length === 0 ? (
      <p>No connection has a report of this day, or should have one.</p>
    ) : (
      <Table
        label="Settlement reports"
        heads={['Connection', 'State', 'Lines', 'Received']}
        rows={reports.map(({ connection, state, line_count: lines, fetched_at: at, problem }) => [
          connection,
          <>
            <State state={state} />
            <small>
              {REPORT_STATES[state]} {problem === null ? null : <Foreign text={words(problem)} />}
            </small>
          </>,
          at === null ? (
            '–'
          ) : (
            <a href={pathOf('/console/day/report', { day, connection })}>{counted(lines, 'line')}</a>
          ),
          <Time at={at} />,
        ])}
      />
    )}
  </section>
);

interface Total {
  count: number;
  amount: number;
}
const Sum = ({ of: { count, amount }, noun }: { of: Total; noun: string }) => (
  <>
    <Money cents={amount} />
    <small>{counted(count, noun)}</small>
  </>
);

const Totals = ({ found }: { found: Reconciliation }) => (
  <section aria-labelledby="totals">
    <h2 id="totals">Totals</h2>
    <Table
      label="Totals"
      heads={['', 'Settled here', 'In the report', 'Both agree', 'In a float account']}
      rows={(['payment', 'refund'] as const).map((noun) => {
        const side = noun === 'payment' ? found.payments : found.refunds;
        return [
          noun === 'payment' ? 'Payments' : 'Refunds',
          <Sum of={side.settled} noun={noun} />,
          <Sum of={side.reported} noun={noun} />,
          <Sum of={side.agreeing} noun={noun} />,
          String(side.in_float),
        ];
      })}
    />
  </section>
);

const FloatTotals = ({ float }: { float: Reconciliation['float'] }) => (
  <section aria-labelledby="float">
    <h2 id="float">Entries of the float accounts on the day</h2>
    <Table
      label="Entries of the float accounts"
      heads={['', 'Explained by a payment, refund or decision', 'Not explained']}
      rows={[
        ['Credits', <FloatSum of={float.credits_matched} />, <FloatSum of={float.credits_unmatched} />],
        ['Debits', <FloatSum of={float.debits_matched} />, <FloatSum of={float.debits_unmatched} />],
      ]}
    />
  </section>
);

const FloatSum = ({ of: { count, amount } }: { of: Total }) => (
  <>
    <Money cents={amount} />
    <small>{`${count} ${count === 1 ? 'entry' : 'entries'}`}</small>
  </>
);

function Downloads({
  day,
  connection,
  accounts,
}: {
  day: string;
  connection: string | undefined;
  accounts: readonly FloatAccount[] | undefined;
}) {
  const query = { day, connection };
  return (
    <section aria-labelledby="downloads">
      <h2 id="downloads">Downloads as CSV</h2>
      <ul>
        <li>
          <a href={pathOf('/console/day/journal', query)}>Journal of the day</a>: double entry for your books
        </li>
        <li>
          <a href={pathOf('/console/day/expected', query)}>Expected and received</a>: what was planned,
          settled, reported and credited
        </li>
        {accounts?.map(({ uid, title }) => (
          <li>
            <a href={`${pageOf('float-account', uid)}/statements/${day}`}>
              Statement of <bdi>{title ?? uid}</bdi>
            </a>{' '}
            (<a href={`${pathOf(pageOf('float-account', uid), { day })}#entries`}>show it</a>)
          </li>
        ))}
      </ul>
      {accounts === undefined ? <p>The float accounts are not available now.</p> : null}
      <p class="hint">
        The last row of a whole file begins with “end” and the number of its rows. Amounts are in cents.
      </p>
    </section>
  );
}
