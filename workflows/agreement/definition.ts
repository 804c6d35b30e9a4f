// An agreement: its messages, and what it records besides what all resources do. desired-steps.ts says which steps should run, steps.ts how.
import { AGREEMENT_LIFECYCLE } from '../../domain/agreement/lifecycle.js';
import { differences } from '../../domain/commands/differences.js';
import { listChanges } from '../engine/changes.js';
import { updateState } from '../engine/handlers.js';
import { claimBy } from '../resource/claim.js';
import { followedHandlers, recordOfResource, type ResourceWorkflow } from '../resource/kit.js';
import { requestLookUp } from '../resource/others.js';
import { addReporter } from '../resource/reports.js';
import { resolveFlag } from './attention.js';
import { validateRequest, acceptRequest } from './commands.js';
import { desiredSteps, isOver, nextDeadline, type AgreementStep } from './desired-steps.js';
import { permissionFor, validatePayment, judgeRequest, startPayment } from './payments.js';
import { admitRetry } from './retries.js';
import { lostAgreement } from './lost.js';
import { newAgreement, applyFact, judgeActions, stateToCarry, type AgreementState } from './state.js';
import { STEPS, type AgreementTypes } from './steps.js';
import { applyPaymentReport } from './consecutive-failures.js';
import { validatePlan, validatePlanEnd, setPlan, markPlanEnded } from './plan.js';
import { applyPlannedOutcome } from './plan-dates.js';
import { published, recordedView, viewOf } from './view.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Change } from '../engine/recording.js';
import type { AgreementInput } from './contract.js';

/** The steps that end at the next deadline at the latest. */
const TIMED: ReadonlySet<AgreementStep['do']> = new Set<AgreementStep['do']>([
  'await_payer',
  'await_outcome',
  'await_amendment',
]);

export const AGREEMENT: ResourceWorkflow<AgreementTypes> = {
  rules: STEPS,
  desiredSteps,
  isOver,
  until: (state, step) => {
    if (step.do === 'await_limit') return step.until;
    return TIMED.has(step.do) ? nextDeadline(state)?.at : undefined;
  },
  publish: published,
  record: recordOfResource('agreement', AGREEMENT_LIFECYCLE, {
    // An ended run judges its actions.
    viewOf: (state: AgreementState) => recordedView(isOver(state) ? judgeActions(state) : state),
    ownChanges: (before: AgreementState | undefined, after: AgreementState) => [
      ...admissions(before, after),
      ...termsChange(before, after),
      ...listChanges(before?.plan?.log, after.plan?.log, (entry) => ({
        kind: 'decision',
        name: entry.reason === undefined ? 'planned_payment_requested' : 'planned_payment_skipped',
        data: entry,
      })),
    ],
  }),
  handlers: {
    ...followedHandlers('agreement', { applyFact, resolveFlag, viewOf }),
    differs: updateState(requestLookUp),
    paymentReports: updateState((state: AgreementState, report, now) =>
      applyPlannedOutcome(applyPaymentReport(state, report, now), report, now),
    ),
    reportTo: updateState(addReporter),
    requestPayment: { validate: validatePayment, handle: startPayment },
    requestAction: { validate: validateRequest, ...updateState(acceptRequest) },
    putPlan: { validate: validatePlan, ...updateState(setPlan) },
    endPlan: { validate: validatePlanEnd, ...updateState(markPlanEnded) },
    admitRetry: { handle: admitRetry },
    claim: claimBy(requestedNow, recordedView),
    judgePayment: { read: (state, { at, ...request }) => judgeRequest(state, request, at) },
    getPermission: { read: permissionFor },
  },
  begin: newAgreement,
  lost: lostAgreement,
  viewOf: recordedView,
  toCarry: stateToCarry,
  settled: judgeActions,
  insteadOfCancelling: 'To end the mandate: POST /v1/agreements/{uid}/cancellation.',
};

/** A request for a uid that events have named. What callers have requested under this uid since then stays. */
function requestedNow(input: AgreementInput, now: Instant, vacant: AgreementState): AgreementState {
  const { actions, plan, uses, reportsTo } = vacant;
  const requested = newAgreement(input, now);
  return (requested.reportsTo ?? []).reduce(addReporter, { ...requested, actions, plan, uses, reportsTo });
}

/** The payments that are new in the ledger. What becomes of them is in their own entries. */
function admissions(before: AgreementState | undefined, { ledger }: AgreementState): Change[] {
  if (before?.ledger === ledger) return [];
  const admitted = new Set(before?.ledger.map(({ uid }) => uid));
  return ledger
    .filter(({ uid }) => !admitted.has(uid))
    .map((entry) => ({ kind: 'decision', name: 'payment_admitted', data: entry }));
}

/** New terms of an agreement that had some. A look-up shows them, with or without the event of an amendment. */
function termsChange(before: AgreementState | undefined, { mandate, facts }: AgreementState): Change[] {
  const earlier = before?.mandate;
  if (earlier === undefined || mandate === undefined || earlier === mandate) return [];
  const isAmended =
    facts.some(({ type }) => type === 'amended') && JSON.stringify(earlier) !== JSON.stringify(mandate);
  const fields = differences(earlier, mandate);
  return fields.length > 0 || isAmended
    ? [{ kind: 'decision', name: 'terms_changed', data: { fields } }]
    : [];
}
