// The entries of a float account as a table: the statement of a day, or the newest.
import { pathOf } from '../../routes/links.js';
import type { FloatAccount, FloatEntriesPage, StatementPage } from '../answers.js';
import { pageOf } from '../places.js';
import { dayInWords, dollars } from '../format.js';
import { Facts, Foreign, Money, Table, Time } from '../parts.js';
import { cursorIn } from './timeline.js';

/** What the entries part shows. Undefined pages: the records are away. */
export interface Entries {
  statement?: StatementPage | undefined;
  newest?: FloatEntriesPage | undefined;
  problem?: string | undefined;
}

type Entry = FloatEntriesPage['data'][number];

interface Parts {
  account: FloatAccount;
  day: string | undefined;
  entries: Entries;
  /** Of the address. */
  query: Readonly<Record<string, string>>;
}

export function EntriesOf({ account, day, entries: { statement, newest, problem }, query }: Parts) {
  const page = pageOf('float-account', account.uid);
  const found = statement?.data.entries ?? newest?.data;
  const next = cursorIn((statement ?? newest)?.links.next);
  const { cursor, ...filters } = query;
  return (
    <>
      {problem === undefined ? null : <p class="notice warn">The entries are not available now: {problem}</p>}
      {day === undefined ? (
        <p>
          Newest first: <a href={`${page}#entries`}>all</a>,{' '}
          <a href={`${page}?type=credit#entries`}>credits</a>,{' '}
          <a href={`${page}?type=debit#entries`}>debits</a>,{' '}
          <a href={`${page}?matched=false#entries`}>not explained</a>
        </p>
      ) : null}
      {statement === undefined || day === undefined ? null : (
        <Statement statement={statement.data} page={page} />
      )}
      {found === undefined ? null : found.length === 0 ? <p>No entries.</p> : <EntryTable entries={found} />}
      <nav class="pager" aria-label="Pages">
        {cursor === undefined ? null : <a href={`${pathOf(page, filters)}#entries`}>First page</a>}
        {next === undefined ? null : (
          <a href={`${pathOf(page, { ...filters, cursor: next })}#entries`}>Next page</a>
        )}
      </nav>
    </>
  );
}

const Statement = ({ statement, page }: { statement: StatementPage['data']; page: string }) => (
  <>
    <h3>Statement of {dayInWords(statement.day)}</h3>
    {statement.complete ? null : (
      <p class="notice warn">
        The account was not read after the end of this day yet, so entries may be missing. Do not book the day
        before this note is gone.
      </p>
    )}
    {statement.chain_breaks.length === 0 ? null : (
      <p class="notice bad">
        {statement.chain_breaks.length === 1
          ? 'One entry does'
          : `${statement.chain_breaks.length} entries do`}{' '}
        not start at the balance that the entry before left. See the breaks above.
      </p>
    )}
    <Facts
      rows={[
        ['Opening balance', <Money cents={statement.opening} />],
        ['Credits', sumOf(statement.credits)],
        ['Debits', sumOf(statement.debits)],
        ['Closing balance', <Money cents={statement.closing} />],
        ['Explained', sumOf(statement.matched)],
        ['Not explained', sumOf(statement.unmatched)],
        ['Last read', <Time at={statement.read_at} />],
      ]}
    />
    <p>
      <a href={`${page}/statements/${statement.day}`}>Download this statement as CSV</a>,{' '}
      <a href={`${page}#entries`}>show the newest entries</a>
    </p>
  </>
);

const sumOf = ({ count, amount }: { count: number; amount: number }): string =>
  `${dollars(amount)} in ${count} ${count === 1 ? 'entry' : 'entries'}`;

const EntryTable = ({ entries }: { entries: readonly Entry[] }) => (
  <Table
    label="Entries"
    heads={['At', 'Amount', 'Balance after', 'Explained by', 'Description', 'Entry']}
    rows={entries.map((entry) => [
      <Time at={entry.at} />,
      <Money cents={entry.amount} />,
      <Money cents={entry.balance_after} />,
      <Explained entry={entry} />,
      <Foreign text={entry.description} />,
      <code>{entry.id}</code>,
    ])}
  />
);

/** Refunds have no page, so the search shows them. */
function Explained({ entry: { payment, refund, case: ofCase, case_state: state } }: { entry: Entry }) {
  if (payment !== null)
    return (
      <>
        payment <a href={pageOf('payment', payment)}>{payment}</a>
      </>
    );
  if (refund !== null)
    return (
      <>
        refund <a href={pathOf('/console/search', { q: refund })}>{refund}</a>
      </>
    );
  if (ofCase === null) return <>nothing yet</>;
  return (
    <>
      unmatched credit <a href={pageOf('unmatched-credit', ofCase)}>{ofCase}</a>
      {state === null ? '' : `, ${state}`}
    </>
  );
}
