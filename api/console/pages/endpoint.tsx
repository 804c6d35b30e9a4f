// The list of webhook endpoints, and the page of one with its deliveries.
import { DELIVERY_OUTCOMES } from '../../../records/webhook-endpoint-deliveries.js';
import { pathOf } from '../../routes/links.js';
import { ENDPOINT_ACTIONS } from '../actions/of-endpoint.js';
import type { Delivery, DeliveryPage, WebhookEndpoint } from '../answers.js';
import { counted, duration, sentenceOf, words } from '../format.js';
import { showPage } from '../layout.js';
import type { Answered } from '../own-api.js';
import { Facts, Flags, FlagsBeside, Foreign, ProblemNotice, State, Table, Time, flagsOf } from '../parts.js';
import { parameter, readPage, type Visit } from '../visit.js';
import { ActionLinks, DoneNotice } from './done.js';
import { ResourceLink, eventPage } from './event-table.js';
import { listPages } from './list-page.js';
import { Choice, TextFilter } from './list-filters.js';
import { showProblem } from './refusal.js';
import { cursorIn } from './timeline.js';

export const endpointPage = (id: string): string => `/console/webhook-endpoints/${encodeURIComponent(id)}`;
export const endpointPath = (id: string): string => `/v1/webhook-endpoints/${encodeURIComponent(id)}`;

export const endpointLists = listPages<WebhookEndpoint>({
  plural: 'webhook-endpoints',
  title: 'Webhook endpoints',
  operationIds: ['browseWebhookEndpoints', 'downloadWebhookEndpoints'],
  hasDays: false,
  columns: [
    ['id', ({ id }) => id],
    ['url', ({ url }) => url],
    ['status', ({ status }) => status],
    ['flags', flagsOf],
    ['types', ({ types }) => types?.join(' ')],
    ['up_to_date_until', ({ delivery }) => delivery.up_to_date_until],
    ['failing_since', ({ delivery }) => delivery.failing_since],
    ['waiting_resources', ({ delivery }) => delivery.waiting_resources],
    ['principal', ({ principal }) => principal],
  ],
  intro: () => (
    <p>
      They send events to backends. A key sees the endpoints of its principal; operators of all connections
      see all. The API creates them and rotates their secrets, so that no secret is on a page.
    </p>
  ),
  table: (endpoints, visit) => <EndpointTable endpoints={endpoints} nowMs={visit.dependencies.clock.now()} />,
});

const EndpointTable = ({ endpoints, nowMs }: { endpoints: readonly WebhookEndpoint[]; nowMs: number }) =>
  endpoints.length === 0 ? (
    <p>No webhook endpoints.</p>
  ) : (
    <Table
      label="Webhook endpoints"
      heads={['Endpoint', 'State', 'Events', 'Delivery', 'Last success', 'Owner']}
      rows={endpoints.map((endpoint) => [
        <a href={endpointPage(endpoint.id)}>
          <Foreign text={endpoint.url} />
        </a>,
        <>
          <State state={endpoint.status} />
          <FlagsBeside attention={endpoint.attention} />
        </>,
        endpoint.types?.join(', ') ?? 'all types',
        deliveryOf(endpoint, nowMs),
        <Time at={endpoint.delivery.last_success_at} />,
        endpoint.principal,
      ])}
    />
  );

/** An endpoint that is later than this is behind. */
const LATE_MS = 60_000;

/** How far the deliveries are, in words. */
function deliveryOf({ status, delivery }: WebhookEndpoint, nowMs: number): string {
  const lagMs = nowMs - Date.parse(delivery.up_to_date_until);
  if (status === 'disabled') return `stopped: events since ${duration(lagMs)} ago wait`;
  if (delivery.paused_because !== null) return 'paused: no API process has its key';
  const { failing_since: failingSince, waiting_resources: waiting } = delivery;
  if (failingSince !== null)
    return `failing for ${duration(nowMs - Date.parse(failingSince))}; events of ${counted(waiting, 'resource')} wait`;
  return lagMs > LATE_MS ? `behind by ${duration(lagMs)}` : 'up to date';
}

export const showEndpoint = readPage(
  {
    path: '/console/webhook-endpoints/{id}',
    operationId: 'showWebhookEndpoint',
    summary: 'Show a webhook endpoint with its deliveries',
    description: 'Its forms send a test event, resend a delivery, replay events, and enable or disable it.',
  },
  async (visit) => {
    const { api, c } = visit;
    const id = parameter(visit, 'id');
    const { answer, problem } = await api.read<{ data: WebhookEndpoint }>(endpointPath(id));
    if (problem !== undefined) return showProblem(visit, problem, 'webhook endpoint with this id');
    const filters = filtersIn(visit);
    const query = { ...filters, cursor: c.req.query('cursor'), per_page: 50 };
    const deliveries = await api.read<DeliveryPage>(pathOf(`${endpointPath(id)}/deliveries`, query));
    const content = (
      <Content visit={visit} endpoint={answer.data} deliveries={deliveries} filters={filters} />
    );
    return showPage(c, { title: 'Webhook endpoint', content, session: visit });
  },
);

interface Parts {
  visit: Visit;
  endpoint: WebhookEndpoint;
  deliveries: Answered<DeliveryPage>;
  filters: { outcome: string | undefined; event: string | undefined };
}

const filtersIn = ({ c }: Visit): Parts['filters'] => ({
  outcome: c.req.query('outcome') || undefined,
  event: c.req.query('event')?.trim() || undefined,
});

function Content({ visit, endpoint, deliveries, filters }: Parts) {
  const page = endpointPage(endpoint.id);
  const nowMs = visit.dependencies.clock.now();
  return (
    <>
      <DoneNotice visit={visit} actions={ENDPOINT_ACTIONS} />
      <p class="lead">
        <Foreign text={endpoint.url} />: {words(endpoint.status)}, {deliveryOf(endpoint, nowMs)}.
      </p>
      <Flags flags={endpoint.attention} path={page} nowMs={nowMs} />
      <ActionLinks page={page} actions={ENDPOINT_ACTIONS} resource={endpoint} />
      <EndpointFacts endpoint={endpoint} />
      <Deliveries page={page} deliveries={deliveries} filters={filters} />
    </>
  );
}

const EndpointFacts = ({ endpoint }: { endpoint: WebhookEndpoint }) => (
  <Facts
    rows={[
      ['Id', <code>{endpoint.id}</code>],
      ['State', <State state={endpoint.status} />],
      [
        'Disabled',
        endpoint.disabled_at === null ? null : (
          <>
            because of: {words(endpoint.disabled_because ?? 'unknown')}, <Time at={endpoint.disabled_at} />
          </>
        ),
      ],
      ['Note', endpoint.description === null ? null : <Foreign text={endpoint.description} />],
      ['Types', endpoint.types?.join(', ') ?? 'all'],
      ['Connections', endpoint.connections?.join(', ') ?? 'all that its key may see'],
      ['Form', endpoint.form],
      ['Made with the key', `${endpoint.key}, of ${endpoint.principal}`],
      ['Events sent until', <Time at={endpoint.delivery.up_to_date_until} />],
      ['Resources that wait', String(endpoint.delivery.waiting_resources)],
      ['Failing since', endpoint.delivery.failing_since && <Time at={endpoint.delivery.failing_since} />],
      ['Last success', <Time at={endpoint.delivery.last_success_at} />],
      ['Replays', String(endpoint.delivery.replays)],
      [
        'Secret',
        <>
          never on a page. To replace it, send <code>POST {endpointPath(endpoint.id)}/secret-rotation</code>
        </>,
      ],
    ]}
  />
);

function Deliveries({
  page,
  deliveries: { answer, problem },
  filters,
}: { page: string } & Omit<Parts, 'visit' | 'endpoint'>) {
  const next = cursorIn(answer?.links.next);
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries, newest first</h2>
      <form method="get" action={`${page}#deliveries`} class="filters" aria-label="Filters">
        <Choice
          name="outcome"
          label="Outcome"
          value={filters.outcome}
          options={DELIVERY_OUTCOMES}
          any="any outcome"
        />
        <TextFilter name="event" label="Id of the event" value={filters.event} />
        <div>
          <button>Filter</button> <a href={page}>Clear</a>
        </div>
      </form>
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      {answer === undefined ? null : <DeliveryTable deliveries={answer.data} page={page} />}
      {next === undefined ? null : (
        <nav class="pager" aria-label="Pages">
          <a href={`${pathOf(page, { ...filters, cursor: next })}#deliveries`}>Older deliveries</a>
        </nav>
      )}
    </section>
  );
}

const DeliveryTable = ({ deliveries, page }: { deliveries: readonly Delivery[]; page: string }) =>
  deliveries.length === 0 ? (
    <p>No deliveries. They are stored for 30 days by default.</p>
  ) : (
    <Table
      label="Deliveries"
      heads={['When', 'Event', 'Resource', 'Outcome', 'Answer', 'Again']}
      rows={deliveries.map((delivery) => [
        <Time at={delivery.at} />,
        delivery.event.type === TEST ? (
          delivery.event.type
        ) : (
          <a href={eventPage(delivery.event.id)}>{delivery.event.type}</a>
        ),
        delivery.event.type === TEST ? (
          '–'
        ) : (
          <ResourceLink type={delivery.event.resource_type} uid={delivery.event.resource} />
        ),
        <>
          <State state={delivery.outcome} />
          <small>attempt {delivery.attempt}</small>
        </>,
        <AnswerOf delivery={delivery} />,
        <a href={`${page}/deliveries/${encodeURIComponent(delivery.id)}/resend`}>Resend</a>,
      ])}
    />
  );

/** Test events are not in the feed. */
const TEST = 'webhook_endpoint.test';

const AnswerOf = ({ delivery: { status, problem, duration_ms: ms, answer } }: { delivery: Delivery }) => (
  <>
    {status ?? sentenceOf(problem ?? 'none')} <small>{ms} ms</small>
    {answer === null || answer === '' ? null : (
      <small>
        <Foreign text={answer.slice(0, 200)} />
      </small>
    )}
  </>
);
