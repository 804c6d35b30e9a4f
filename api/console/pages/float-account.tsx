// The page of a float account: balance, chain, flags, and its entries, of a day or newest first.
import { addDays } from '../../../domain/time/calendar.js';
import { sydneyDayOf } from '../../../domain/time/sydney.js';
import { pathOf, pathTo } from '../../routes/links.js';
import { FLOAT_ACCOUNT_ACTIONS } from '../actions/of-float-account.js';
import type { FloatAccount, FloatEntriesPage, StatementPage, Timeline } from '../answers.js';
import { pageOf } from '../places.js';
import { dollars, sydneyDay } from '../format.js';
import { showPage } from '../layout.js';
import { Facts, Flags, Foreign, Money, State, Table, Time } from '../parts.js';
import { parameter, readPage, type Visit } from '../visit.js';
import { DayChooser, namedDayIn } from './day-parts.js';
import { ActionLinks, DoneNotice } from './done.js';
import { EntriesOf, type Entries } from './float-entries.js';
import { showProblem } from './refusal.js';
import { TimelineOf, timelinePath } from './timeline.js';

export const showFloatAccount = readPage(
  {
    path: '/console/float-accounts/{uid}',
    operationId: 'showFloatAccount',
    summary: 'Show a float account with its balance and entries',
    description:
      'With `day` it shows the statement of a day in Sydney. Its forms acknowledge a break and request a reading.',
  },
  async (visit) => {
    const { api, c } = visit;
    const uid = parameter(visit, 'uid');
    const path = pathTo('float-account', uid);
    const day = namedDayIn(visit);
    const { answer, problem } = await api.read<{ data: FloatAccount }>(path);
    if (problem !== undefined) return showProblem(visit, problem, 'float account with this uid');
    const [entries, timeline] = await Promise.all([
      entriesFor(visit, path, day),
      api.read<Timeline>(timelinePath(path, c.req.query('timeline'))),
    ]);
    const content = (
      <Content visit={visit} account={answer.data} day={day} entries={entries} timeline={timeline.answer} />
    );
    return showPage(c, { title: `Float account ${uid}`, content, session: visit });
  },
);

async function entriesFor({ api, c }: Visit, path: string, day: string | undefined): Promise<Entries> {
  const page = { per_page: 50, cursor: c.req.query('cursor') };
  if (day === undefined) {
    const type = ['credit', 'debit'].find((one) => one === c.req.query('type'));
    const matched = c.req.query('matched') === 'false' ? 'false' : undefined;
    const { answer, problem } = await api.read<FloatEntriesPage>(
      pathOf(`${path}/entries`, { ...page, type, matched }),
    );
    return { newest: answer, problem: problem?.detail };
  }
  const { answer, problem } = await api.read<StatementPage>(pathOf(`${path}/statements/${day}`, page));
  return { statement: answer, problem: problem?.detail };
}

interface Parts {
  visit: Visit;
  account: FloatAccount;
  day: string | undefined;
  entries: Entries;
  timeline: Timeline | undefined;
}

function Content({ visit, account, day, entries, timeline }: Parts) {
  const page = pageOf('float-account', account.uid);
  const today = sydneyDayOf(new Date(visit.dependencies.clock.now()).toISOString());
  return (
    <>
      <DoneNotice visit={visit} actions={FLOAT_ACCOUNT_ACTIONS} />
      <p class="lead">{sentenceFor(account)}</p>
      <Flags
        flags={account.attention}
        path={undefined}
        nowMs={visit.dependencies.clock.now()}
        next={({ code, next }) =>
          code === 'float_chain'
            ? 'Compare the entries with the provider’s statement, then acknowledge the break with the button below.'
            : next
        }
      />
      <ActionLinks page={page} actions={FLOAT_ACCOUNT_ACTIONS} resource={account}>
        <a href={`${pathOf(page, { day: addDays(today, -1) })}#entries`}>Statement of yesterday</a>
      </ActionLinks>
      <section aria-labelledby="facts">
        <h2 id="facts">Account</h2>
        <AccountFacts account={account} isPersonal={visit.key.scopes.includes('personal')} />
      </section>
      <Breaks account={account} />
      <section aria-labelledby="entries">
        <h2 id="entries">Entries</h2>
        <DayChooser visit={visit} day={day ?? today} page={page} anchor="#entries" />
        <EntriesOf account={account} day={day} entries={entries} query={visit.c.req.query()} />
      </section>
      <TimelineOf timeline={timeline} page={page} />
    </>
  );
}

const STATES: Readonly<Record<FloatAccount['state'], string>> = {
  reading: 'A worker reads its entries for the first time.',
  followed: 'Workers read its entries.',
  blocked:
    'Its entries cannot be read now: the connection has no consent or lacks a scope, or the provider no longer has the account.',
};

/** Such as `$1,000.00 after its newest entry of 1 October 2026. Workers read its entries.` */
export function sentenceFor({ balance, last_entry_at: at, state, chain }: FloatAccount): string {
  const money =
    balance === null || at === null
      ? 'No entry is stored yet.'
      : `${dollars(balance)} after its newest entry of ${sydneyDay(at)}.`;
  const broken = chain === 'broken' ? ' Its balances do not follow from each other.' : '';
  return `${money} ${STATES[state]}${broken}`;
}

const AccountFacts = ({ account, isPersonal }: { account: FloatAccount; isPersonal: boolean }) => (
  <Facts
    rows={[
      ['Name', account.title === null ? null : <Foreign text={account.title} />],
      ['State', <State state={account.state} />],
      ['Balance', <Money cents={account.balance} />],
      ['Newest entry', <Time at={account.last_entry_at} />],
      ['Entries', String(account.entry_count)],
      [
        'Entries that cannot be read',
        account.unreadable_count === 0 ? null : String(account.unreadable_count),
      ],
      ['Balances', account.chain === 'whole' ? 'follow from each other' : 'do not follow from each other'],
      ['Bank', account.bank_name === null ? null : <Foreign text={account.bank_name} />],
      ['BSB', account.branch_code],
      [
        'Account number',
        isPersonal ? <Foreign text={account.account_number} /> : 'hidden: your key lacks the scope personal',
      ],
      ['Status at the provider', account.status === null ? null : <Foreign text={account.status} />],
      [
        'Reading requested',
        account.reading === null ? null : (
          <>
            since <Time at={account.reading.since} />
          </>
        ),
      ],
      ['Followed since', <Time at={account.followed_since} />],
      ['Connection', account.connection],
    ]}
  />
);

/** Entries that do not follow each other, and who has acknowledged that. */
const Breaks = ({ account }: { account: FloatAccount }) =>
  account.chain_breaks.length === 0 ? null : (
    <section aria-labelledby="breaks">
      <h2 id="breaks">Breaks in the balances</h2>
      <Table
        label="Breaks in the balances"
        heads={['At', 'Entry before', 'Left', 'Entry after', 'Starts at', 'Mended']}
        rows={account.chain_breaks
          .toReversed()
          .map((one) => [
            <Time at={one.at} />,
            <code>{one.before}</code>,
            <Money cents={one.expected} />,
            <code>{one.after}</code>,
            <Money cents={one.found} />,
            one.mended_at === null ? 'no' : <Time at={one.mended_at} />,
          ])}
      />
      <ul>
        {account.acknowledgements.toReversed().map(({ by, reason, at }) => (
          <li>
            Acknowledged by {by}, <Time at={at} />: <Foreign text={reason} />
          </li>
        ))}
      </ul>
    </section>
  );
