import { newCase } from '../../../workflows/unmatched-credit/state.js';
import { viewOf as viewOfCase } from '../../../workflows/unmatched-credit/view.js';
import { firstView as firstConnection } from '../../../workflows/connection/view.js';
import type { UnmatchedCreditView } from '../../../workflows/unmatched-credit/contract.js';
import { viewOf as viewOfNotification } from '../../../workflows/notification/view.js';
import type { NotificationView } from '../../../workflows/notification/contract.js';
import { newFloatAccount } from '../../../workflows/float-account/state.js';
import { viewOf } from '../../../workflows/float-account/view.js';
import type { FloatAccountView } from '../../../workflows/float-account/contract.js';
import { chunksOf, sumOf } from '../../../domain/batch/rows.js';
import type { BatchView } from '../../../workflows/batch/contract.js';
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Fact } from '../../../domain/facts/fact.js';
import type { TimelineEntry } from '../../../api/gateway/timeline.js';
import type { PaymentEntry } from '../../../domain/payment/outcome.js';
import type { AgreementView } from '../../../workflows/agreement/contract.js';
import type { ConnectionView } from '../../../workflows/connection/contract.js';
import type { RefundOrder } from '../../../domain/refund/request.schema.js';
import type { ClientView } from '../../../workflows/client/contract.js';
import type { CounterpartyView } from '../../../workflows/counterparty/contract.js';
import { aClientOrder, aCounterpartyOrder } from '../workflows/provider.js';
import type { RefundView } from '../../../workflows/refund/contract.js';
import { firstView as firstAgreement } from '../../../workflows/agreement/view.js';
import { firstView as firstRefund } from '../../../workflows/refund/view.js';
import type { PaymentView } from '../../../workflows/payment/contract.js';
import { firstView as firstPayment } from '../../../workflows/payment/view.js';

const SINCE = '2026-10-01T01:00:00.000Z';

export const aMandate = () => ({
  purpose: 'utility',
  description: 'Plan 77',
  debtor: { party_name: 'A Payer', account_identifier: { type: 'bban', value: '200001-12340001' } },
  creditor: {
    party_name: 'B Biller',
    ultimate_party_name: 'B Biller',
    account_identifier: { type: 'bban', value: '200002-55550001' },
  },
  payment_terms: { type: 'variable', frequency: 'adhoc', max_amount: 25_000 },
  validity_start_date: '2026-10-01',
  metadata: { order: '77' },
});

export const anAgreement = () => ({ uid: 'agr-1', ...aMandate() });
export const aPayment = () => ({
  uid: 'pay-1',
  amount: 4200,
  reference: 'INV 5',
  description: 'October',
  creditor_reference: 'C-5',
});

export const anAgreementView = (with_: Partial<AgreementView> = {}): AgreementView => ({
  ...firstAgreement({ uid: 'agr-1', connectionId: 'acme', mandate: aMandate() }, SINCE),
  awaiting: { what: 'provider-acceptance', since: SINCE },
  pending: [],
  payments: [],
  paymentsOlder: 0,
  ...with_,
});

export const anEntryOf = (fact: Partial<Fact> = {}): TimelineEntry => {
  const data = aFact(fact);
  return { sequence: 1, kind: 'fact', name: data.type, factId: data.id, at: data.publishedAt, data };
};

export const aPaymentEntry = (with_: Partial<PaymentEntry> = {}): PaymentEntry => ({
  uid: 'pay-1',
  amount: 100,
  requestedAt: '2026-10-01T01:00:00.000Z',
  outcome: 'in_flight',
  outcomeAt: '2026-10-01T01:00:00.000Z',
  failures: 0,
  refunded: 0,
  ...with_,
});

export const anOrder = () => ({
  agreement_uid: 'agr-1',
  amount: 4200,
  priority: 'unattended',
  reference: 'INV 5',
  description: 'October',
  creditor_reference: 'C-5',
});

export const aPaymentView = (with_: Partial<PaymentView> = {}): PaymentView => ({
  ...firstPayment({ uid: 'pay-1', connectionId: 'acme', order: anOrder() }, SINCE),
  ...{ submitBefore: undefined, attempts: [] },
  ...with_,
});

export const aRefundOrder = (): RefundOrder => ({
  original_payment_uid: 'pay-1',
  refund_payment: {
    type: 'float_bank_payment',
    float_bank_account_id: '0195e5a4-0000-7000-8000-000000000001',
    amount: 100,
    description: 'REFUND part',
  },
});

export const aRefundView = (with_: Partial<RefundView> = {}): RefundView => ({
  ...firstRefund({ uid: 'ref-1', connectionId: 'acme', order: aRefundOrder() }, SINCE),
  ...with_,
});

export const aClientView = (with_: Partial<ClientView> = {}): ClientView => ({
  uid: 'cli-1',
  connectionId: 'acme',
  clientId: 'cl-1',
  state: 'active',
  stateSince: SINCE,
  order: aClientOrder(),
  particulars: undefined,
  failure: undefined,
  requestedBy: undefined,
  adopted: false,
  requestedAt: SINCE,
  submissions: 1,
  changes: [],
  awaiting: { what: 'nothing', since: SINCE },
  attention: [],
  ...with_,
});

export const aCounterpartyView = (with_: Partial<CounterpartyView> = {}): CounterpartyView => {
  const order = with_.order ?? aCounterpartyOrder();
  return {
    uid: 'cp-1',
    connectionId: 'acme',
    counterpartyId: 'at-cp-1',
    identity: undefined,
    failure: undefined,
    requestedBy: undefined,
    state: 'registered',
    stateSince: SINCE,
    order,
    accounts: order.payment_accounts.map((account) => ({
      ...account,
      tries: 1,
      isCleared: true,
      checked: { outcome: 'match', times: 1, at: SINCE, name: 'ADA PAYER' },
    })),
    adopted: false,
    requestedAt: SINCE,
    submissions: 1,
    changes: [],
    awaiting: { what: 'nothing', since: SINCE },
    attention: [],
    ...with_,
  };
};

export const aBatchView = (with_: Partial<BatchView> = {}): BatchView => {
  const { chunks = chunksOf([3]) } = with_;
  return {
    ...{ id: 'b-1', kind: 'agreements', state: 'running', isDryRun: false, connectionId: 'acme' },
    ...{ digest: 'd', requestedAt: SINCE, requestedBy: 'key-all', commands: [], attention: [] },
    awaiting: { what: 'rows', since: SINCE },
    counts: sumOf(chunks.map(({ counts }) => counts)),
    ...with_,
    chunks,
  };
};

export const aConnectionView = (with_: Partial<ConnectionView> = {}): ConnectionView => ({
  ...firstConnection('acme', SINCE),
  status: 'healthy',
  generation: 1,
  expiresAt: '2026-10-01T04:00:00.000Z',
  scope: 'pay_to_agreements',
  awaiting: { what: 'nothing', since: SINCE },
  ...with_,
});

export const aFact = (with_: Partial<Fact> = {}): Fact => ({
  id: 'f-1',
  type: 'activated',
  publishedAt: SINCE,
  receivedAt: SINCE,
  source: 'webhook',
  authenticated: true,
  ...with_,
});

export const aWebhook = (with_: Record<string, unknown> = {}) => ({
  data: {
    id: '0195f7a0-0000-7000-8000-000000000001',
    type: 'payto_agreement.activated',
    resource_type: 'payto_agreement',
    resource_uid: 'agr-1',
    published_at: '2026-10-01T12:00:00.000+10:00',
    body: null,
    ...with_,
  },
});

export function signed(body: string, secret: string, nowMs: number): Record<string, string> {
  const seconds = Math.floor(nowMs / 1000);
  const hmac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return { 'content-type': 'application/json', 'service-signature': `${seconds}.${hmac}` };
}

const Problem = z.object({
  status: z.number(),
  code: z.string(),
  title: z.string(),
  detail: z.string(),
  request_id: z.string(),
  provider_version: z.string().optional(),
  errors: z
    .array(
      z.object({
        pointer: z.string().optional(),
        parameter: z.string().optional(),
        header: z.string().optional(),
        detail: z.string(),
      }),
    )
    .default([]),
});

export async function problemIn(response: Response) {
  const problem = Problem.parse(await response.json());
  if (response.headers.get('content-type') !== 'application/problem+json')
    throw new Error('expected the content type application/problem+json');
  if (problem.status !== response.status)
    throw new Error('the body and the response have different statuses');
  if (problem.request_id !== response.headers.get('x-request-id'))
    throw new Error('the body and the header have different request ids');
  return {
    ...problem,
    pointers: problem.errors.map(({ pointer }) => pointer),
    parameters: problem.errors.map(({ parameter }) => parameter),
  };
}

export const aFloatAccountView = (over: Partial<FloatAccountView> = {}): FloatAccountView => ({
  ...viewOf(newFloatAccount({ uid: 'float-1', connectionId: 'acme' }, '2026-10-01T01:00:00.000Z')),
  ...over,
});

export const A_CREDIT: Fact = aFact({
  type: 'float_accounts.unmatched_credit.received',
  detail: {
    amount: 700,
    description: 'Rent of Mary',
    received_at: '2026-10-01T11:00:00.000+10:00',
    creditor: { id: 'float-1' },
    debtor: {
      party_name: 'Mary Payer',
      reference: 'INV-7',
      account_identifier: { type: 'bban', value: '200001-12340001' },
    },
  },
});

export const anUnmatchedCreditView = (over: Partial<UnmatchedCreditView> = {}): UnmatchedCreditView => ({
  ...viewOfCase(
    newCase({ uid: 'credit-1', accountUid: 'float-1', fact: A_CREDIT }, '2026-10-01T01:00:00.000Z'),
  ),
  connectionId: 'acme',
  ...over,
});

export const aNotificationView = (over: Partial<NotificationView> = {}): NotificationView => ({
  ...viewOfNotification({ id: 'unknown/1', resourceType: 'unknown', fact: A_CREDIT, attention: [] }),
  ...over,
});
