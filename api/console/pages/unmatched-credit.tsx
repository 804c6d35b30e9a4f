// The page of an unmatched credit: what it is, what it may be for, and the decisions.
import { sydneyDayOf } from '../../../domain/time/sydney.js';
import { pathOf, pathTo } from '../../routes/links.js';
import { CREDIT_ACTIONS, similarities } from '../actions/of-credit.js';
import type { Timeline, UnmatchedCredit } from '../answers.js';
import { pageOf } from '../places.js';
import { dollars, sydneyDay, words } from '../format.js';
import { showPage } from '../layout.js';
import { Facts, Flags, Foreign, Money, State, Table, Time } from '../parts.js';
import { parameter, readPage, type Visit } from '../visit.js';
import { ActionLinks, DoneNotice } from './done.js';
import { showProblem } from './refusal.js';
import { TimelineOf, timelinePath } from './timeline.js';

export const showUnmatchedCredit = readPage(
  {
    path: '/console/unmatched-credits/{uid}',
    operationId: 'showUnmatchedCredit',
    summary: 'Show an unmatched credit with what it may be for',
    description: 'A list or the search links to it. Its forms decide what the credit is.',
  },
  async (visit) => {
    const { api, c } = visit;
    const uid = parameter(visit, 'uid');
    const path = pathTo('unmatched-credit', uid);
    const [{ answer, problem }, timeline] = await Promise.all([
      api.read<{ data: UnmatchedCredit }>(path),
      api.read<Timeline>(timelinePath(path, c.req.query('timeline'))),
    ]);
    if (problem !== undefined) return showProblem(visit, problem, 'unmatched credit with this uid');
    return showPage(c, {
      title: `Unmatched credit ${uid}`,
      content: <Content visit={visit} credit={answer.data} timeline={timeline.answer} />,
      session: visit,
    });
  },
);

interface Parts {
  visit: Visit;
  credit: UnmatchedCredit;
  timeline: Timeline | undefined;
}

function Content({ visit, credit, timeline }: Parts) {
  const page = pageOf('unmatched-credit', credit.uid);
  const isWaiting = credit.state === 'open' || credit.state === 'unconfirmed';
  return (
    <>
      <DoneNotice visit={visit} actions={CREDIT_ACTIONS} />
      <p class="lead">{sentenceFor(credit)}</p>
      <Flags
        flags={credit.attention}
        path={undefined}
        nowMs={visit.dependencies.clock.now()}
        next={({ code, next }) =>
          code === 'credit_undecided' ? 'Find out what the credit is, and decide below.' : next
        }
      />
      {isWaiting ? <ActionLinks page={page} actions={CREDIT_ACTIONS} resource={credit} /> : null}
      <section aria-labelledby="facts">
        <h2 id="facts">Credit</h2>
        <CreditFacts credit={credit} isPersonal={visit.key.scopes.includes('personal')} />
      </section>
      {isWaiting ? <Candidates credit={credit} page={page} /> : null}
      <Duplicates credit={credit} />
      <TimelineOf timeline={timeline} page={page} />
    </>
  );
}

const ENDS: Readonly<Record<'returned' | 'kept' | 'ignored', string>> = {
  returned: 'It was sent back to the payer',
  kept: 'It was kept without a match',
  ignored: 'It was ignored',
};

/** Such as `$7.00 arrived on 1 October 2026, and waits for a decision.` */
export function sentenceFor({
  amount,
  state,
  received_at: at,
  resolution,
  joined_to: joined,
}: UnmatchedCredit): string {
  const what = amount === null ? 'An unknown amount' : dollars(amount);
  const arrived = `${what} arrived${at === null ? '' : ` on ${sydneyDay(at)}`}`;
  const decided = resolution === null ? '' : `, decided by ${resolution.by} on ${sydneyDay(resolution.at)}`;
  switch (state) {
    case 'unconfirmed':
      return `A notification reports that ${arrived.replace(/^A/, 'a')}, but no entry of the float account confirms it. Do not treat the money as received.`;
    case 'open':
      return `${arrived}, and the provider could not match it. It waits for a decision.`;
    case 'matched':
      return `${arrived}. It pays ${resolution?.payment == null ? 'the agreement' : 'the payment'} ${resolution?.payment ?? resolution?.agreement ?? ''}${decided}.`;
    case 'joined':
      return `${arrived}, and is the same credit as the case ${joined ?? ''}. Decide that one.`;
    default:
      return `${arrived}. ${ENDS[state]}${decided}.`;
  }
}

const HIDDEN = 'hidden: your key lacks the scope personal';

function CreditFacts({ credit, isPersonal }: { credit: UnmatchedCredit; isPersonal: boolean }) {
  const { debtor, resolution, joined_to: joined } = credit;
  return (
    <Facts
      rows={[
        ['State', <State state={credit.state} />],
        ['Amount', <Money cents={credit.amount} />],
        ['Received', <Time at={credit.received_at} />],
        ['Float account', <ResourceLink kind="float-account" uid={credit.float_account} />],
        ['Entry', <EntryLink credit={credit} />],
        ['Confirmed', credit.confirmed_at === null ? null : <Time at={credit.confirmed_at} />],
        ['The same as', joined === null ? null : <ResourceLink kind="unmatched-credit" uid={joined} />],
        ['Payer', isPersonal ? <Foreign text={debtor?.party_name} /> : HIDDEN],
        ['Account of the payer', isPersonal ? <Foreign text={debtor?.account_identifier?.value} /> : HIDDEN],
        ['Reference', <Foreign text={debtor?.reference} />],
        ['Description', <Foreign text={credit.description} />],
        [
          'Notification',
          credit.authenticated ? 'from the provider, with a valid signature' : 'none whose sender is proven',
        ],
        [
          'Decision',
          resolution === null ? null : (
            <>
              {words(resolution.decision)}{' '}
              {resolution.payment === null ? null : <ResourceLink kind="payment" uid={resolution.payment} />}
              {resolution.agreement === null ? null : (
                <ResourceLink kind="agreement" uid={resolution.agreement} />
              )}
            </>
          ),
        ],
        ['Reason', resolution === null ? null : <Foreign text={resolution.reason} />],
        ['Decided by', resolution?.by],
        ['Decided at', resolution === null ? null : <Time at={resolution.at} />],
        ['Connection', credit.connection ?? '–'],
      ]}
    />
  );
}

/** The entry is in the statement of its day. */
const EntryLink = ({
  credit: { entry, received_at: at, float_account: account },
}: {
  credit: UnmatchedCredit;
}) =>
  entry === null || at === null ? (
    <>none confirms it yet</>
  ) : (
    <a href={`${pathOf(pageOf('float-account', account), { day: sydneyDayOf(at) })}#entries`}>{entry}</a>
  );

const ResourceLink = ({ kind, uid }: { kind: Parameters<typeof pageOf>[0]; uid: string }) => (
  <a href={pageOf(kind, uid)}>{uid}</a>
);

const Candidates = ({ credit: { state, candidates }, page }: { credit: UnmatchedCredit; page: string }) => (
  <section aria-labelledby="candidates">
    <h2 id="candidates">What it may be for</h2>
    {candidates === null ? (
      <p>
        {state === 'unconfirmed'
          ? 'The records propose nothing until an entry of the float account confirms the credit.'
          : 'The records are not available now. Reload the page later.'}
      </p>
    ) : candidates.length === 0 ? (
      <p>The records have no payment and no agreement that looks like it.</p>
    ) : (
      <>
        <p>These are proposals, best first. Check before you decide.</p>
        <Table
          label="Candidates"
          heads={['Candidate', 'State', 'Amount']}
          rows={candidates.map(({ kind, uid, state: its, amount, reasons }) => [
            <>
              {kind} <ResourceLink kind={kind} uid={uid} />
              <small>{similarities(reasons)}</small>
              {state === 'open' ? (
                <a href={`${page}/commands/matched?${kind}_uid=${encodeURIComponent(uid)}`}>
                  Decide that it pays this {kind}
                </a>
              ) : null}
            </>,
            <State state={its} />,
            <Money cents={amount} />,
          ])}
        />
      </>
    )}
  </section>
);

const Duplicates = ({
  credit: { possible_duplicates: found, float_account: account },
}: {
  credit: UnmatchedCredit;
}) =>
  found === null || found.length === 0 ? null : (
    <section aria-labelledby="duplicates">
      <h2 id="duplicates">Perhaps the same credit</h2>
      <p>The same account and amount, at most a day apart. Compare them before you decide either.</p>
      <ul>
        {found.map(({ kind, uid }) => (
          <li>
            {kind === 'case' ? (
              <>
                case <ResourceLink kind="unmatched-credit" uid={uid} />
              </>
            ) : (
              <>
                entry <code>{uid}</code> of <ResourceLink kind="float-account" uid={account} />
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
