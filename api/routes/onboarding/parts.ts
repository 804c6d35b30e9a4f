// The parts of an onboarding, from what a caller requests: each with its uid, and judged as its own route would judge it, before anything starts.
import { handlingOf } from '../../../domain/payment/handling.js';
import { faultsOfOrder } from '../../../domain/client/request.schema.js';
import { lineageOf } from '../../../domain/client/lifecycle.js';
import type { FoundClient } from '../../../domain/client/lifecycle.js';
import { merchantCategoryOf, refusalsOfInitiation } from '../../../domain/client/may-initiate.js';
import { faultsOfCounterparty, isHighRisk, registrationOf } from '../../../domain/counterparty/lifecycle.js';
import type { OnboardedClient, PartsRequest } from '../../../domain/onboarding/request.schema.js';
import { isOtherAccount } from '../../../domain/onboarding/reading.js';
import type { PartName, Parts } from '../../../domain/onboarding/steps.js';
import { refusalOfFirst } from '../../../domain/terms/first.js';
import type { ApiDependencies } from '../../http/dependencies.js';
import { onboardedUid, withAccountUids } from '../../http/idempotency.js';
import { faultsIn } from '../provider-check.js';
import type { Fault } from '../provider-check.js';

/** Whose parts they are. */
interface Within {
  id: string;
  connectionId: string;
  /** The caller. */
  principal: string;
  /** The key of a correction: its part has another uid than the part before. */
  key?: string | undefined;
}

/** All of them, or the one that is corrected. */
type RequestedParts = { [Name in keyof PartsRequest]?: PartsRequest[Name] | undefined };

/** The parts, and why they are refused; they are whole where there is no fault. */
export interface Judged {
  parts: Partial<Parts>;
  faults: Fault[];
}

const NOTHING: Judged = { parts: {}, faults: [] };
const within = (part: PartName, faults: readonly Fault[]): Fault[] =>
  faults.map(({ pointer, detail }) => ({ pointer: `/${part}${pointer}`, detail }));

/** @param requested all parts, or the one that is corrected. @param before those that hold beside a correction. */
export async function judgedParts(
  dependencies: ApiDependencies,
  requested: RequestedParts,
  of: Within,
  before: Partial<Parts> = {},
): Promise<Judged> {
  const client = await clientPart(dependencies, requested.client, of);
  const beside = { ...before, ...client.parts };
  const agreement = agreementPart(dependencies, requested.agreement, of, beside);
  const agreed = agreement.parts.agreement ?? before.agreement;
  const initiator = await initiatorOf(dependencies, beside.client, agreed, of);
  const counterparty = counterpartyPart(dependencies, requested, of, { before, initiator });
  const payment = paymentPart(dependencies, requested.payment, of, agreed);
  const judged = [client, counterparty, agreement, payment];
  const parts = Object.assign({}, ...judged.map((one) => one.parts)) as Partial<Parts>;
  return {
    parts,
    faults: [
      ...judged.flatMap(({ faults }) => faults),
      ...(await initiationFaults(dependencies, { requested, parts: { ...before, ...parts }, initiator }, of)),
      ...debtorFaults(requested),
    ],
  };
}

async function clientPart(
  dependencies: ApiDependencies,
  requested: OnboardedClient | undefined,
  { principal, id, connectionId, key }: Within,
): Promise<Judged> {
  const { clients } = dependencies.temporal;
  if (requested === undefined) return NOTHING;
  if ('client_id' in requested) {
    const { client_id: clientId } = requested;
    const uid = await clients.uidOf(clientId);
    if (uid !== undefined) return { parts: { client: { uid } }, faults: [] };
    if (key === undefined) return { parts: { client: { clientId } }, faults: [] };
    // A correction waits for the client's service, so the client has to be followed.
    const detail = 'expected a client that is followed here: GET /v1/clients lists them';
    return { parts: {}, faults: within('client', [{ pointer: '/client_id', detail }]) };
  }
  if (!('legal_name' in requested)) {
    const { uid } = requested;
    const isThere = (await clients.view(uid)) !== undefined;
    const detail = 'expected the uid of a client that is followed here: GET /v1/clients lists them';
    return {
      parts: { client: { uid } },
      faults: isThere ? [] : within('client', [{ pointer: '/uid', detail }]),
    };
  }
  const { uid = onboardedUid('client', { principal, id, key }), ...order } = requested;
  const { above, refusals } = await clients.placeOf(order, dependencies.clientDepth, connectionId);
  const faults = [
    ...faultsIn(dependencies, { operation: 'createClient', request: order }),
    ...faultsOfOrder(order),
    ...refusals,
  ];
  return { parts: { client: { uid, order, above } }, faults: within('client', faults) };
}

/** Who initiates the agreement, as far as it is followed here: the client of the onboarding, else the one that the agreement names. */
interface Initiator {
  clientId?: string | undefined;
  found?: FoundClient | undefined;
  /** Nothing where the client is not followed here. */
  category?: string | undefined;
}

async function initiatorOf(
  { temporal: { clients, initiators }, highRisk }: ApiDependencies,
  client: Parts['client'],
  agreement: Parts['agreement'] | undefined,
  { connectionId }: Within,
): Promise<Initiator> {
  if (client !== undefined && 'uid' in client) {
    const { uid, order } = client;
    const ordered = order && { uid, state: 'requested' as const, connectionId, order };
    const view = await clients.view(uid);
    const found = view ?? ordered;
    return { clientId: view?.clientId, found, category: found && merchantCategoryOf(found) };
  }
  const clientId = client?.clientId ?? agreement?.mandate.initiator?.client_id ?? undefined;
  if (clientId === undefined) return { category: highRisk.primary };
  const found = await initiators.client(clientId);
  return { clientId, found, category: found && merchantCategoryOf(found) };
}

/** The provider has not decided on their service: the onboarding waits for that. */
const UNDECIDED: ReadonlySet<string> = new Set(['requested', 'pending', 'not_configured']);

/** The decision of every route, with pointers into this request. */
async function initiationFaults(
  { temporal: { initiators }, highRisk }: ApiDependencies,
  {
    requested,
    parts: { agreement, counterparty },
    initiator: { clientId = '', found },
  }: { requested: RequestedParts; parts: Partial<Parts>; initiator: Initiator },
  { connectionId }: Within,
): Promise<Fault[]> {
  if (requested.client === undefined && requested.agreement === undefined) return [];
  const { initiator, debtor } = agreement?.mandate ?? {};
  const accountUid = debtor?.payment_account_uid ?? undefined;
  const isJudged = found !== undefined && !UNDECIDED.has(found.state);
  const above = isJudged && clientId !== '' ? await lineageOf(clientId, initiators.client) : [];
  const refusals = refusalsOfInitiation({
    ...{ connectionId, isNew: true, client: found, highRisk, debtor },
    initiator: { ...initiator, client_id: clientId === '' ? initiator?.client_id : clientId },
    line: isJudged && above.length === 0 ? [{ clientId, found }] : above,
    account: accountUid === undefined ? undefined : await initiators.account(accountUid),
    isVerifiedBefore: counterparty !== undefined,
  });
  return refusals.map(({ pointer, detail }) => ({ pointer: pointerOf(requested, pointer), detail }));
}

function pointerOf({ client, agreement }: RequestedParts, pointer: string): string {
  if (client === undefined) return `/agreement${pointer}`;
  if (pointer === '/initiator/client_id')
    return 'client_id' in client ? '/client/client_id' : 'legal_name' in client ? '/client' : '/client/uid';
  return agreement === undefined ? '/client' : `/agreement${pointer}`;
}

/** Who initiates the agreement says how much has to be verified, also where the client alone is corrected. */
function counterpartyPart(
  dependencies: ApiDependencies,
  { counterparty: requested }: RequestedParts,
  { principal, id, connectionId, key }: Within,
  { before, initiator }: { before: Partial<Parts>; initiator: Initiator },
): Judged {
  const isRequired = isHighRisk(initiator.category, dependencies.highRisk.codes);
  const required = isRequired ? ({ isRequired } as const) : {};
  const now = new Date(dependencies.clock.now()).toISOString();
  if (requested === undefined) {
    if (before.counterparty === undefined) return NOTHING;
    const { isRequired: _, ...counterparty } = before.counterparty;
    // The payer's address was dropped with the first agreement, and was checked before.
    const faults = faultsOfCounterparty(counterparty.order, { now, hasPayer: true, isHighRisk: isRequired });
    return {
      parts: { counterparty: { ...counterparty, ...required } },
      faults: within('counterparty', faults),
    };
  }
  const { uid = onboardedUid('counterparty', { principal, id, key }), payer, ...said } = requested;
  const order = withAccountUids(said, { connectionId, uid });
  const request = registrationOf(said, order.payment_accounts);
  const faults = [
    ...faultsOfCounterparty(said, { now, hasPayer: payer !== undefined, isHighRisk: isRequired }),
    ...faultsIn(dependencies, { operation: 'createCounterparty', request }),
  ];
  return {
    parts: { counterparty: { uid, order, payer, ...required } },
    faults: within('counterparty', faults),
  };
}

function agreementPart(
  dependencies: ApiDependencies,
  requested: PartsRequest['agreement'] | undefined,
  { principal, id, key }: Within,
  { client }: Partial<Parts>,
): Judged {
  if (requested === undefined) return NOTHING;
  const { uid = onboardedUid('agreement', { principal, id, key }), payer, ...mandate } = requested;
  const faults = faultsIn(dependencies, { operation: 'createAgreement', request: { uid, ...mandate } });
  const isTwice = client !== undefined && mandate.initiator?.client_id !== undefined;
  const twice = {
    pointer: '/initiator/client_id',
    detail: 'expected none: the client of the onboarding initiates the agreement',
  };
  return {
    parts: { agreement: { uid, mandate, payer } },
    faults: within('agreement', [...faults, ...(isTwice ? [twice] : [])]),
  };
}

function paymentPart(
  dependencies: ApiDependencies,
  requested: PartsRequest['payment'],
  { principal, id, key }: Within,
  agreement: Parts['agreement'] | undefined,
): Judged {
  if (requested === undefined) return NOTHING;
  const { uid = onboardedUid('payment', { principal, id, key }), retry, ...order } = requested;
  const handling = handlingOf({ retry });
  const whole = { agreement_uid: agreement?.uid ?? '', ...order };
  const faults = faultsIn(dependencies, { operation: 'createPayment', request: { uid, ...whole } });
  const now = new Date(dependencies.clock.now()).toISOString();
  const refusal = agreement && refusalOfFirst(agreement.mandate, whole, now);
  const byTerms = refusal === undefined ? [] : [{ pointer: refusal.pointer ?? '', detail: refusal.detail }];
  return { parts: { payment: { uid, order, handling } }, faults: within('payment', [...faults, ...byTerms]) };
}

/** Who is verified has to be who pays. A corrected agreement is judged by the onboarding, which has the accounts as they are. */
function debtorFaults({ agreement, counterparty }: RequestedParts): Fault[] {
  if (agreement === undefined || !isOtherAccount(agreement, counterparty?.payment_accounts)) return [];
  const detail = 'expected one of the payment accounts of the counterparty';
  return [{ pointer: '/agreement/debtor/account_identifier', detail }];
}
