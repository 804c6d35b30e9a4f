// What an agreement records besides what all resources do: admitted payments, and what became of its plan. The payments have rows of their own.
import { AGREEMENT_LIFECYCLE } from '../../domain/agreement/lifecycle.js';
import { listChanges } from '../engine/changes.js';
import { recordOfResource } from '../resource/records.js';
import { isOver } from './desired-steps.js';
import { settleActions } from './state.js';
import { recordedView } from './view.js';
import type { Change } from '../engine/recording.js';
import type { AgreementState } from './state.js';

export const AGREEMENT_RECORD = recordOfResource({
  resource: 'agreement',
  lifecycle: AGREEMENT_LIFECYCLE,
  // An ended run settles its actions.
  viewOf: (state: AgreementState) => recordedView(isOver(state) ? settleActions(state) : state),
  ownChanges: (before: AgreementState | undefined, after: AgreementState) => [
    ...admissions(before, after),
    ...listChanges(before?.plan?.log, after.plan?.log, (entry) => ({
      kind: 'decision',
      name: entry.reason === undefined ? 'planned_payment_requested' : 'planned_payment_skipped',
      data: entry,
    })),
  ],
});

/** The payments that are new in the ledger. What becomes of them is in their own entries. */
function admissions(before: AgreementState | undefined, { ledger }: AgreementState): Change[] {
  if (before?.ledger === ledger) return [];
  const admitted = new Set(before?.ledger.map(({ uid }) => uid));
  return ledger
    .filter(({ uid }) => !admitted.has(uid))
    .map((entry) => ({ kind: 'decision', name: 'payment_admitted', data: entry }));
}
