// A list of resources: filters in the address, pages, a download as CSV, and the same query for a terminal.
import type { Child } from 'hono/jsx';
import { startOfSydneyDay } from '../../../domain/time/sydney.js';
import { pathOf } from '../../routes/links.js';
import { sentenceOf } from '../format.js';
import { showPage } from '../layout.js';
import { ProblemNotice, Queries } from '../parts.js';
import { readPage, type Visit } from '../visit.js';
import { downloadList, type Column } from './list-download.js';
import { Filters } from './list-filters.js';
import { cursorIn } from './timeline.js';

export type Query = Readonly<Record<string, string>>;

/** A page of a list, as the API answers it. */
export interface AnyPage<Row = object> {
  data: readonly Row[];
  links: { next?: string | undefined };
}

export interface List<Row extends object> {
  /** As the path of the API has it. */
  plural: string;
  /** Default: the plural. */
  title?: string;
  /** In the document of the API, such as `browseAgreements` and `downloadAgreements`. */
  operationIds: readonly [show: string, download: string];
  /** The states to choose from. Absent: the list has no filter of states and flags. */
  states?: readonly string[];
  /** Text filters besides the connection and the days. */
  filters?: readonly (readonly [name: string, label: string])[];
  /** The days when a resource was requested. Default: true. */
  hasDays?: boolean;
  columns: readonly Column<Row>[];
  table: (rows: readonly Row[], visit: Visit) => Child;
  /** Above the table, such as a link to a form. */
  intro?: (visit: Visit) => Child;
}

/** The two endpoints of a list: its page, and its download. */
export const listPages = <Row extends object>(list: List<Row>) => [
  readPage(
    {
      path: `/console/${list.plural}`,
      operationId: list.operationIds[0],
      summary: `Show a list of ${nameOf(list)}`,
      description: 'Its filters are those of the list of the API, and are in the address.',
    },
    (visit) => showList(visit, list),
  ),
  readPage(
    {
      path: `/console/${list.plural}.csv`,
      operationId: list.operationIds[1],
      summary: `Download a list of ${nameOf(list)} as CSV`,
      description: 'It has the same filters as the list, and all pages.',
    },
    (visit) => {
      const { query } = queryOf(visit, list);
      return downloadList(visit, {
        name: list.plural,
        path: pathOf(`/v1/${list.plural}`, without({ ...query, per_page: '200' }, 'cursor')),
        columns: list.columns,
      });
    },
  ),
];

const nameOf = ({ title, plural }: { title?: string; plural: string }): string =>
  title === undefined ? plural.replaceAll('-', ' ') : title.toLowerCase();

async function showList<Row extends object>(visit: Visit, list: List<Row>): Promise<Response> {
  const { plural, title = sentenceOf(plural), table, intro } = list;
  const { typed, query } = queryOf(visit, list);
  const { answer, problem } = await visit.api.read<AnyPage<Row>>(pathOf(`/v1/${plural}`, query));
  const shared = without(query, 'cursor');
  const content = (
    <>
      {intro?.(visit)}
      <Filters bound={visit.key.connections} list={list} typed={{ ...shared, ...typed }} />
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      {answer === undefined ? null : table(answer.data, visit)}
      <Pager plural={plural} typed={typed} next={cursorIn(answer?.links.next)} />
      <p>
        <a href={pathOf(`/console/${plural}.csv`, without(typed, 'cursor'))}>Download all pages as CSV</a>
      </p>
      <Queries path={pathOf(`/v1/${plural}`, shared)} payto={paytoOf(plural, shared)} />
    </>
  );
  const status = problem === undefined ? 200 : problem.status === 404 ? 404 : 422;
  return showPage(visit.c, { title, content, session: visit, status });
}

/** @returns what the person typed, and the query of the API for it. */
function queryOf<Row extends object>(
  visit: Visit,
  { states, filters = [], hasDays = true }: List<Row>,
): { typed: Query; query: Query } {
  const names = [
    ...(states === undefined ? [] : ['state', 'attention', 'connection']),
    ...(hasDays ? ['from', 'until'] : []),
    ...['cursor', ...filters.map(([name]) => name)],
  ];
  const typed = typedIn(visit, names);
  const { from, until, ...rest } = typed;
  // The API wants a key with several connections to name one.
  const first = names.includes('connection') ? visit.key.connections?.[0] : undefined;
  const query = {
    ...(first !== undefined && { connection: first }),
    ...rest,
    ...(from !== undefined && { created_from: startOfSydneyDay(from) }),
    ...(until !== undefined && { created_until: startOfSydneyDay(until) }),
    per_page: '50',
  };
  return { typed, query };
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** The filters with a value. A malformed day is left out, because the field cannot show it. */
function typedIn({ c }: Visit, names: readonly string[]): Query {
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
      name === 'per_page'
        ? []
        : [`--${name.replaceAll('_', '-')} '${value.replaceAll("'", String.raw`'\''`)}'`],
    ),
  ].join(' ');

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
