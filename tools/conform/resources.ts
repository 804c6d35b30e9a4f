// Creates resources at the sandbox in the states that requests need.
import { LATEST, type World } from './world.js';
import {
  NEW_TERMS,
  WHY,
  agreementRequest,
  bban,
  clientRequest,
  counterpartyRequest,
  paymentRequest,
} from './requests.js';
import type { ActionScript } from '../../sandbox/store/action.schema.js';
import type { ClientRequest } from '../../payments-api/requests/client.schema.js';
import type { NewAgreement, NewPayment } from '../../payments-api/requests/intended.js';
import type { PayerSimulation } from '../../sandbox/store/agreement.schema.js';
import type { PaymentSimulation } from '../../sandbox/store/payment.schema.js';

/** Returns the agreement's uid after its payer has followed the script. */
export async function agreementAfter(
  { api, call, control }: World,
  simulate: PayerSimulation,
  overrides: Partial<NewAgreement> = {},
): Promise<string> {
  const request = agreementRequest(overrides);
  control.scriptPayer(request.uid, { simulate });
  await api.createAgreement(request, call);
  await control.advance(1);
  return request.uid;
}

export const activeAgreement = async (world: World, overrides?: Partial<NewAgreement>): Promise<string> =>
  agreementAfter(world, 'debtor_accept', overrides);

export async function suspendedAgreement(world: World): Promise<string> {
  const uid = await activeAgreement(world);
  await world.api.suspendAgreement(uid, WHY, world.call);
  await world.control.advance(1);
  return uid;
}

/** Returns the uid of the agreement. */
export async function amendedAgreement(
  world: World,
  simulate: Extract<ActionScript, { action: 'amendment' }>['simulate'],
): Promise<string> {
  const uid = await activeAgreement(world);
  await amend(world, uid, simulate);
  return uid;
}

/** Proposes new terms; the payer follows the script. */
export async function amend(
  { api, call, control }: World,
  uid: string,
  simulate: Extract<ActionScript, { action: 'amendment' }>['simulate'],
): Promise<void> {
  control.scriptAction(uid, { action: 'amendment', simulate });
  await api.proposeAmendment(uid, { changes: NEW_TERMS }, call);
  await control.advance(1);
}

/** An agreement whose payer is our own account. */
export const payoutAgreement = async (world: World): Promise<string> => {
  const debtor = { party_name: 'B Biller', account_identifier: bban('200002-77770001') };
  return activeAgreement(world, { debtor, creditor: null });
};

export async function paymentAfter(
  { api, call, control }: World,
  simulate: PaymentSimulation,
  agreementUid: string,
  overrides?: Partial<NewPayment>,
): Promise<string> {
  const request = paymentRequest(agreementUid, overrides);
  control.scriptPayment(request.uid, { simulate });
  await api.createPayment(request, call);
  await control.advance(1);
  return request.uid;
}

export const settledPayment = async (world: World, overrides?: Partial<NewPayment>): Promise<string> =>
  paymentAfter(world, 'auto_settle', await activeAgreement(world), overrides);

/** Returns the client's id once its services are active. */
export async function registeredClient(world: World, overrides?: Partial<ClientRequest>): Promise<string> {
  const { id } = await world.api.createClient(clientRequest(world, overrides), world.call);
  await world.control.advance(60);
  return given(id);
}

/** Returns the uid of a new counterparty's account. */
export async function registeredAccount({ on, call }: World, account = bban()): Promise<string> {
  const { payment_accounts } = await on(LATEST).createCounterparty(counterpartyRequest(account), call);
  return given(payment_accounts?.[0]?.uid);
}

export const incomingCredit = async (world: World, by: 'npp_bban' | 'de', overrides = {}): Promise<void> =>
  world.post(
    `/simulate/incoming_${by}_payment`,
    { to_bsb: '200002', to_account_number: '55550001', amount: 4200, ...overrides },
    by,
  );

/** A dispute about a settled payment, which requests an action of the merchant. */
export async function openDispute(world: World): Promise<{ id: string; actionRequestId: string }> {
  await world.post('/investigations/simulate_incoming_message', {
    simulate_action_request: true,
    investigation_type_code: 'INV13',
    investigation_reason_code: 'CUST',
    original_transaction_identification: await settledPayment(world),
    narrative: '/Key/Value/',
  });
  await world.pass(1);
  const { id, relationships } = await firstOf(world.api.listDisputes(world.call));
  // The id of the newest dispute's action request equals that of its event.
  return { id: given(id), actionRequestId: given(relationships?.events?.data?.at(-1)?.id) };
}

/** The delivery of an activation. */
export async function aDelivery(
  { api, call }: World,
  ref: string,
): Promise<{ webhookId: string; id: string }> {
  const webhookId = given((await firstOf(api.listWebhooks(call))).id);
  const { id } = await firstOf(api.listWebhookDeliveries(webhookId, { ref }, call));
  return { webhookId, id: given(id) };
}

export async function firstOf<Item>(list: AsyncIterable<Item>): Promise<Item> {
  for await (const item of list) return item;
  throw new Error('expected an item in the list; found none');
}

export function given(id: string | null | undefined): string {
  if (id == null) throw new Error('expected an id in the answer; found none');
  return id;
}
