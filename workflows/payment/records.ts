// What a payment records besides what all resources do: judgements, its withdrawal, and admitted refunds.
import { PAYMENT_LIFECYCLE } from '../../domain/payment/lifecycle.js';
import { listChanges } from '../engine/changes.js';
import { recordOfResource } from '../resource/records.js';
import { viewOf } from './view.js';
import type { Change } from '../engine/recording.js';
import type { PaymentState } from './state.js';

export const PAYMENT_RECORD = recordOfResource({
  resource: 'payment',
  lifecycle: PAYMENT_LIFECYCLE,
  viewOf,
  ownChanges: (before: PaymentState | undefined, after: PaymentState) => [
    ...withdrawal(before, after),
    ...listChanges(before?.judgements, after.judgements, (judgement) => ({
      kind: 'decision',
      name: 'payment_judged',
      data: judgement,
    })),
    ...listChanges(before?.refunds, after.refunds, (refund) => ({
      kind: 'decision',
      name: refund.outcome === 'under_way' ? 'refund_admitted' : 'refund_counted',
      data: refund,
    })),
  ],
});

const withdrawal = (before: PaymentState | undefined, { withdrawn }: PaymentState): Change[] =>
  withdrawn === undefined || before?.withdrawn !== undefined
    ? []
    : [{ kind: 'command', name: 'withdrawal', data: withdrawn }];
