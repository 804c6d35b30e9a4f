// Everything the sandbox holds, by family, as tests and people read it. No secret is in it.
import type { Account } from '../account.schema.js';
import type { Agreement } from '../agreements/agreement.schema.js';
import { formatAgreement } from '../agreements/format-agreement.js';
import { clientRecords } from '../clients/client-records.js';
import { formatClient } from '../clients/format-client.js';
import type { Counterparty } from '../clients/counterparty.schema.js';
import type { Engine } from '../engine.js';
import type { Fault } from '../faults/fault.schema.js';
import { formatFloatAccount } from '../float-accounts/format-float-account.js';
import { CURRENT_VERSION } from '../http/version.js';
import type { Grant } from '../oauth/oauth.schema.js';
import { formatPayment } from '../payments/format-payment.js';
import type { PaymentScript } from '../payments/payment.schema.js';
import { formatRefund } from '../refunds/format-refund.js';
import { isListed, isUnderWay } from '../webhooks/delivery-states.js';
import { formatDeliveryInFull } from '../webhooks/format-delivery.js';
import type { Delivery } from '../webhooks/webhook.schema.js';

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
