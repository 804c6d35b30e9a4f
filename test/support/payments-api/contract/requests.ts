import { A_BUSINESS } from '../../workflows/provider.js';
import type { ClientRequest } from '../../../../payments-api/requests/client.schema.js';
import type { ActionScript } from '../../../../sandbox/store/action.schema.js';
import type { NewAgreement, NewPayment, NewRefund } from '../../../../payments-api/requests/intended.js';
import type { PayerSimulation } from '../../../../sandbox/store/agreement.schema.js';
import type { PaymentSimulation } from '../../../../sandbox/store/payment.schema.js';
import type { World } from './world.js';

export const FLOAT_ID = '0195f1f0-7a11-7c00-8a00-f10a7acc0001';
export const DAY_SECONDS = 24 * 60 * 60;

let made = 0;
export const unique = (prefix: string): string => `${prefix}-${(made += 1)}`;

export const bban = (value: string) => ({ type: 'bban', value });
export const payer = () => ({
  party_name: 'A Payer',
  account_identifier: bban(`200001-${10_000_000 + (made += 1)}`),
});
export const biller = () => ({
  party_name: 'B Biller',
  ultimate_party_name: 'B Biller',
  account_identifier: bban('200002-55550001'),
});
export const WHY = { reason: 'initiating_party_requested', narrative: 'On holiday' };

export const OPEN_TERMS = { type: 'variable', frequency: 'adhoc', max_amount: 25_000 };

export const agreementRequest = (overrides: Partial<NewAgreement> = {}): NewAgreement => ({
  uid: unique('agr'),
  purpose: 'utility',
  description: 'Plan 77',
  debtor: payer(),
  creditor: biller(),
  payment_terms: OPEN_TERMS,
  ...overrides,
});

export const paymentRequest = (agreementUid: string, overrides: Partial<NewPayment> = {}): NewPayment => ({
  uid: unique('pay'),
  agreement_uid: agreementUid,
  amount: 4200,
  priority: 'unattended',
  reference: 'INV 5',
  description: 'October',
  creditor_reference: 'C-5',
  ...overrides,
});

export const refundRequest = (paymentUid: string, overrides: Partial<NewRefund> = {}): NewRefund => ({
  uid: unique('ref'),
  original_payment_uid: paymentUid,
  refund_payment: {
    type: 'float_bank_payment',
    float_bank_account_id: FLOAT_ID,
    amount: 100,
    description: 'REFUND part',
  },
  ...overrides,
});

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

export const activeAgreement = (world: World, overrides: Partial<NewAgreement> = {}): Promise<string> =>
  agreementAfter(world, 'debtor_accept', overrides);

export async function suspendedAgreement(world: World): Promise<string> {
  const uid = await activeAgreement(world);
  await world.api.suspendAgreement(uid, WHY, world.call);
  await world.control.advance(1);
  return uid;
}

export const NEW_TERMS = { payment_terms: { max_amount: 40_000 } };

export async function amendedAgreement(
  world: World,
  simulate: Extract<ActionScript, { action: 'amendment' }>['simulate'],
): Promise<string> {
  const uid = await activeAgreement(world);
  world.control.scriptAction(uid, { action: 'amendment', simulate });
  await world.api.proposeAmendment(uid, { changes: NEW_TERMS }, world.call);
  await world.control.advance(1);
  return uid;
}

export async function paymentAfter(
  { api, call, control }: World,
  simulate: PaymentSimulation,
  agreementUid: string,
  overrides: Partial<NewPayment> = {},
): Promise<string> {
  const request = paymentRequest(agreementUid, overrides);
  control.scriptPayment(request.uid, { simulate });
  await api.createPayment(request, call);
  await control.advance(1);
  return request.uid;
}

export const settledPayment = async (world: World, overrides: Partial<NewPayment> = {}): Promise<string> =>
  paymentAfter(world, 'auto_settle', await activeAgreement(world), overrides);

export const clientRequest = (overrides: Partial<ClientRequest> = {}): ClientRequest => ({
  ...A_BUSINESS,
  company_incorporation_date: '2019-06-01',
  australian_business_number: '11222333444',
  australian_company_number: '222333444',
  contact_information: { contact_name: 'C Owner', email: 'c@gym.example', phone: '+61 2 5550 0000' },
  services: ['payto'],
  ...overrides,
});

export async function registeredClient(
  world: World,
  overrides: Partial<ClientRequest> = {},
): Promise<string> {
  const { id } = await world.api.createClient(clientRequest(overrides), world.call);
  await world.control.advance(60);
  return id ?? '';
}

export const counterpartyRequest = (account = payer().account_identifier) => ({
  identity: {
    legal_name: 'A Payer',
    verification: {
      method: 'third_party_provider',
      provider_name: 'Identity Checks',
      reference: 'IC-77',
      verified_at: '2026-01-05T03:00:00Z',
    },
  },
  payment_accounts: [{ account_identifier: account }],
});

export async function registeredAccount(
  { api, call }: World,
  account = payer().account_identifier,
): Promise<string> {
  const { payment_accounts: accounts } = await api.createCounterparty(counterpartyRequest(account), call);
  return accounts?.[0]?.uid ?? '';
}

export const payoutAgreement = (world: World): Promise<string> =>
  activeAgreement(world, {
    debtor: { party_name: 'B Biller', account_identifier: bban('200002-77770001') },
    creditor: null,
  });

export async function simulate({ url, call }: World, path: string, body: object): Promise<void> {
  const headers = {
    authorization: `Bearer ${call.accessToken}`,
    'content-type': 'application/json',
    'Service-API-Version': '20260901',
  };
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`expected ${path} to succeed; got ${response.status}`);
}

export const incomingCredit = (
  world: World,
  channel: 'npp_bban' | 'de',
  overrides: object = {},
): Promise<void> =>
  simulate(world, `/simulate/incoming_${channel}_payment`, {
    to_bsb: '200002',
    to_account_number: '55550001',
    amount: 4200,
    ...overrides,
  });

const SYDNEY_DAY = new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney', dateStyle: 'short' });

export const nowMs = ({ control }: World): number => Date.parse(control.state().now);

export const dayIn = (world: World, days: number): string =>
  SYDNEY_DAY.format(nowMs(world) + days * DAY_SECONDS * 1000);

export const instantIn = (world: World, seconds: number): string =>
  new Date(nowMs(world) + seconds * 1000).toISOString();

const SYDNEY_HOUR = new Intl.DateTimeFormat('en-AU', {
  timeZone: 'Australia/Sydney',
  hour: '2-digit',
  hourCycle: 'h23',
});

export async function toNoon(world: World): Promise<void> {
  const hour = Number(SYDNEY_HOUR.format(nowMs(world)));
  await world.later(((36 - hour) % 24) * 60 * 60);
}
