// The parts of an onboarding, out of what a caller says: each with its uid, and judged whole as its own route would, before anything begins.
import { handlingOf } from '../../../domain/payment/handling.js';
import { faultsOfOrder } from '../../../domain/client/request.schema.js';
import { faultsOfCounterparty, isHighRisk, registrationOf } from '../../../domain/counterparty/lifecycle.js';
import type { OnboardedClient, PartsRequest } from '../../../domain/onboarding/request.schema.js';
import { isOtherAccount } from '../../../domain/onboarding/steps.js';
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
  /** That a correction came with: its part is another one than that before. */
  key?: string | undefined;
}

/** All of them, or the one that is corrected. */
type RequestedParts = { [Name in keyof PartsRequest]?: PartsRequest[Name] | undefined };

/** What is asked for, and why it may not be; the parts are whole where there is no fault. */
export interface Judged {
  parts: Partial<Parts>;
  faults: Fault[];
}

const NOTHING: Judged = { parts: {}, faults: [] };
const within = (part: PartName, faults: readonly Fault[]): Fault[] =>
  faults.map(({ pointer, detail }) => ({ pointer: `/${part}${pointer}`, detail }));

/** @param requested all parts of an onboarding, or the one that is corrected. @param before those that stand beside a correction. */
export async function judgedParts(
  dependencies: ApiDependencies,
  requested: RequestedParts,
  of: Within,
  before: Partial<Parts> = {},
): Promise<Judged> {
  const client = await clientPart(dependencies, requested.client, of);
  const counterparty = await counterpartyPart(dependencies, requested, of, before);
  const agreement = agreementPart(dependencies, requested, of, { ...before, ...client.parts });
  const agreed = agreement.parts.agreement ?? before.agreement;
  const payment = paymentPart(dependencies, requested.payment, of, agreed);
  const judged = [client, counterparty, agreement, payment];
  return {
    parts: Object.assign({}, ...judged.map(({ parts }) => parts)) as Partial<Parts>,
    faults: [
      ...judged.flatMap(({ faults }) => faults),
      ...(await initiatorFaults(dependencies, requested)),
      ...debtorFaults(requested, before),
    ],
  };
}

async function clientPart(
  dependencies: ApiDependencies,
  requested: OnboardedClient | undefined,
  { id, connectionId, key }: Within,
): Promise<Judged> {
  const { clients } = dependencies.temporal;
  if (requested === undefined) return NOTHING;
  if ('client_id' in requested) {
    const uid = await clients.uidOf(requested.client_id);
    if (uid !== undefined) return existingClient(dependencies, { uid, connectionId }, '/client_id');
    // At the start the provider is to judge it; a correction of the client is for one that can be followed.
    const detail = 'expected a client that is known here: GET /v1/clients lists them';
    return key === undefined
      ? NOTHING
      : { parts: {}, faults: within('client', [{ pointer: '/client_id', detail }]) };
  }
  if (!('legal_name' in requested))
    return existingClient(dependencies, { uid: requested.uid, connectionId }, '/uid');
  const { uid = onboardedUid(id, 'client', key), ...order } = requested;
  const { above, refusals } = await clients.placeOf(order, dependencies.clientDepth, connectionId);
  const faults = [
    ...faultsIn(dependencies, { operation: 'createClient', request: order }),
    ...faultsOfOrder(order),
  ];
  return { parts: { client: { uid, order, above } }, faults: within('client', [...faults, ...refusals]) };
}

/** One whose service is not decided yet is waited for; one that can initiate nothing is refused, and so is one that is not there. */
async function existingClient(
  { temporal: { clients } }: ApiDependencies,
  { uid, connectionId }: { uid: string; connectionId: string },
  pointer: string,
): Promise<Judged> {
  const view = await clients.view(uid);
  const { state, clientId } = view ?? {};
  const detail =
    view !== undefined && view.connectionId !== connectionId
      ? `expected a client of connection ${connectionId}; this one is on ${view.connectionId ?? 'another one'}`
      : state === 'active' && clientId !== undefined
        ? await clients.refusalToInitiate(clientId)
        : state === 'requested' || state === 'pending' || state === 'not_configured'
          ? undefined
          : `expected a client that may initiate agreements; this one is ${state ?? 'not known here'}`;
  const faults = detail === undefined ? [] : [{ pointer, detail }];
  return { parts: { client: { uid } }, faults: within('client', faults) };
}

/** The client that it is for says how much has to be verified, also where that one alone is corrected. */
async function counterpartyPart(
  dependencies: ApiDependencies,
  { counterparty: requested, client, agreement }: RequestedParts,
  { id, connectionId, key }: Within,
  before: Partial<Parts>,
): Promise<Judged> {
  if (requested === undefined && (before.counterparty === undefined || client === undefined)) return NOTHING;
  const { highRisk, clock } = dependencies;
  const clientId = (agreement ?? before.agreement?.mandate)?.initiator?.client_id ?? undefined;
  const category =
    client === undefined && before.client !== undefined
      ? await categoryOfPart(dependencies, before.client)
      : await categoryOf(dependencies, client, clientId);
  const isRequired = isHighRisk(category, highRisk.codes);
  if (requested === undefined) return asRequired(dependencies, before.counterparty, isRequired);
  const { uid = onboardedUid(id, 'counterparty', key), payer, ...said } = requested;
  const order = withAccountUids(said, { connectionId, uid });
  const request = registrationOf(said, order.payment_accounts);
  const now = new Date(clock.now()).toISOString();
  const faults = [
    ...faultsOfCounterparty(said, { now, hasPayer: payer !== undefined, isHighRisk: isRequired }),
    ...faultsIn(dependencies, { operation: 'createCounterparty', request }),
  ];
  const counterparty = { uid, order, payer, ...(isRequired && { isRequired }) };
  return { parts: { counterparty }, faults: within('counterparty', faults) };
}

/** The one that stands, beside another client. */
function asRequired(
  { clock }: ApiDependencies,
  counterpart: Parts['counterparty'],
  isHighRisk: boolean,
): Judged {
  if (counterpart === undefined) return NOTHING;
  const { isRequired: _, ...counterparty } = counterpart;
  const now = new Date(clock.now()).toISOString();
  const hasPayer = counterparty.payer !== undefined;
  return {
    parts: { counterparty: { ...counterparty, ...(isHighRisk && { isRequired: isHighRisk }) } },
    faults: within('counterparty', faultsOfCounterparty(counterparty.order, { now, hasPayer, isHighRisk })),
  };
}

const categoryOfPart = async (
  { temporal: { clients } }: ApiDependencies,
  { uid, order }: NonNullable<Parts['client']>,
): Promise<string | undefined> => {
  const view = await clients.view(uid);
  const current = view?.particulars?.merchant_category_code ?? undefined;
  return current ?? (order ?? view?.order)?.merchant_category_code;
};

/** The merchant category of the client: of one that is new as it says itself, and without any that of the primary one. */
async function categoryOf(
  dependencies: ApiDependencies,
  client: OnboardedClient | undefined,
  named: string | undefined,
): Promise<string | undefined> {
  const { temporal, highRisk } = dependencies;
  const { clients } = temporal;
  if (client === undefined) return named === undefined ? highRisk.primary : clients.categoryOf(named);
  if ('legal_name' in client) return client.merchant_category_code;
  if ('client_id' in client) return clients.categoryOf(client.client_id);
  return categoryOfPart(dependencies, client);
}

function agreementPart(
  dependencies: ApiDependencies,
  { agreement: requested, client }: RequestedParts,
  { id, key }: Within,
  beside: Partial<Parts>,
): Judged {
  if (requested === undefined) return NOTHING;
  const { uid = onboardedUid(id, 'agreement', key), payer, ...said } = requested;
  // A client that is not known here is for the provider to judge.
  const named = client !== undefined && 'client_id' in client ? client.client_id : undefined;
  const initiator = named === undefined ? said.initiator : { ...said.initiator, client_id: named };
  const mandate = initiator === undefined ? said : { ...said, initiator };
  const isTwice = beside.client !== undefined && said.initiator?.client_id !== undefined;
  const twice = {
    pointer: '/initiator/client_id',
    detail: 'expected none: the client of the onboarding initiates the agreement',
  };
  const faults = faultsIn(dependencies, { operation: 'createAgreement', request: { uid, ...mandate } });
  return {
    parts: { agreement: { uid, mandate, payer } },
    faults: within('agreement', [...faults, ...(isTwice ? [twice] : [])]),
  };
}

function paymentPart(
  dependencies: ApiDependencies,
  requested: PartsRequest['payment'],
  { id, key }: Within,
  agreement: Parts['agreement'] | undefined,
): Judged {
  if (requested === undefined) return NOTHING;
  const { uid = onboardedUid(id, 'payment', key), retry, ...order } = requested;
  const handling = handlingOf({ retry });
  const whole = { agreement_uid: agreement?.uid ?? '', ...order };
  const faults = faultsIn(dependencies, { operation: 'createPayment', request: { uid, ...whole } });
  const now = new Date(dependencies.clock.now()).toISOString();
  const refusal = agreement && refusalOfFirst(agreement.mandate, whole, now);
  const byTerms = refusal === undefined ? [] : [{ pointer: refusal.pointer ?? '', detail: refusal.detail }];
  return { parts: { payment: { uid, order, handling } }, faults: within('payment', [...faults, ...byTerms]) };
}

/** Of an agreement that names its client itself. */
async function initiatorFaults(
  { temporal: { clients } }: ApiDependencies,
  { agreement }: RequestedParts,
): Promise<Fault[]> {
  const clientId = agreement?.initiator?.client_id;
  const detail = clientId === undefined ? undefined : await clients.refusalToInitiate(clientId);
  return detail === undefined ? [] : [{ pointer: '/agreement/initiator/client_id', detail }];
}

/** Who is verified is who is to pay. Of an agreement that is corrected the onboarding judges: it has read the accounts as they are. */
function debtorFaults({ agreement, counterparty }: RequestedParts, before: Partial<Parts>): Fault[] {
  if (!isOtherAccount(agreement ?? before.agreement?.mandate ?? {}, counterparty?.payment_accounts))
    return [];
  return [
    agreement === undefined
      ? {
          pointer: '/counterparty/payment_accounts',
          detail:
            'expected the account of the agreement’s debtor among them, or a correction of the agreement beside this one',
        }
      : {
          pointer: '/agreement/debtor/account_identifier',
          detail: 'expected one of the payment accounts of the counterparty',
        },
  ];
}
