// The lists of agreements and payments: filters in the address, pages, and the same query for a terminal.
import type { Child } from 'hono/jsx';
import { startOfSydneyDay } from '../../../domain/time/sydney.js';
import { AGREEMENT_VIEW_STATES } from '../../routes/agreement/answer.schema.js';
import { PAYMENT_VIEW_STATES } from '../../routes/payment/answer.schema.js';
import { pathOf } from '../../routes/links.js';
import type { AgreementPage, PaymentPage } from '../answers.js';
import { sentenceOf, words } from '../format.js';
import { showPage } from '../layout.js';
import { Foreign, ProblemNotice, Queries, State, Table, Time } from '../parts.js';
import { readPage, type Visit } from '../visit.js';
import { PaymentTable } from './payment-table.js';
import { cursorIn } from './timeline.js';

type Query = Readonly<Record<string, string>>;

interface List<Page> {
  plural: 'agreements' | 'payments';
  states: readonly string[];
  /** Text filters of this list besides the connection. */
  filters: readonly (readonly [name: string, label: string])[];
  table: (page: Page) => Child;
}

interface AnyPage {
  data: readonly object[];
  links: { next?: string | undefined };
}

const list = <Page extends AnyPage>({ plural, states, filters, table }: List<Page>) =>
  readPage(
    {
      path: `/console/${plural}`,
      operationId: plural === 'agreements' ? 'browseAgreements' : 'browsePayments',
      summary: `Show a list of ${plural}`,
      description: 'Its filters are those of the list of the API, and are in the address.',
    },
    (visit) => showList(visit, { plural, states, filters, table }),
  );

async function showList<Page extends AnyPage>(
  visit: Visit,
  { plural, states, filters, table }: List<Page>,
): Promise<Response> {
  const typed = queryOf(visit, [
    'state',
    'attention',
    'connection',
    'from',
    'until',
    'cursor',
    ...filters.map(([name]) => name),
  ]);
  const { from, until, ...rest } = typed;
  // The API wants a key with several connections to name one.
  const [first] = visit.key.connections ?? [];
  const query: Query = {
    ...(first !== undefined && { connection: first }),
    ...rest,
    ...(from && { created_from: startOfSydneyDay(from) }),
    ...(until && { created_until: startOfSydneyDay(until) }),
    per_page: '50',
  };
  const path = pathOf(`/v1/${plural}`, query);
  const { answer, problem } = await visit.api.read<Page>(path);
  const next = cursorIn(answer?.links.next);
  const content = (
    <>
      <Filters
        visit={visit}
        list={{ plural, states, filters }}
        typed={{ ...typed, ...(query['connection'] && { connection: query['connection'] }) }}
      />
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      {answer === undefined ? null : table(answer)}
      <Pager plural={plural} typed={typed} next={next} />
      <Queries path={pathOf(`/v1/${plural}`, without(query, 'cursor'))} payto={paytoOf(plural, query)} />
    </>
  );
  const status = problem === undefined ? 200 : problem.status === 404 ? 404 : 422;
  return showPage(visit.c, { title: sentenceOf(plural), content, session: visit, status });
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** The filters with a value. A malformed day is left out, because the field cannot show it. */
function queryOf({ c }: Visit, names: readonly string[]): Query {
  const isUsable = (name: string, value: string) =>
    value !== '' &&
    ((name !== 'from' && name !== 'until') || (DAY.test(value) && !Number.isNaN(Date.parse(value))));
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = c.req.query(name)?.trim() ?? '';
      return isUsable(name, value) ? [[name, value]] : [];
    }),
  );
}

const without = (query: Query, name: string): Query =>
  Object.fromEntries(Object.entries(query).filter(([one]) => one !== name));

/** The command line has the same filters, with hyphens. */
const paytoOf = (plural: string, query: Query): string =>
  [
    `payto list ${plural}`,
    ...Object.entries(query).flatMap(([name, value]) =>
      name === 'per_page' || name === 'cursor'
        ? []
        : [`--${name.replaceAll('_', '-')} '${value.replaceAll("'", String.raw`'\''`)}'`],
    ),
  ].join(' ');

function Filters<Page>({
  visit,
  list: { plural, states, filters },
  typed,
}: {
  visit: Visit;
  list: Omit<List<Page>, 'table'>;
  typed: Query;
}) {
  const bound = visit.key.connections;
  return (
    <form method="get" action={`/console/${plural}`} class="filters" aria-label="Filters">
      <Choice name="state" label="State" value={typed['state']} options={states} any="any state" />
      <Choice
        name="attention"
        label="Flags"
        value={typed['attention']}
        options={['any']}
        any="with or without"
      />
      {bound === undefined ? (
        <TextFilter name="connection" label="Connection" value={typed['connection']} />
      ) : (
        <Choice name="connection" label="Connection" value={typed['connection']} options={bound} />
      )}
      {filters.map(([name, label]) => (
        <TextFilter name={name} label={label} value={typed[name]} />
      ))}
      <TextFilter name="from" label="Requested from" value={typed['from']} type="date" />
      <TextFilter name="until" label="Requested before" value={typed['until']} type="date" />
      <div>
        <button>Filter</button> <a href={`/console/${plural}`}>Clear</a>
      </div>
    </form>
  );
}

const Choice = ({
  name,
  label,
  value,
  options,
  any,
}: {
  name: string;
  label: string;
  value: string | undefined;
  options: readonly string[];
  any?: string;
}) => (
  <div>
    <label for={name}>{label}</label>
    <select id={name} name={name}>
      {any === undefined ? null : <option value="">{any}</option>}
      {options.map((option) => (
        <option value={option} selected={option === value}>
          {option === 'any' ? 'with a flag' : words(option)}
        </option>
      ))}
    </select>
  </div>
);

const TextFilter = ({
  name,
  label,
  value,
  type = 'text',
}: {
  name: string;
  label: string;
  value: string | undefined;
  type?: 'text' | 'date';
}) => (
  <div>
    <label for={name}>{label}</label>
    <input id={name} name={name} type={type} value={value ?? ''} autocomplete="off" />
  </div>
);

const Pager = ({ plural, typed, next }: { plural: string; typed: Query; next: string | undefined }) => (
  <nav class="pager" aria-label="Pages">
    {typed['cursor'] === undefined ? null : (
      <a href={pathOf(`/console/${plural}`, without(typed, 'cursor'))}>First page</a>
    )}
    {next === undefined ? null : (
      <a href={pathOf(`/console/${plural}`, { ...typed, cursor: next })}>Next page</a>
    )}
  </nav>
);

export const listAgreementsPage = list<AgreementPage>({
  plural: 'agreements',
  states: AGREEMENT_VIEW_STATES,
  filters: [],
  table: ({ data }) => <AgreementTable agreements={data} />,
});

export const listPaymentsPage = list<PaymentPage>({
  plural: 'payments',
  states: PAYMENT_VIEW_STATES,
  filters: [
    ['agreement', 'Agreement'],
    ['reference', 'Reference'],
  ],
  table: ({ data }) => <PaymentTable payments={data} isWithAgreement />,
});

function AgreementTable({ agreements }: { agreements: AgreementPage['data'] }) {
  if (agreements.length === 0) return <p>No agreements.</p>;
  return (
    <Table
      label="Agreements"
      heads={['Agreement', 'State', 'Description', 'Requested', 'Connection']}
      rows={agreements.map(({ uid, state, description, created_at: at, connection, attention }) => [
        <a href={`/console/agreements/${encodeURIComponent(uid)}`}>{uid}</a>,
        <>
          <State state={state} />{' '}
          {attention.map(({ code }) => (
            <span class="flag">{words(code)}</span>
          ))}
        </>,
        <Foreign text={description} />,
        <Time at={at} />,
        connection ?? '–',
      ])}
    />
  );
}
