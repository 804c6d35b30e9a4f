// Converts an onboarding request into parts with uids, and validates each part by the rules of its own route before anything starts.
import { orderAndHandling } from '../../../domain/payment/handling.js';
import { faultsOfOrder } from '../../../domain/client/request.schema.js';
import { lineageOf, type FoundClient } from '../../../domain/client/lifecycle.js';
import { merchantCategoryOf, refusalsOfInitiation } from '../../../domain/client/may-initiate.js';
import { faultsOfCounterparty, isHighRisk, registrationOf } from '../../../domain/counterparty/lifecycle.js';
import type { OnboardedClient, PartsRequest } from '../../../domain/onboarding/request.schema.js';
import { isOtherAccount } from '../../../domain/onboarding/reading.js';
import type { PartName, Parts } from '../../../domain/onboarding/steps.js';
import { refusalOfFirst } from '../../../domain/terms/first.js';
import type { ApiDependencies } from '../../http/dependencies.js';
import { onboardedUid, withAccountUids } from '../../http/idempotency.js';
import { faultsIn, type Fault } from '../provider-check.js';

/** The onboarding that the parts belong to. */
interface Within {
  id: string;
  connectionId: string;
  /** The principal of the caller. */
  principal: string;
  /** The key of a correction, which gives the corrected part a new uid. */
  key?: string | undefined;
}

/** All parts, or only the corrected ones. */
type RequestedParts = { [Name in keyof PartsRequest]?: PartsRequest[Name] | undefined };

/** The parts and their faults. The parts are complete if there is no fault. */
export interface Judged {
  parts: Partial<Parts>;
  faults: Fault[];
}

const NOTHING: Judged = { parts: {}, faults: [] };
const within = (part: PartName, faults: readonly Fault[]): Fault[] =>
  faults.map(({ pointer, detail }) => ({ pointer: `/${part}${pointer}`, detail }));

/** @param requested all parts, or only the corrected ones. @param before the current parts, for a correction. */
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
    // A correction waits for the client's service, so the client must have a workflow.
    const detail = 'expected a client that this API knows; list them with GET /v1/clients';
    return { parts: {}, faults: within('client', [{ pointer: '/client_id', detail }]) };
  }
  if (!('legal_name' in requested)) {
    const { uid } = requested;
    const isThere = (await clients.view(uid)) !== undefined;
    const detail = 'expected the uid of a client that this API knows; list them with GET /v1/clients';
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

/** The client that initiates the agreement, as far as we know it: the onboarding's client, or the one that the agreement names. */
interface Initiator {
  clientId?: string | undefined;
  found?: FoundClient | undefined;
  /** The merchant category. Undefined if we do not know the client. */
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

/** In these states the provider has not decided on the client's service. The onboarding waits for the decision. */
const UNDECIDED: ReadonlySet<string> = new Set(['requested', 'pending', 'not_configured']);

/** Applies the rules of initiation that all routes share, with pointers into this request. */
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

/** The initiator determines the required verification, even if only the client is corrected. */
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
    // The payer's IP address was already checked, and was dropped with the first agreement.
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
    detail: 'expected no client id, because the client of the onboarding initiates the agreement',
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
  const { uid = onboardedUid('payment', { principal, id, key }), ...given } = requested;
  const { order, handling } = orderAndHandling(given);
  const whole = { agreement_uid: agreement?.uid ?? '', ...order };
  const faults = faultsIn(dependencies, { operation: 'createPayment', request: { uid, ...whole } });
  const now = new Date(dependencies.clock.now()).toISOString();
  const refusal = agreement && refusalOfFirst(agreement.mandate, whole, now);
  const byTerms = refusal === undefined ? [] : [{ pointer: refusal.pointer ?? '', detail: refusal.detail }];
  return { parts: { payment: { uid, order, handling } }, faults: within('payment', [...faults, ...byTerms]) };
}

/** The verified party must be the payer. The onboarding checks a corrected agreement, because it has the current accounts. */
function debtorFaults({ agreement, counterparty }: RequestedParts): Fault[] {
  if (agreement === undefined || !isOtherAccount(agreement, counterparty?.payment_accounts)) return [];
  const detail = 'expected one of the payment accounts of the counterparty';
  return [{ pointer: '/agreement/debtor/account_identifier', detail }];
}
