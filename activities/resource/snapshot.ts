// A snapshot of a resource of the provider's, as every activity that reads fetches it.
import { agreementEvent } from '../../domain/agreement/events.js';
import { inOrder } from '../../domain/facts/fact.js';
import { truncateFact } from '../../domain/facts/retention.js';
import { isOfBusiness } from '../../domain/client/lifecycle.js';
import { UID } from '../../domain/provider/uid.js';
import { MISSING_STATE } from '../../domain/facts/snapshot.js';
import { clientFrom, refundFrom } from '../../payments-api/answers/snapshot.js';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { CLIENT_WORKFLOW } from '../../workflows/client/contract.js';
import type { Fact } from '../../domain/facts/fact.js';
import type { ClientOrder } from '../../domain/client/request.schema.js';
import type {
  AgreementSnapshot,
  ClientSnapshot,
  Fetched,
  PaymentSnapshot,
  RefundSnapshot,
} from '../../domain/facts/snapshot.js';
import type { Client, Refund } from '../../payments-api/answers/resources.schema.js';
import type { Call } from '../../payments-api/client.js';
import type { Dependencies } from '../dependencies.js';

/** A resource by its uid, on whose account it is looked for. */
export interface Ref {
  uid: string;
  connectionId: string;
  /** Its id there, where the provider takes no uid of ours and has said which. */
  providerId?: string | undefined;
}

/** What is needed to read from the provider. */
export type Reader = Pick<Dependencies, 'payments' | 'withAccess' | 'now'>;

export const instantOf = ({ now }: Pick<Dependencies, 'now'>): string => new Date(now()).toISOString();

/**
 * The agreement and its history. The history is read first: the other way round an event would vouch for terms that were
 * read before it. Where something has happened between the two, it is read once more, so that it has that as well.
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

/** Of each event as much as is kept of one that was pushed: the whole of it stays in the provider's history. */
const storedHistory = async ({ payments }: Reader, uid: string, call: Call): Promise<Fact[]> =>
  (await payments.getAgreementHistory(uid, call)).map(truncateFact);

/** Whether the last event that moved an agreement led to that state; none leads to those before the first. */
function leadsTo(history: readonly Fact[], state: string): boolean {
  const moves = inOrder(history).flatMap(({ type }) => agreementEvent(type)?.moves ?? []);
  const last = moves.at(-1)?.to;
  return last === state || (last === undefined && (state === 'pending' || state === 'created'));
}

/** The agreement's state alone: what an idle poll costs is this one request. */
export const fetchAgreementState = async (reader: Reader, { uid, connectionId }: Ref): Promise<string> =>
  (await reader.withAccess(connectionId, (call) => reader.payments.getAgreement(uid, call))).state;

/** Payments have no history at the provider. */
export const fetchPayment = (reader: Reader, { uid, connectionId }: Ref): Promise<Fetched<PaymentSnapshot>> =>
  reader.withAccess(connectionId, async (call) => {
    const fetchedAt = instantOf(reader);
    return { fetchedAt, snapshot: await reader.payments.getPayment(uid, call), history: [] };
  });

/** Nor have refunds. */
export const fetchRefund = (reader: Reader, { uid, connectionId }: Ref): Promise<Fetched<RefundSnapshot>> =>
  reader.withAccess(connectionId, async (call) => {
    const fetchedAt = instantOf(reader);
    const snapshot = refundIn(await reader.payments.getRefund(uid, call), uid, MISSING_STATE);
    return { fetchedAt, snapshot, history: [] };
  });

/**
 * The refund in an answer about that uid.
 * @throws PaymentsApiError `malformed` where it is about another one: what was asked for may have been done all the same.
 */
export function refundIn(answer: Refund, uid: string, state: string): RefundSnapshot {
  const snapshot = refundFrom(answer, { uid, state });
  if (snapshot !== undefined) return snapshot;
  throw new PaymentsApiError('malformed', `expected data to be the refund ${uid}; met something else`);
}

/** A client, by the provider's id of it. */
export const fetchClient = (
  reader: Reader,
  { uid, connectionId, providerId }: Ref,
): Promise<Fetched<ClientSnapshot>> =>
  reader.withAccess(connectionId, async (call) => {
    if (providerId === undefined) throw new Error(`expected client ${uid} to have an id at the provider`);
    const fetchedAt = instantOf(reader);
    const snapshot = clientIn(await reader.payments.getClient(providerId, call), uid);
    return { fetchedAt, snapshot, history: [] };
  });

/** So many are named of those that fit: enough to see that it is not one. */
const MOST_NAMED = 10;

/**
 * The client of the requested business, with the ids of all that are of it; null where the provider has none. A number finds it under any
 * name; the provider filters by ABN alone, so an ACN is looked for in the whole list.
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

/** An id of another form could end its quotes, and no client here has one. */
const isFollowed = async ({ temporal }: Pick<Dependencies, 'temporal'>, clientId: string): Promise<boolean> =>
  UID.test(clientId) &&
  (await temporal.workflow.count(`WorkflowType = '${CLIENT_WORKFLOW}' AND ClientId = '${clientId}'`)).count >
    0;

/** @throws PaymentsApiError `malformed` where the answer names none: what was asked for may have been done all the same. */
export function clientIn(answer: Client, uid: string): ClientSnapshot {
  const snapshot = clientFrom(answer, { uid, state: MISSING_STATE });
  if (snapshot !== undefined) return snapshot;
  throw new PaymentsApiError('malformed', 'expected data to be a client with its id; met something else');
}
