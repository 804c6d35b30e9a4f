// The simulators of the provider's own sandbox and the `sandbox` field of requests, as its files document them. events.ts has the
// events that they cannot produce.
import {
  ACCOUNTS,
  NEW_TERMS,
  WHY,
  agreementRequest,
  bban,
  paymentRequest,
  refundRequest,
  unique,
} from './requests.js';
import {
  activeAgreement,
  amendedAgreement,
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
  alias: ['alias_found', 'alias_not_found', 'service_unavailable'],
  validation: ['match', 'close_match', 'individual_no_match', 'non_individual_no_match', 'account_closed', 'no_account_found', 'bic_lookup_failed', 'account_daily_no_match_limit_exceeded', 'requester_daily_no_match_limit_exceeded', 'account_daily_request_limit_exceeded', 'requester_daily_request_limit_exceeded', 'unable_to_confirm', 'rate_limited'],
  debtorReason: ['invalid_debtor_account_number', 'closed_account_number', 'closed_debtor_account_number', 'blocked_account', 'invalid_debtor_account_type', 'transaction_forbidden', 'transaction_not_supported', 'not_allowed_currency', 'not_allowed_amount', 'amount_exceeds_agreed_limit', 'customer_deceased', 'no_mandate_service_agent', 'no_mandate_service_customer', 'customer_requested', 'initiating_party_requested', 'mandate_expired', 'suspected_fraudulent', 'no_reason_customer', 'no_reason_agent', 'narrative', 'regulatory', 'no_service_debtor', 'creditor_not_whitelisted_by_debtor', 'creditor_blacklisted_by_debtor', 'contract_amended', 'debtor_cancellation_requested', 'contract_expired', 'mandate_suspended_final_collection', 'mandate_suspended_one_collection', 'mandate_suspended_failed_collections', 'no_answer'],
} as const;

const act = async (world: World, uid: string, action: string, body: object, label: string): Promise<void> => {
  await world.post(`/payto/agreements/${uid}/${action}`, body, label);
  await world.pass(1);
};

const debtorActs = async (world: World, uid: string, body: object, label: string): Promise<void> =>
  act(world, uid, 'simulate_debtor_action', body, label);

const simulatedActions: Simulation = async (world) => {
  for (const simulate of ['successful_cancellation', 'agreement_cancelled'])
    await act(
      world,
      await activeAgreement(world),
      'cancellation',
      { ...WHY, sandbox: { simulate, delay: 0 } },
      simulate,
    );
  for (const simulate of ['successful_suspension', 'agreement_cancelled'])
    await act(
      world,
      await activeAgreement(world),
      'suspension',
      { ...WHY, narrative: null, sandbox: { simulate } },
      simulate,
    );
  for (const simulate of SIMULATED.amendment)
    await act(
      world,
      await activeAgreement(world),
      'amendment',
      { changes: NEW_TERMS, sandbox: { simulate } },
      simulate,
    );
  await act(
    world,
    await amendedAgreement(world, 'ignore'),
    'amendment/recall',
    { sandbox: { simulate: 'amendment_applied' } },
    'late',
  );
};

const simulatedCreations: Simulation = async (world) => {
  for (const simulate of SIMULATED.agreement) {
    await world.post(
      '/payto/agreements',
      { ...agreementRequest(), sandbox: { simulate, delay: 0 } },
      simulate,
    );
    await world.pass(1);
  }
  for (const simulate of SIMULATED.payment) {
    const uid = await activeAgreement(world);
    await world.post(
      '/payto/payments',
      { ...paymentRequest(uid), description: null, sandbox: { simulate, delay: 0 } },
      simulate,
    );
    await world.pass(60);
  }
  for (const simulate of SIMULATED.refund) {
    await world.post(
      '/payto/refunds',
      { ...refundRequest(await settledPayment(world)), sandbox: { simulate } },
      simulate,
    );
    await world.pass(1);
  }
  await world.post(
    `/payto/payments/${await paymentAfter(world, 'insufficient_funds', await activeAgreement(world))}/retry`,
    {
      sandbox: { simulate: 'auto_settle', delay: 0 },
    },
    'auto_settle',
  );
};

const debtorActions: Simulation = async (world) => {
  for (const reason of SIMULATED.debtorReason) {
    for (const debtor_action of ['suspension', 'cancellation'])
      await debtorActs(
        world,
        await activeAgreement(world),
        { debtor_action, reason },
        `${debtor_action} ${reason}`,
      );
  }
  const uid = await activeAgreement(world);
  const why = { reason: 'customer_requested' };
  await debtorActs(world, uid, { debtor_action: 'suspension', ...why, narrative: 'A while' }, 'suspension');
  await debtorActs(world, uid, { debtor_action: 'reactivation' }, 'reactivation');
  await debtorActs(world, uid, { debtor_action: 'cancellation', ...why, narrative: null }, 'cancellation');
  const changed = { party_name: 'B Payer', ultimate_party_name: 'The Payers', account_identifier: bban() };
  for (const debtor of [
    { account_identifier: bban('802919-10000001') },
    changed,
    { account_identifier: ACCOUNTS[2] },
  ])
    await debtorActs(
      world,
      await activeAgreement(world),
      { debtor_action: 'amendment', changes: { debtor } },
      'amendment by the debtor',
    );
};

const lookups: Simulation = async (world) => {
  const requester = { id: 'user-7', remote_ip: '192.0.2.7' };
  for (const simulate of SIMULATED.alias) {
    const sandbox = { simulate, ...(simulate === 'alias_found' ? { display_name: 'A Payer' } : {}) };
    const isFound = simulate === 'alias_found';
    await world.post(
      '/payto/alias_resolution',
      { ...ACCOUNTS[2], requester, sandbox },
      isFound ? simulate : undefined,
    );
  }
  for (const simulate of SIMULATED.validation) {
    const body = {
      uid: unique('cop'),
      account_identifier: bban(),
      party_name: 'A Payer',
      requester: { id: 'user-7' },
    };
    await world.post('/cop/account/validate', { ...body, sandbox: { simulate } });
  }
};

const incomingCredits: Simulation = async (world) => {
  const to = { to_bsb: '200002', to_account_number: '55550001', amount: 4200 };
  const from = { from_bsb: '014209', from_account_number: '12345678', debtor_name: 'A Payer' };
  const npp = {
    payment_description: 'October',
    payment_reference: 'INV 5',
    debtor_legal_name: 'A Payer Pty Ltd',
  };
  await world.post('/simulate/incoming_npp_bban_payment', to, 'least');
  await world.post('/simulate/incoming_npp_bban_payment', { ...to, ...from, ...npp }, 'most');
  await world.post('/simulate/incoming_de_payment', to, 'least');
  await world.post('/simulate/incoming_de_payment', { ...to, ...from, payment_reference: 'INV 5' }, 'most');
  await world.post(
    '/simulate/incoming_npp_payid_payment',
    { payid_email: 'gym@pay.biller.example', amount: 4200 },
    'least',
  );
  await world.pass(1);
};

const disputes: Simulation = async (world) => {
  const narrative = 'The payer disputes it';
  for (const simulate_action_request of [true, false]) {
    const message = {
      simulate_action_request,
      investigation_type_code: 'INV13',
      investigation_reason_code: 'UDUR',
    };
    const body = { ...message, original_transaction_identification: await settledPayment(world), narrative };
    const label = `message, action request: ${simulate_action_request}`;
    await world.post('/investigations/simulate_incoming_message', body, label);
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
