// Tables that fit the terminal. Rows come page by page, so the widths follow from the first page.
import { printable } from './format.js';

export interface Column<Row> {
  title: string;
  value: (row: Row) => string;
  /** It can be cut in a narrow terminal. Others, such as uids, are whole, or left out if they are not the first. */
  isText?: true | undefined;
  /** Numbers are aligned at their end. */
  isNumber?: true | undefined;
}

const GAP = 2;
const LEAST_TEXT = 10;
interface Placed<Row> extends Column<Row> {
  width: number;
}

/** Renders pages of rows. The first page has the titles. */
export interface TableWriter<Row> {
  page: (rows: readonly Row[]) => string;
}

/** @param columns the most important one first. @param width of the terminal. Undefined: without a limit. */
export function createTable<Row>(
  columns: readonly Column<Row>[],
  width: number | undefined,
): TableWriter<Row> {
  let placed: Placed<Row>[] | undefined;
  return {
    page: (rows) => {
      const isFirst = placed === undefined;
      placed ??= place(columns, rows, width);
      const lines = rows.map((row) => (placed ?? []).map((column) => cell(column, row)));
      return render(placed, isFirst ? [placed.map(({ title }) => title), ...lines] : lines);
    },
  };
}

const cell = <Row>({ value }: Column<Row>, row: Row): string => printable(value(row)).replaceAll('\n', ' ');

const render = <Row>(columns: readonly Placed<Row>[], lines: readonly string[][]): string =>
  lines
    .map(
      (line) =>
        `${columns
          .map((column, index) => fit(line[index] ?? '', column))
          .join(' '.repeat(GAP))
          .trimEnd()}\n`,
    )
    .join('');

function fit<Row>(text: string, { width, isText, isNumber }: Placed<Row>): string {
  if (text.length > width && isText) return `${text.slice(0, width - 1)}…`;
  return isNumber ? text.padStart(width) : text.padEnd(width);
}

/** Cuts texts first, then leaves out columns that do not fit beside the more important ones. */
function place<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width = Infinity): Placed<Row>[] {
  let placed: Placed<Row>[] = [];
  let chosen: Placed<Row>[] = [];
  for (const column of columns) {
    const wanted = Math.max(column.title.length, ...rows.map((row) => cell(column, row).length));
    const wider = [...chosen, { ...column, width: wanted }];
    const fitted = squeezed(wider, width) ?? (chosen.length === 0 ? wider : undefined);
    if (fitted !== undefined) [chosen, placed] = [wider, fitted];
  }
  return placed;
}

/** @returns undefined if they do not fit with the shortest texts. */
function squeezed<Row>(columns: readonly Placed<Row>[], width: number): Placed<Row>[] | undefined {
  const total = (list: readonly Placed<Row>[]) => list.reduce((sum, one) => sum + one.width + GAP, -GAP);
  const shortest = columns.map((one) =>
    one.isText ? { ...one, width: Math.min(one.width, LEAST_TEXT) } : one,
  );
  if (total(shortest) > width) return undefined;
  let spare = width - total(shortest);
  return shortest.map((one, index) => {
    const more = Math.min(spare, (columns[index]?.width ?? one.width) - one.width);
    spare -= more;
    return { ...one, width: one.width + more };
  });
}
