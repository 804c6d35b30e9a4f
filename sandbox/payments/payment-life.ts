// The life of a payment at the provider: submitted to the network, then along its script to an end.
import type { Engine } from '../engine.js';
import type { Payment, PaymentFailure, PaymentSimulation, PaymentState } from './payment.schema.js';
import { publish } from '../webhooks/events.js';

const STEP_MS = 20;

interface Step {
  to: 'settled' | 'failed' | 'under_investigation';
  failure?: PaymentFailure;
}

function failed(code: string, title: string, retryable: boolean, detail: string): Step {
  return { to: 'failed', failure: { code, title, detail, retryable } };
}

const SETTLED: Step = { to: 'settled' };
const INVESTIGATED: Step = { to: 'under_investigation' };

/** Where each script leads after `submitting`, step by step; the script's delay stands before each step. */
const ROUTES: Record<PaymentSimulation, readonly Step[]> = {
  auto_settle: [SETTLED],
  requires_investigation: [INVESTIGATED],
  investigate_and_settle: [INVESTIGATED, SETTLED],
  investigate_and_fail: [
    INVESTIGATED,
    failed('UKNWN', 'Unknown reason', false, 'The payer bank gave no reason.'),
  ],
  insufficient_funds: [failed('AM04', 'Insufficient funds', true, 'The debtor account lacks the funds.')],
  creditor_account_type_not_supported: [
    failed('AC14', 'Creditor account type', false, 'The creditor account cannot take this payment.'),
  ],
  creditor_account_closed: [
    failed('AC07', 'Closed creditor account', false, 'The creditor account is closed.'),
  ],
  debtor_account_closed: [failed('AC05', 'Closed debtor account', false, 'The debtor account is closed.')],
  financial_infrastructure_unavailable: [
    failed('FF10', 'Bank system error', true, 'The infrastructure of a bank was not available.'),
  ],
  creditor_alias_not_found: [
    failed('ZPUNP08', 'Creditor alias not found', false, 'The alias is not known to the addressing service.'),
  ],
  alias_resolution_service_unavailable: [
    failed('ZPUNP06', 'Alias resolution unavailable', true, 'The addressing service could not be reached.'),
  ],
};

/** The create call is answered with 201; everything after it comes with time. */
export function beginPayment(engine: Engine, payment: Payment): void {
  engine.store.payments.set(payment.uid, payment);
  note(engine, payment, null);
  engine.scheduler.add('submit_payment', payment.uid, engine.clock.now() + STEP_MS);
}

export function submitPayment(engine: Engine, payment: Payment): void {
  if (payment.state !== 'created') return;
  payment.state = 'submitting';
  note(engine, payment, 'created');
  planStep(engine, payment);
}

export function progressPayment(engine: Engine, payment: Payment): void {
  const route = ROUTES[payment.script.simulate];
  const step = payment.state === 'submitting' ? route[0] : route[1];
  if (step === undefined) return;
  const from = payment.state;
  payment.state = step.to;
  payment.failure = step.failure ?? null;
  const event = publish(engine, {
    type: `payto_payment.${step.to}`,
    resource_type: 'payto_payment',
    resource_uid: payment.uid,
    lane: payment.agreement_uid,
    body: step.failure === undefined ? null : { failure: step.failure },
    metadata: payment.metadata,
  });
  note(engine, payment, from, event);
  if (step !== route.at(-1)) planStep(engine, payment);
}

function planStep({ scheduler, clock }: Engine, { uid, script }: Payment): void {
  scheduler.add('progress_payment', uid, clock.now() + STEP_MS + script.delay * 1000);
}

function note(
  { ledger }: Engine,
  payment: Payment,
  from: PaymentState | null,
  event?: { id: string; type: string },
): void {
  ledger.append({
    kind: 'change',
    resource_type: 'payto_payment',
    resource_uid: payment.uid,
    from,
    to: payment.state,
    event_id: event?.id ?? null,
    event_type: event?.type ?? null,
  });
}
