// Compares the provider's records of the payments with the workflows: each payment settles once, with one refund and nothing else.
import { SOON_SECONDS, differs, isAccepted, isChange } from '../scene.js';
import { eventually } from '../../api/waiting.js';
import type { Provider } from '../provider.js';
import type { PaymentCalls } from './calls.js';

/** The expected end of a payment: settled, after this many attempts, with this many cents refunded. */
export interface ExpectedPayment {
  uid: string;
  scenario: string;
  attempts: number;
  refunded: number;
}

export interface AuditedPayment extends ExpectedPayment {
  state: string;
  stateAtProvider: string;
  accepted: number;
  settlements: number;
}

export interface PaymentsAudit {
  payments: AuditedPayment[];
  /** For people: the expected and the actual values. */
  differences: string[];
}

export async function auditPayments(
  provider: Pick<Provider, 'ledger' | 'state'>,
  calls: Pick<PaymentCalls, 'getPayment'>,
  { payments: expected, refundUid }: { payments: readonly ExpectedPayment[]; refundUid: string },
): Promise<PaymentsAudit> {
  const state = await provider.state();
  const ledger = await provider.ledger();
  const payments: AuditedPayment[] = [];
  for (const wanted of expected) {
    const here = await whenRefunded(calls, wanted);
    payments.push({
      ...wanted,
      attempts: here.attempts.length,
      refunded: here.refunded,
      state: here.state,
      stateAtProvider: state.payments.find(({ uid }) => uid === wanted.uid)?.state ?? 'absent',
      accepted: ledger.filter((entry) => isAccepted(entry, 'create_payment', wanted.uid)).length,
      settlements: ledger.filter((entry) => isChange(entry, 'settled', wanted.uid)).length,
    });
  }
  const wantedUids = new Set(expected.map(({ uid }) => uid));
  const strangers = state.payments.filter(({ uid }) => !wantedUids.has(uid));
  const refunds = ledger.filter((entry) => isChange(entry, 'processed', refundUid)).length;
  return {
    payments,
    differences: [
      ...payments.flatMap((payment, index) => differencesOf(payment, expected[index] ?? payment)),
      ...differs(`refund ${refundUid} processed by the provider`, 1, refunds),
      ...strangers.map(({ uid }) => `the provider: expected only the planned payments, also found ${uid}`),
    ],
  };
}

/** A refund reports to its payment right after it is processed. */
const whenRefunded = (calls: Pick<PaymentCalls, 'getPayment'>, { uid, refunded }: ExpectedPayment) =>
  eventually(
    () => calls.getPayment(uid),
    (met) => met.refunded >= refunded,
    { what: `${refunded} cents of payment ${uid} to be refunded`, limitMs: SOON_SECONDS * 1000 },
  );

const differencesOf = (met: AuditedPayment, { uid, attempts, refunded }: ExpectedPayment): string[] => [
  ...differs(`payment ${uid} at the provider`, 'settled', met.stateAtProvider),
  ...differs(`payment ${uid} in our workflow`, 'settled', met.state),
  ...differs(`payment ${uid} accepted by the provider`, 1, met.accepted),
  ...differs(`settlements of payment ${uid}`, 1, met.settlements),
  ...differs(`attempts of payment ${uid}`, attempts, met.attempts),
  ...differs(`refunded cents of payment ${uid}`, refunded, met.refunded),
];
