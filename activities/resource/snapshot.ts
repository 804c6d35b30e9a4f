// Fetches snapshots of resources for all activities that read.
import { agreementEvent } from '../../domain/agreement/events.js';
import { inOrder, type Fact } from '../../domain/facts/fact.js';
import { truncateFact } from '../../domain/facts/retention.js';
import { isOfBusiness, type ClientSnapshot } from '../../domain/client/lifecycle.js';
import { UID } from '../../domain/provider/uid.js';
import { MISSING_STATE, type Fetched, type ResourceSnapshot } from '../../domain/facts/snapshot.js';
import { clientFrom } from '../../payments-api/answers/snapshot.js';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { CLIENT_WORKFLOW } from '../../workflows/client/contract.js';
import type { ClientOrder } from '../../domain/client/request.schema.js';
import type { AgreementSnapshot } from '../../domain/agreement/lifecycle.js';
import type { Client } from '../../payments-api/answers/resources.schema.js';
import type { Call } from '../../payments-api/client.js';
import type { Dependencies } from '../dependencies.js';

/** Identifies a resource and the connection that it is read on. */
export interface Ref {
  uid: string;
  connectionId: string;
  /** The provider's id, for resources that do not accept our uid; absent while unknown. */
  providerId?: string | undefined;
}

export type Reader = Pick<Dependencies, 'payments' | 'withAccess' | 'now'>;

export const instantOf = ({ now }: Pick<Dependencies, 'now'>): string => new Date(now()).toISOString();

/**
 * Fetches the agreement and its history. The history is read first, because an event must not confirm terms that were read before it
 * occurred. If the history does not lead to the fetched state, an event happened in between. The history is then read again.
 */
export function fetchAgreement(
  reader: Reader,
  { uid, connectionId }: Ref,
): Promise<Fetched<AgreementSnapshot>> {
  return reader.withAccess(connectionId, async (call) => {
    const fetchedAt = instantOf(reader);
    const history = await storedHistory(reader, uid, call);
    const snapshot = await reader.payments.getAgreement(uid, call);
    if (leadsTo(history, snapshot.state)) return { fetchedAt, snapshot, history };
    return { fetchedAt, snapshot, history: await storedHistory(reader, uid, call) };
  });
}

/** Truncates events like pushed ones. The provider's history keeps the full events. */
const storedHistory = async ({ payments }: Reader, uid: string, call: Call): Promise<Fact[]> =>
  (await payments.getAgreementHistory(uid, call)).map(truncateFact);

/** Whether the last state-changing event led to this state. `pending` and `created` need no event. */
function leadsTo(history: readonly Fact[], state: string): boolean {
  const moves = inOrder(history).flatMap(({ type }) => agreementEvent(type)?.moves ?? []);
  const last = moves.at(-1)?.to;
  return last === state || (last === undefined && (state === 'pending' || state === 'created'));
}

/** Fetches only the state, so an idle poll costs one request. */
export const fetchAgreementState = async (reader: Reader, { uid, connectionId }: Ref): Promise<string> =>
  (await reader.withAccess(connectionId, (call) => reader.payments.getAgreement(uid, call))).state;

/** Fetches a resource that has no history at the provider. */
export const fetchBy =
  <Snapshot extends ResourceSnapshot>(
    read: (payments: Reader['payments'], ref: Ref, call: Call) => Promise<Snapshot>,
  ) =>
  (reader: Reader, ref: Ref): Promise<Fetched<Snapshot>> =>
    reader.withAccess(ref.connectionId, async (call) => {
      const fetchedAt = instantOf(reader);
      return { fetchedAt, snapshot: await read(reader.payments, ref, call), history: [] };
    });

/** Fetches a client by the provider's id. */
export const fetchClient = fetchBy(async (payments, { uid, providerId }, call) => {
  if (providerId === undefined) throw new Error(`client ${uid} has no providerId yet`);
  return clientIn(await payments.getClient(providerId, call), uid);
});

/** The maximum number of matching clients that are reported. A second match already makes the result ambiguous. */
const MOST_NAMED = 10;

/**
 * Finds the client of the requested business, with the ids of all matches; null if the provider has none. A business number matches under
 * any name. The provider filters only by ABN, so an ACN is looked for in the whole list.
 */
export const findClientOf = (
  reader: Reader & Pick<Dependencies, 'temporal'>,
  { uid, connectionId, order }: Ref & { order: ClientOrder },
): Promise<Fetched<ClientSnapshot> | null> =>
  reader.withAccess(connectionId, async (call) => {
    const fetchedAt = instantOf(reader);
    const fits: ClientSnapshot[] = [];
    for await (const client of reader.payments.listClients(filterOf(order), call)) {
      const snapshot = clientFrom(client, { uid, state: MISSING_STATE });
      if (snapshot !== undefined && isOfBusiness(order, snapshot.particulars)) fits.push(snapshot);
      if (fits.length === MOST_NAMED) break;
    }
    const [first] = fits;
    if (first === undefined) return null;
    const { parent_client_id: parent } = first.particulars;
    const isParentFollowed = parent != null && (await isFollowed(reader, parent));
    const snapshot = { ...first, isParentFollowed, fits: fits.map(({ clientId }) => clientId) };
    return { fetchedAt, snapshot, history: [] };
  });

const filterOf = ({
  legal_name: legalName,
  australian_business_number: australianBusinessNumber,
  australian_company_number: companyNumber,
}: ClientOrder) => {
  if (australianBusinessNumber !== undefined) return { australianBusinessNumber };
  return companyNumber === undefined ? { legalName } : {};
};

/** The check prevents query injection. All our clients have ids of this form. */
const isFollowed = async ({ temporal }: Pick<Dependencies, 'temporal'>, clientId: string): Promise<boolean> =>
  UID.test(clientId) &&
  (await temporal.workflow.count(`WorkflowType = '${CLIENT_WORKFLOW}' AND ClientId = '${clientId}'`)).count >
    0;

/** @throws PaymentsApiError `malformed` if the answer contains no client id. The provider may still have carried out the request. */
export function clientIn(answer: Client, uid: string): ClientSnapshot {
  const snapshot = clientFrom(answer, { uid, state: MISSING_STATE });
  if (snapshot !== undefined) return snapshot;
  throw new PaymentsApiError('malformed', 'the answer contains no client id; expected it in `data`');
}
