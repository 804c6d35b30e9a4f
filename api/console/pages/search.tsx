// One field that finds a resource by its uid, a payment by its reference or amount, or a client by the provider's id.
import { RESOURCES, type ResourceName } from '../../../domain/resources.js';
import { UidSchema } from '../../../domain/agreement/mandate.schema.js';
import { pathTo } from '../../routes/links.js';
import type { PaymentPage } from '../answers.js';
import { centsIn, counted, dollars, words } from '../format.js';
import { pageIfAny } from '../figures/page-of.js';
import { connectionsOf } from '../figures/scope.js';
import { showPage } from '../layout.js';
import { Foreign, State, Table } from '../parts.js';
import { readPage, type Visit } from '../visit.js';

interface Hit {
  kind: string;
  uid: string;
  state: string;
  text: string;
  href: string | undefined;
}
interface Found {
  searched: string;
  hits: Hit[];
  /** Why this was not searched. */
  problem: string | undefined;
}

/** Stops and notifications have no uid that a person would type. */
const NAMED = Object.keys(RESOURCES).filter(
  (name): name is Exclude<ResourceName, 'stop' | 'notification'> =>
    name !== 'stop' && name !== 'notification',
);

export const showSearch = readPage(
  {
    path: '/console/search',
    operationId: 'searchConsole',
    summary: 'Find a resource by its uid, reference, amount, metadata or provider’s id',
    description: 'The page says what it searched, and links to what it found.',
  },
  async (visit) => {
    const typed = visit.c.req.query('q')?.trim().slice(0, 300) ?? '';
    const found = typed === '' ? [] : await search(visit, typed);
    const hits = distinct(found.flatMap((one) => one.hits));
    const content = (
      <>
        <form method="get" action="/console/search" role="search" class="stacked">
          <label for="q">Search</label>
          <input id="q" name="q" value={typed} type="search" autocomplete="off" aria-describedby="q-hint" />
          <p class="hint" id="q-hint">
            A uid or id, the reference of a payment, an amount such as $42.00, metadata such as order=77, or
            the provider’s id of a client. Each must be whole.
          </p>
          <button>Search</button>
        </form>
        {typed === '' ? null : <Results typed={typed} hits={hits} found={found} />}
      </>
    );
    return showPage(visit.c, { title: 'Search', content, session: visit });
  },
);

function Results({ typed, hits, found }: { typed: string; hits: Hit[]; found: readonly Found[] }) {
  return (
    <section aria-labelledby="results">
      <h2 id="results">
        {hits.length === 0 ? 'Nothing found for ' : `${counted(hits.length, 'result')} for `}
        <bdi>“{typed}”</bdi>
      </h2>
      {hits.length === 0 ? null : (
        <Table
          label="Results"
          heads={['Kind', 'Uid', 'State', 'What']}
          rows={hits.map(({ kind, uid, state, text, href }) => [
            words(kind),
            href === undefined ? <code>{uid}</code> : <a href={href}>{uid}</a>,
            <State state={state} />,
            <Foreign text={text} />,
          ])}
        />
      )}
      <p>Searched: {found.map(({ searched }) => searched).join('; ')}.</p>
      {found.flatMap(({ searched, problem }) =>
        problem === undefined ? [] : [<p class="notice warn">{`Not searched: ${searched}. ${problem}`}</p>],
      )}
    </section>
  );
}

const distinct = (hits: readonly Hit[]): Hit[] => [
  ...new Map(hits.map((hit) => [`${hit.kind} ${hit.uid}`, hit])).values(),
];

async function search(visit: Visit, typed: string): Promise<Found[]> {
  const [, key, value] = /^([^=]{1,64})=(.*)$/.exec(typed) ?? [];
  if (key !== undefined && value !== undefined) {
    const metadata = { metadata_key: key, metadata_value: value };
    return Promise.all([
      inList(visit, 'agreement', metadata, `agreements with the metadata ${key}`),
      inList(visit, 'payment', metadata, `payments with the metadata ${key}`),
      inList(visit, 'refund', metadata, `refunds with the metadata ${key}`),
    ]);
  }
  const cents = centsIn(typed);
  const isUid = UidSchema.safeParse(typed).success;
  return Promise.all([
    ...(isUid ? [byUid(visit, typed)] : []),
    ...(typed.length <= 35
      ? [inList(visit, 'payment', { reference: typed }, 'payments with this reference')]
      : []),
    ...(cents === undefined
      ? []
      : [
          inList(
            visit,
            'payment',
            { amount_min: String(cents), amount_max: String(cents) },
            `payments of ${dollars(cents)}`,
          ),
        ]),
    ...(isUid ? [inList(visit, 'client', { client: typed }, 'clients with this id at the provider')] : []),
  ]);
}

interface Row {
  uid?: string;
  id?: string;
  state?: string;
  status?: string;
  description?: string | null;
  reference?: string | null;
  amount?: number | null;
}

const hitOf = (name: ResourceName, { uid, id, state, status, description, reference, amount }: Row): Hit => {
  const named = uid ?? id ?? '';
  return {
    ...{ kind: name, uid: named, state: state ?? status ?? '' },
    text: [amount == null ? '' : dollars(amount), reference ?? '', description ?? '']
      .filter((part) => part !== '')
      .join(', '),
    href: pageIfAny(name, named),
  };
};

async function byUid({ api }: Visit, uid: string): Promise<Found> {
  const read = await Promise.all(
    NAMED.map(async (name) => ({ name, ...(await api.read<{ data: Row }>(pathTo(name, uid))) })),
  );
  // 400: the resources of this kind have ids of another form.
  const failed = read.filter(
    ({ problem }) => problem !== undefined && problem.status !== 404 && problem.status !== 400,
  );
  return {
    searched: `the uid of ${NAMED.map((name) => words(RESOURCES[name].plural)).join(', ')}`,
    hits: read.flatMap(({ name, answer }) => (answer === undefined ? [] : [hitOf(name, answer.data)])),
    problem: failed[0]?.problem?.detail,
  };
}

const MOST = '50';

async function inList(
  { api, key }: Visit,
  name: 'agreement' | 'payment' | 'refund' | 'client',
  filter: Record<string, string>,
  searched: string,
): Promise<Found> {
  const read = await Promise.all(
    connectionsOf(key).map((connection) => {
      const query = new URLSearchParams({
        ...filter,
        per_page: MOST,
        ...(connection !== undefined && { connection }),
      });
      return api.read<Pick<PaymentPage, 'links'> & { data: Row[] }>(
        `/v1/${RESOURCES[name].plural}?${query.toString()}`,
      );
    }),
  );
  const isCut = read.some(({ answer }) => answer?.links.next !== undefined);
  return {
    searched: isCut ? `${searched} (only the newest ${MOST})` : searched,
    hits: read.flatMap(({ answer }) => answer?.data ?? []).map((row) => hitOf(name, row)),
    problem: read.find(({ problem }) => problem !== undefined)?.problem?.detail,
  };
}
