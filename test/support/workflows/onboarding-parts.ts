import type { Reading } from '../../../domain/onboarding/reading.js';
import type { PartName } from '../../../domain/onboarding/steps.js';
import { A_MANDATE, aClientOrder, aCounterpartyOrder, anOrder } from './provider.js';

/** All four; what a test leaves out it says. */
export function someParts() {
  const { agreement_uid: _, ...order } = anOrder('agr-1');
  return {
    parts: {
      client: { uid: 'cli-1', order: aClientOrder(), above: [] },
      counterparty: { uid: 'cp-1', order: aCounterpartyOrder() },
      agreement: { uid: 'agr-1', mandate: A_MANDATE },
      payment: { uid: 'pay-1', order },
    },
  };
}

/** Each as it is when all goes well. */
export const ALL_WELL: Readonly<Record<PartName, Reading>> = {
  client: { state: 'active', clientId: 'cl-1' },
  counterparty: { state: 'registered', accounts: aCounterpartyOrder().payment_accounts },
  agreement: { state: 'active' },
  payment: { state: 'settled', isSent: true },
};
