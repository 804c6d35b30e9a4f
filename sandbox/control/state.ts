// The complete state of the sandbox, for tests and people. Contains no secrets.
import { formatAgreement } from '../agreements/formatter.js';
import { clientRecords, formatClient } from '../clients/records.js';
import { formatDeliveryInFull } from '../deliveries/formatter.js';
import type { Engine } from '../engine/parts.js';
import type { Fault } from '../faults/rule.schema.js';
import { formatFloatAccount } from '../float-accounts/accounts.js';
import { CURRENT_VERSION } from '../http/request.js';
import { formatPayment } from '../payments/formatter.js';
import { formatRefund } from '../refunds/formatter.js';
import type { Account } from '../store/account.schema.js';
import type { Agreement } from '../store/agreement.schema.js';
import type { Counterparty } from '../store/client.schema.js';
import type { Grant } from '../store/grant.schema.js';
import type { PaymentScript } from '../store/payment.schema.js';
import type { Delivery } from '../store/webhook.schema.js';
import { isListed, isUnderWay } from '../webhooks/delivery.js';

type AgreementInState = ReturnType<typeof formatAgreement> &
  Pick<Agreement, 'script' | 'pending_actions' | 'amendments'>;

export interface ControlState {
  now: string;
  agreements: AgreementInState[];
  payments: (ReturnType<typeof formatPayment> & { script: PaymentScript })[];
  refunds: ReturnType<typeof formatRefund>[];
  clients: ReturnType<typeof formatClient>[];
  counterparties: Counterparty[];
  float_accounts: ReturnType<typeof formatFloatAccount>[];
  grants: Grant[];
  faults: Fault[];
  seed: string;
  account: Account;
  webhook: { url: string; queued: number; deliveries: number };
}

export type DeliveryInState = ReturnType<typeof formatDeliveryInFull> & Pick<Delivery, 'attempts' | 'fault'>;

/** Newest first. */
export function deliveriesOf({ store }: Engine): DeliveryInState[] {
  return [...store.deliveries.values()].toReversed().map((delivery) => ({
    ...formatDeliveryInFull(delivery),
    attempts: delivery.attempts,
    fault: delivery.fault,
  }));
}

export function stateOf(engine: Engine): ControlState {
  const { store, clock, settings, scheduler, faults } = engine;
  scheduler.catchUp();
  const { baseUrl, webhookUrl } = settings;
  const deliveries = [...store.deliveries.values()].filter(isListed);
  return {
    now: clock.iso(),
    agreements: [...store.agreements.values()].map((agreement) => agreementInState(agreement, baseUrl)),
    payments: [...store.payments.values()].map((payment) => ({
      ...formatPayment(payment, baseUrl, CURRENT_VERSION),
      script: payment.script,
    })),
    refunds: [...store.refunds.values()].map((refund) => formatRefund(refund, baseUrl)),
    clients: clientRecords(engine).map((client) => formatClient(client, CURRENT_VERSION)),
    counterparties: [...store.counterparties.values()],
    float_accounts: [...store.floatAccounts.values()].map(formatFloatAccount),
    grants: [...store.grants.values()],
    faults: [...store.faults],
    seed: faults.seed(),
    account: store.account,
    webhook: { url: webhookUrl, queued: deliveries.filter(isUnderWay).length, deliveries: deliveries.length },
  };
}

function agreementInState(agreement: Agreement, baseUrl: string): AgreementInState {
  const { script, pending_actions, amendments } = agreement;
  const shown = formatAgreement(agreement, baseUrl, CURRENT_VERSION);
  return { ...shown, script, pending_actions, amendments };
}
