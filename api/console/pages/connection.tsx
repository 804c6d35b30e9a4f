// The page of a connection: its consent, account, scopes and tokens, and how its webhooks arrive.
import { pathOf, pathTo } from '../../routes/links.js';
import { connectionActions } from '../actions/of-connection.js';
import type { Connection, EventPage } from '../answers.js';
import { counted, duration, words } from '../format.js';
import { showPage } from '../layout.js';
import type { Answered } from '../own-api.js';
import { pageOf } from '../places.js';
import { Facts, Flags, Foreign, State, Time } from '../parts.js';
import { parameter, readPage, type Visit } from '../visit.js';
import { ActionLinks, DoneNotice } from './done.js';
import { EventTable } from './event-table.js';
import { cursorIn } from './timeline.js';
import { showProblem } from './refusal.js';

const HOUR_MS = 3_600_000;
const MOST = 200;

export const showConnection = readPage(
  {
    path: '/console/connections/{id}',
    operationId: 'showConnection',
    summary: 'Show a connection with its consent, account, scopes, tokens, webhooks and events',
    description: 'The list of connections links to it. Its forms renew, confirm and revoke the consent.',
  },
  async (visit) => {
    const { api, c, dependencies } = visit;
    const id = parameter(visit, 'id');
    const { answer, problem } = await api.read<{ data: Connection }>(pathTo('connection', id));
    if (problem !== undefined) return showProblem(visit, problem, 'connection with this id');
    const since = new Date(dependencies.clock.now() - HOUR_MS).toISOString();
    const [own, lastHour] = await Promise.all([
      api.read<EventPage>(
        pathOf('/v1/events', {
          ...{ resource_type: 'connection', resource: id, connection: id, per_page: MOST },
          cursor: c.req.query('cursor'),
        }),
      ),
      api.read<EventPage>(pathOf('/v1/events', { connection: id, since, per_page: MOST })),
    ]);
    const content = <Content visit={visit} connection={answer.data} own={own} lastHour={lastHour} />;
    return showPage(c, { title: `Connection ${id}`, content, session: visit });
  },
);

interface Parts {
  visit: Visit;
  connection: Connection;
  own: Answered<EventPage>;
  lastHour: Answered<EventPage>;
}

function Content({ visit, connection, own, lastHour }: Parts) {
  const page = pageOf('connection', connection.id);
  const nowMs = visit.dependencies.clock.now();
  const actions = connectionActions(connection);
  return (
    <>
      <DoneNotice visit={visit} actions={actions} />
      <p class="lead">{sentenceFor(connection)}</p>
      <Flags flags={connection.attention} path={undefined} nowMs={nowMs} />
      <ActionLinks page={page} actions={actions} resource={connection} />
      <div class="columns">
        <section aria-labelledby="consent">
          <h2 id="consent">Consent</h2>
          <ConsentFacts connection={connection} />
        </section>
        <section aria-labelledby="tokens">
          <h2 id="tokens">Tokens and scopes</h2>
          <TokenFacts connection={connection} nowMs={nowMs} />
        </section>
      </div>
      <Webhooks lastHour={lastHour} id={connection.id} nowMs={nowMs} />
      <History own={own} page={page} />
    </>
  );
}

const STATUS: Readonly<Record<Connection['status'], string>> = {
  awaiting_consent: 'The merchant has not consented yet. Agreements of this connection wait for it.',
  healthy: 'The consent of the merchant is valid, and workers can call the provider.',
  needs_reauthorisation:
    'The consent was lost, withdrawn or revoked. Agreements and payments wait for a new one.',
};

/** Its consent in a sentence or two. */
export function sentenceFor({ status, account_check: check, scopes: { missing } }: Connection): string {
  const more =
    check?.state === 'to_confirm'
      ? ' An account has consented, and an operator must confirm it.'
      : check !== null
        ? ' The account of the latest consent is being checked.'
        : missing.length > 0
          ? ` The merchant did not grant all scopes: ${missing.join(', ')}.`
          : '';
  return `${STATUS[status]}${more}`;
}

const CONSENT_AGAIN = 'Get a link for a new consent, and send it to the merchant.';

/** As `next` of the API, with the forms of this page instead of its requests. */
function nextFor({ status, attention, account_check: check, scopes, next }: Connection): string {
  const [flag] = attention;
  if (flag !== undefined) return 'See the flag above.';
  if (check === null && status !== 'healthy') return CONSENT_AGAIN;
  return check === null && scopes.missing.length > 0 ? `${CONSENT_AGAIN} It adds the missing scopes.` : next;
}

function ConsentFacts({ connection }: { connection: Connection }) {
  const { account_check: check, account_accepted: accepted, last_failure: failure, awaiting } = connection;
  return (
    <Facts
      rows={[
        ['State', <State state={connection.status} />],
        ['What to do', nextFor(connection)],
        [
          'Account, as a hash',
          connection.account === 'unknown' ? 'not known yet' : <code>{connection.account}</code>,
        ],
        ['Check of the account', check === null ? null : `${words(check.state)}. ${check.detail}`],
        ['Checked since', check === null ? null : <Time at={check.since} />],
        [
          'Account accepted',
          accepted === null ? null : (
            <>
              by {accepted.by}, <Time at={accepted.at} />: <Foreign text={accepted.reason} />
            </>
          ),
        ],
        ['Waits since', awaiting.what === 'nothing' ? null : <Time at={awaiting.since} />],
        [
          'Link valid until',
          awaiting.what === 'nothing' || awaiting.until === null ? null : <Time at={awaiting.until} />,
        ],
        [
          'Latest failure',
          failure === null ? null : (
            <>
              <Foreign text={failure.detail} /> <Time at={failure.at} />
            </>
          ),
        ],
        ['Created', <Time at={connection.created_at} />],
      ]}
    />
  );
}

function TokenFacts({ connection, nowMs }: { connection: Connection; nowMs: number }) {
  const { generation, expires_at: expiresAt, scopes } = connection;
  const leftMs = expiresAt === null ? 0 : Date.parse(expiresAt) - nowMs;
  return (
    <Facts
      rows={[
        ['Tokens', generation === 0 ? 'none' : `generation ${generation}: each refresh adds one`],
        [
          'Access token',
          expiresAt === null ? null : (
            <>
              {leftMs > 0
                ? `expires in ${duration(leftMs)}`
                : `expired ${duration(-leftMs)} ago: the worker refreshes it before its next call`}{' '}
              <Time at={expiresAt} />
            </>
          ),
        ],
        ['Scopes granted', grantedOf(connection)],
        ['Scopes missing', generation === 0 ? null : scopes.missing.join(', ') || 'none'],
        ['Scopes needed', generation > 0 && scopes.missing.length === 0 ? null : scopes.needed.join(', ')],
      ]}
    />
  );
}

const grantedOf = ({ generation, scopes: { granted } }: Connection): string =>
  generation === 0 ? 'none' : (granted?.join(', ') ?? 'not named by the provider');

/** The API has no count of waiting webhooks: each is stored in Temporal before it is answered. So this shows what they have caused. */
function Webhooks({
  lastHour: { answer },
  id,
  nowMs,
}: { id: string; nowMs: number } & Pick<Parts, 'lastHour'>) {
  const caused = answer?.data.filter(({ reason }) => reason.source === 'webhook') ?? [];
  const last = caused.at(-1)?.created_at;
  return (
    <section aria-labelledby="webhooks">
      <h2 id="webhooks">Webhooks of the provider</h2>
      {answer === undefined ? (
        <p>The events are not available now.</p>
      ) : last === undefined ? (
        <p>No event in the last hour came from a webhook. That is normal if nothing happened.</p>
      ) : (
        <p>
          {answer.up_to_date ? '' : 'At least '}
          {counted(caused.length, 'event')} in the last hour came from webhooks, the latest{' '}
          {duration(nowMs - Date.parse(last))} ago. Each webhook is handled when it arrives.
        </p>
      )}
      <p>
        <a href={pathOf('/console/events', { connection: id })}>Events of this connection</a>
      </p>
    </section>
  );
}

const History = ({ own: { answer }, page }: { page: string } & Pick<Parts, 'own'>) => (
  <section aria-labelledby="history">
    <h2 id="history">What happened to the connection</h2>
    {answer === undefined ? (
      <p>The events are not available now.</p>
    ) : (
      <>
        <EventTable events={answer.data.toReversed()} isWithResource={false} />
        {answer.up_to_date ? null : (
          <p>
            <a href={`${page}?cursor=${cursorIn(answer.links.next) ?? ''}#history`}>Newer events</a>
          </p>
        )}
      </>
    )}
  </section>
);
