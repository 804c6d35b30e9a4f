// The feed of events, and the page of one event.
import { personalValues } from '../../../domain/agreement/personal-values.js';
import type { Event } from '../answers.js';
import { showPage } from '../layout.js';
import { Facts, Foreign, Time } from '../parts.js';
import { parameter, readPage } from '../visit.js';
import { EventTable, ResourceLink, causeOf, meaningOf } from './event-table.js';
import { listPages } from './list-page.js';
import { showProblem } from './refusal.js';

export const eventLists = listPages<Event>({
  plural: 'events',
  operationIds: ['browseEvents', 'downloadEvents'],
  isFeed: true,
  filters: [
    ['type', 'Type'],
    ['resource_type', 'Type of resource'],
    ['resource', 'Uid of the resource'],
    ['connection', 'Connection'],
  ],
  columns: [
    ['id', ({ id }) => id],
    ['type', ({ type }) => type],
    ['created_at', ({ created_at: at }) => at],
    ['resource_type', ({ resource }) => resource.type],
    ['resource', ({ resource }) => resource.uid],
    ['version', ({ resource }) => resource.version],
    ['connection', ({ connection }) => connection],
    ['caused_by', ({ reason }) => reason.source],
    ['principal', ({ reason }) => reason.principal],
  ],
  intro: () => (
    <>
      <nav class="actions" aria-label="Actions">
        <a href="/console/webhook-endpoints">Webhook endpoints</a>
      </nav>
      <p>
        Events of the last hour, oldest first. Choose a day to begin earlier. A type may end with a star, such
        as payment.*
      </p>
    </>
  ),
  table: (events) => <EventTable events={events} isWithResource />,
});

export const showEvent = readPage(
  {
    path: '/console/events/{event}',
    operationId: 'showEvent',
    summary: 'Show an event with what it means, what caused it, and its payload',
    description: 'Names and accounts are hidden from keys without the scope `personal`.',
  },
  async (visit) => {
    const id = parameter(visit, 'event');
    const { answer, problem } = await visit.api.read<{ data: Event }>(`/v1/events/${encodeURIComponent(id)}`);
    if (problem !== undefined) return showProblem(visit, problem, 'event with this id, or it has expired');
    const content = <Content event={answer.data} isPersonal={visit.key.scopes.includes('personal')} />;
    return showPage(visit.c, { title: `Event ${answer.data.type}`, content, session: visit });
  },
);

/** The API masks accounts, and the console hides names too. */
function payloadOf(event: Event, isPersonal: boolean): string {
  const personal = new Set(personalValues(event));
  const hide = (field: string, value: unknown) =>
    typeof value === 'string' && !isPersonal && (NAME.test(field) || personal.has(value)) ? HIDDEN : value;
  return JSON.stringify(event, hide, 2);
}
/** Also those that are too short to be found in other texts. */
const NAME = /^(ultimate_)?party_name$/;
const HIDDEN = 'hidden: your key lacks the scope personal';

const Content = ({ event, isPersonal }: { event: Event; isPersonal: boolean }) => (
  <>
    <p class="lead">{meaningOf(event.type)}</p>
    <Facts
      rows={[
        ['Event', <code>{event.id}</code>],
        ['When', <Time at={event.created_at} />],
        ['Resource', <ResourceLink type={event.resource.type} uid={event.resource.uid} />],
        ['Its version', String(event.resource.version)],
        [
          'Connection',
          event.connection === null ? 'none' : <ResourceLink type="connection" uid={event.connection} />,
        ],
        ['Caused by', causeOf(event)],
        ['What', event.reason.what === null ? null : <Foreign text={event.reason.what} />],
        ['Flag', event.flag === null ? null : <Foreign text={event.flag.detail} />],
      ]}
    />
    <section aria-labelledby="payload">
      <h2 id="payload">Payload</h2>
      <p>Webhook endpoints and the feed send this, with the personal data that their key may see.</p>
      <pre tabindex={0} dir="ltr">
        {payloadOf(event, isPersonal)}
      </pre>
    </section>
  </>
);
