// The simulators of the provider's own sandbox and the `sandbox` field of requests, as its files document them. events.ts has the
// events that they cannot produce.
import {
  ACCOUNTS,
  NEW_TERMS,
  WHY,
  agreementRequest,
  bban,
  payer,
  paymentRequest,
  refundRequest,
  unique,
} from './requests.js';
import {
  activeAgreement,
  amendedAgreement,
  incomingCredit,
  paymentAfter,
  registeredClient,
  settledPayment,
} from './resources.js';
import type { World } from './world.js';

type Simulation = (world: World) => Promise<void>;

// prettier-ignore
const SIMULATED = {
  agreement: ['debtor_accept', 'debtor_decline', 'expire', 'debtor_account_type_not_supported', 'debtor_alias_not_found', 'creditor_alias_not_found', 'alias_resolution_service_unavailable', 'agreement_service_unavailable'],
  amendment: ['debtor_accept', 'debtor_decline', 'agreement_cancelled', 'expire', 'creditor_alias_not_found', 'alias_resolution_service_unavailable'],
  payment: ['auto_settle', 'requires_investigation', 'investigate_and_settle', 'investigate_and_fail', 'insufficient_funds', 'creditor_account_type_not_supported', 'creditor_account_closed', 'debtor_account_closed', 'financial_infrastructure_unavailable', 'debtor_alias_not_found', 'creditor_alias_not_found', 'alias_resolution_service_unavailable'],
  refund: ['creditor_alias_not_found', 'creditor_account_closed', 'success'],
  validation: ['match', 'close_match', 'individual_no_match', 'non_individual_no_match', 'account_closed', 'no_account_found', 'bic_lookup_failed', 'account_daily_no_match_limit_exceeded', 'requester_daily_no_match_limit_exceeded', 'account_daily_request_limit_exceeded', 'requester_daily_request_limit_exceeded', 'unable_to_confirm', 'rate_limited'],
  debtorReason: ['invalid_debtor_account_number', 'closed_account_number', 'closed_debtor_account_number', 'blocked_account', 'invalid_debtor_account_type', 'transaction_forbidden', 'transaction_not_supported', 'not_allowed_currency', 'not_allowed_amount', 'amount_exceeds_agreed_limit', 'customer_deceased', 'no_mandate_service_agent', 'no_mandate_service_customer', 'customer_requested', 'initiating_party_requested', 'mandate_expired', 'suspected_fraudulent', 'no_reason_customer', 'no_reason_agent', 'narrative', 'regulatory', 'no_service_debtor', 'creditor_not_whitelisted_by_debtor', 'creditor_blacklisted_by_debtor', 'contract_amended', 'debtor_cancellation_requested', 'contract_expired', 'mandate_suspended_final_collection', 'mandate_suspended_one_collection', 'mandate_suspended_failed_collections', 'no_answer'],
} as const;

type Request = readonly [path: string, body: object];

/** One plain request for each simulation. */
async function simulateEach(
  world: World,
  simulations: readonly string[],
  requestFor: (simulate: string) => Promise<Request>,
  seconds = 1,
): Promise<void> {
  for (const simulate of simulations) {
    const [path, body] = await requestFor(simulate);
    await world.post(path, { ...body, sandbox: { simulate, delay: 0 } }, simulate);
    await world.pass(seconds);
  }
}

/** The path of an action of a new agreement. */
const actionOf = async (world: World, action: string): Promise<string> =>
  `/payto/agreements/${await activeAgreement(world)}/${action}`;

const simulatedActions: Simulation = async (world) => {
  await simulateEach(world, ['successful_cancellation', 'agreement_cancelled'], async () => [
    await actionOf(world, 'cancellation'),
    WHY,
  ]);
  await simulateEach(world, ['successful_suspension', 'agreement_cancelled'], async () => [
    await actionOf(world, 'suspension'),
    { ...WHY, narrative: null },
  ]);
  await simulateEach(world, SIMULATED.amendment, async () => [
    await actionOf(world, 'amendment'),
    { changes: NEW_TERMS },
  ]);
  const uid = await amendedAgreement(world, 'ignore');
  const sandbox = { simulate: 'amendment_applied' };
  await world.post(`/payto/agreements/${uid}/amendment/recall`, { sandbox }, 'late');
  await world.pass(1);
};

const simulatedCreations: Simulation = async (world) => {
  const agreement = async () => Promise.resolve(['/payto/agreements', agreementRequest()] as const);
  await simulateEach(world, SIMULATED.agreement, agreement);
  const payment = async (): Promise<Request> => [
    '/payto/payments',
    { ...paymentRequest(await activeAgreement(world)), description: null },
  ];
  await simulateEach(world, SIMULATED.payment, payment, 60);
  for (const simulate of SIMULATED.refund) {
    const request = refundRequest(await settledPayment(world));
    await world.post('/payto/refunds', { ...request, sandbox: { simulate } }, simulate);
    await world.pass(1);
  }
  const failed = await paymentAfter(world, 'insufficient_funds', await activeAgreement(world));
  const sandbox = { simulate: 'auto_settle', delay: 0 };
  await world.post(`/payto/payments/${failed}/retry`, { sandbox }, 'auto_settle');
};

const debtorActions: Simulation = async (world) => {
  const narrative = 'A while';
  const debtors = [
    { account_identifier: bban('802919-10000001') },
    { party_name: 'B Payer', ultimate_party_name: 'The Payers', account_identifier: bban() },
    { account_identifier: ACCOUNTS[2] },
  ];
  const bodies = [
    ...SIMULATED.debtorReason.flatMap((reason) =>
      ['suspension', 'cancellation'].map((debtor_action) => ({ debtor_action, reason })),
    ),
    { debtor_action: 'suspension', reason: 'customer_requested', narrative },
    { debtor_action: 'cancellation', reason: 'customer_requested', narrative: null },
    ...debtors.map((debtor) => ({ debtor_action: 'amendment', changes: { debtor } })),
  ];
  for (const body of bodies) {
    await world.post(await actionOf(world, 'simulate_debtor_action'), body, JSON.stringify(body));
    await world.pass(1);
  }
  const path = await actionOf(world, 'simulate_debtor_action');
  for (const body of [bodies[0] ?? {}, { debtor_action: 'reactivation' }]) {
    await world.post(path, body, 'reactivation');
    await world.pass(1);
  }
};

const lookups: Simulation = async ({ post }) => {
  const requester = { id: 'user-7', remote_ip: '192.0.2.7' };
  const found = { simulate: 'alias_found', display_name: 'A Payer' };
  for (const sandbox of [found, { simulate: 'alias_not_found' }, { simulate: 'service_unavailable' }]) {
    const label = sandbox === found ? 'alias_found' : undefined;
    await post('/payto/alias_resolution', { ...ACCOUNTS[2], requester, sandbox }, label);
  }
  for (const simulate of SIMULATED.validation) {
    const body = { uid: unique('cop'), ...payer(), requester: { id: 'user-7' }, sandbox: { simulate } };
    await post('/cop/account/validate', body);
  }
};

const incomingCredits: Simulation = async (world) => {
  const from = { from_bsb: '014209', from_account_number: '12345678', debtor_name: 'A Payer' };
  const whole = { ...from, payment_reference: 'INV 5' };
  const npp = { payment_description: 'October', debtor_legal_name: 'A Payer Pty Ltd' };
  await incomingCredit(world, 'npp_bban');
  await incomingCredit(world, 'npp_bban', { ...whole, ...npp });
  await incomingCredit(world, 'de');
  await incomingCredit(world, 'de', whole);
  const toPayId = { payid_email: 'gym@pay.biller.example', amount: 4200 };
  await world.post('/simulate/incoming_npp_payid_payment', toPayId, 'PayID');
  await world.pass(1);
};

const disputes: Simulation = async (world) => {
  for (const simulate_action_request of [true, false]) {
    const body = {
      simulate_action_request,
      investigation_type_code: 'INV13',
      investigation_reason_code: 'UDUR',
      original_transaction_identification: await settledPayment(world),
      narrative: 'The payer disputes it',
    };
    await world.post('/investigations/simulate_incoming_message', body, 'message');
  }
  await world.pass(1);
};

const services: Simulation = async (world) => {
  const id = await registeredClient(world);
  for (const status of ['suspended', 'off_boarded'] as const) {
    world.control.setClientService(id, 'payto', status);
    await world.api.getClient(id, world.call);
  }
};

export const SIMULATIONS: Record<string, Simulation> = {
  simulatedCreations,
  simulatedActions,
  debtorActions,
  lookups,
  incomingCredits,
  disputes,
  services,
};
