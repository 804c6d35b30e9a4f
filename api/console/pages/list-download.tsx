// A whole list as CSV, read page by page from the API and written as it is read.
import { CSV_UTF8, type CsvRow } from '../../http/csv.js';
import { longAnswer } from '../../http/long-answers.js';
import { csvParts } from '../../http/streamed.js';
import { showPage } from '../layout.js';
import type { Problem } from '../own-api.js';
import { ProblemNotice } from '../parts.js';
import type { Visit } from '../visit.js';

/** A column of the file: its name, and its value in a row. Amounts are cents. */
export type Column<Row> = readonly [
  name: string,
  value: (row: Row) => string | number | boolean | null | undefined,
];

interface Download<Row> {
  /** The name of the file, without its ending. */
  name: string;
  /** The first page of the list of the API, with its filters. */
  path: string;
  /** At least two. */
  columns: readonly Column<Row>[];
}

interface Page<Row> {
  data: readonly Row[];
  links: { next?: string | undefined };
}

class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail);
  }
}

/** The last row of the file has its number of rows (`CSV_END`). A refused query answers a page instead. */
export async function downloadList<Row>(
  visit: Visit,
  { name, path, columns }: Download<Row>,
): Promise<Response> {
  const { c, dependencies } = visit;
  c.header('content-disposition', `attachment; filename="${name}.csv"`);
  const { log, longAnswers } = dependencies;
  const rowOf = (row: Row): CsvRow =>
    Object.fromEntries(columns.map(([column, value]) => [column, value(row) ?? null]));
  try {
    return await longAnswer(c, { log, limiter: longAnswers.paged, type: CSV_UTF8 }, async () => {
      const first = await pageAt<Row>(visit, path);
      const names = columns.map(([column]) => column);
      return csvParts(names, rowsFrom(visit, first, rowOf));
    });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    c.header('content-disposition', undefined);
    const content = <ProblemNotice problem={error.problem} />;
    return showPage(c, { title: 'No download', content, session: visit, status: 422 });
  }
}

async function* rowsFrom<Row>(
  visit: Visit,
  first: Page<Row>,
  rowOf: (row: Row) => CsvRow,
): AsyncGenerator<readonly CsvRow[]> {
  let page = first;
  for (;;) {
    yield page.data.map(rowOf);
    if (page.links.next === undefined) return;
    page = await pageAt<Row>(visit, page.links.next);
  }
}

async function pageAt<Row>({ api }: Visit, path: string): Promise<Page<Row>> {
  const { answer, problem } = await api.read<Page<Row>>(path);
  if (problem !== undefined) throw new Refused(problem);
  return answer;
}
