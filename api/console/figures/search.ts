// What one typed text finds: resources by their uid, ids, reference, amount, metadata, or by the PayID or account of the payer.
import { UidSchema } from '../../../domain/agreement/mandate.schema.js';
import { RESOURCES, type ResourceName } from '../../../domain/resources.js';
import type { SearchTerm } from '../../../records/tags.js';
import { ApiError } from '../../http/problems/errors.js';
import { pathTo } from '../../routes/links.js';
import { centsIn, dollars, words } from '../format.js';
import type { Visit } from '../visit.js';
import { connectionsOf } from './scope.js';

export interface Hit {
  kind: ResourceName;
  uid: string;
  state: string;
  text: string;
}

export interface Found {
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
/** Of each list. */
const MOST = 50;
const LONGEST_REFERENCE = 35;
const METADATA = /^([^=]{1,64})=(.*)$/;
/** An account number, a phone number, an ABN or an email address. */
const LIKE_AN_ACCOUNT = /@|(?:\d[ -]?){6}/;

/** Everything that the text may be, searched at once. */
export async function search(visit: Visit, typed: string): Promise<Found[]> {
  const [, key, value] = METADATA.exec(typed) ?? [];
  if (key !== undefined && value !== undefined) {
    const metadata = { metadata_key: key, metadata_value: value };
    const lists = (['agreement', 'payment', 'refund'] as const).map((name) =>
      inList(visit, name, metadata, `${RESOURCES[name].plural} with the metadata ${key}`),
    );
    return Promise.all([...lists, ...byPayer(visit, typed)]);
  }
  const isUid = UidSchema.safeParse(typed).success;
  return Promise.all([
    ...(isUid ? [byUid(visit, typed), ...byId(visit, typed)] : []),
    ...(typed.length > LONGEST_REFERENCE
      ? []
      : [inList(visit, 'payment', { reference: typed }, 'payments with this reference')]),
    ...byAmount(visit, typed),
    ...(isUid ? [inList(visit, 'client', { client: typed }, 'clients with this id at the provider')] : []),
    ...byPayer(visit, typed),
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

const hitOf = (kind: ResourceName, { uid, id, state, status, description, reference, amount }: Row): Hit => ({
  ...{ kind, uid: uid ?? id ?? '', state: state ?? status ?? '' },
  text: [amount == null ? '' : dollars(amount), reference ?? '', description ?? '']
    .filter((part) => part !== '')
    .join(', '),
});

async function byUid({ api }: Visit, uid: string): Promise<Found> {
  const read = await Promise.all(
    NAMED.map(async (name) => ({ name, ...(await api.read<{ data: Row }>(pathTo(name, uid))) })),
  );
  // 400: the resources of this kind have ids of another form.
  const failed = read.find(({ problem }) => problem !== undefined && ![400, 404].includes(problem.status));
  return {
    searched: `the uid of ${NAMED.map((name) => words(RESOURCES[name].plural)).join(', ')}`,
    hits: read.flatMap(({ name, answer }) => (answer === undefined ? [] : [hitOf(name, answer.data)])),
    problem: failed?.problem?.detail,
  };
}

/** Uids as banks write them, and the ids of the PayTo scheme. */
const byId = (visit: Visit, uid: string): Promise<Found>[] => [
  byTerm(
    visit,
    'agreement',
    { uid },
    'agreements with this uid in another spelling, or with this id of the scheme',
  ),
  byTerm(visit, 'payment', { uid }, 'payments with this uid in another spelling'),
];

function byAmount(visit: Visit, typed: string): Promise<Found>[] {
  const cents = centsIn(typed);
  if (cents === undefined) return [];
  const amount = { amount_min: String(cents), amount_max: String(cents) };
  return (['payment', 'refund', 'unmatched-credit'] as const).map((name) =>
    inList(visit, name, amount, `${words(RESOURCES[name].plural)} of ${dollars(cents)}`),
  );
}

const BY_PAYER = 'agreements with this PayID or account of the payer';

function byPayer(visit: Visit, typed: string): Promise<Found>[] {
  if (visit.key.scopes.includes('personal'))
    return [byTerm(visit, 'agreement', { payerAccount: typed }, BY_PAYER)];
  if (!LIKE_AN_ACCOUNT.test(typed)) return [];
  const problem = 'Your key lacks the scope personal.';
  return [Promise.resolve({ searched: BY_PAYER, hits: [], problem })];
}

/** By a search tag that no list of the API has. */
async function byTerm(
  { key, dependencies: { temporal } }: Visit,
  name: 'agreement' | 'payment',
  term: SearchTerm,
  searched: string,
): Promise<Found> {
  if (!key.scopes.includes('read')) return { searched, hits: [], problem: 'Your key lacks the scope read.' };
  const { list } = name === 'agreement' ? temporal.agreements : temporal.payments;
  const order = { sort: { by: 'created', isDescending: true }, after: undefined, limit: MOST } as const;
  try {
    const pages = await Promise.all(
      connectionsOf(key).map((connection) => list({ filter: { connection, terms: [term] }, ...order })),
    );
    return {
      searched: pages.some(({ next }) => next !== undefined) ? cut(searched) : searched,
      hits: pages.flatMap<Row>(({ items }) => items).map((row) => hitOf(name, row)),
      problem: undefined,
    };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { searched, hits: [], problem: error.detail };
  }
}

const cut = (searched: string): string => `${searched} (only the newest ${MOST})`;

async function inList(
  { api, key }: Visit,
  name: 'agreement' | 'payment' | 'refund' | 'client' | 'unmatched-credit',
  filter: Record<string, string>,
  searched: string,
): Promise<Found> {
  const read = await Promise.all(
    connectionsOf(key).map((connection) => {
      const query = new URLSearchParams({
        ...filter,
        per_page: String(MOST),
        ...(connection !== undefined && { connection }),
      });
      return api.read<{ data: Row[]; links: { next?: string } }>(
        `/v1/${RESOURCES[name].plural}?${query.toString()}`,
      );
    }),
  );
  return {
    searched: read.some(({ answer }) => answer?.links.next !== undefined) ? cut(searched) : searched,
    hits: read.flatMap(({ answer }) => answer?.data ?? []).map((row) => hitOf(name, row)),
    problem: read.find(({ problem }) => problem !== undefined)?.problem?.detail,
  };
}
