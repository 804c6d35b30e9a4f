// The desired steps of a refund, and the rule of each: its call, and how success and failure change the state.
import { REFUND_LIFECYCLE, isRefundFinal } from '../../domain/refund/lifecycle.js';
import { dueLookUp, nextResourceStep, isOver as isOverOf, refOf } from '../resource/definition.js';
import { stayOpenSteps } from '../resource/reopened.js';
import { resourceRules, resumptionRule, watchRule } from '../resource/rules.js';
import { foldedOf, ownerOf } from '../resource/state.js';
import { rule } from '../engine/step.js';
import { isUnproven } from '../resource/others.js';
import * as states from './state.js';
import { published } from './view.js';
import { REFUND_RECORD } from './records.js';
import type { RefundLifecycleState } from '../../domain/refund/lifecycle.js';
import type { RefundSnapshot } from '../../domain/refund/lifecycle.js';
import type { ResourceStep, ResourceDefinition, WatchedChange } from '../resource/definition.js';
import type { EntityDefinition } from '../engine/reconcile.js';
import type { StepRules } from '../engine/step.js';
import type { DueReport, RefundState } from './state.js';

export type RefundStep =
  | ResourceStep
  | { do: 'await_resumption' }
  | ({ do: 'await_processing' } & WatchedChange)
  | ({ do: 'report' } & DueReport);

const KIND: ResourceDefinition<RefundLifecycleState, RefundState, RefundSnapshot> = {
  noun: 'refund',
  lifecycle: REFUND_LIFECYCLE,
  hasHistory: false,
  submit: (call, state) => call.submitRefund({ ...refOf(state), order: states.orderOf(state) }),
  find: (call, of) => call.findRefund(of),
  lookUp: (call, of) => call.lookUpRefund(of),
  watch: (call, watched) => call.watchRefund(watched),
  adopt: (call, of) => call.adoptRefund(of),
  differences: states.differencesIn,
  isFinal: isRefundFinal,
  recordRefusal: states.recordRefusal,
  applySnapshot: states.applySnapshot,
};

const hasEnded = (state: RefundState): boolean => isOverOf(KIND, state) && !isUnproven(state);
const isOver = (state: RefundState): boolean => hasEnded(state) && desiredSteps(state).length === 0;

function desiredSteps(state: RefundState): RefundStep[] {
  const due = states.reportDue(state);
  const report: RefundStep[] = due === undefined ? [] : [{ do: 'report', ...due }];
  if (hasEnded(state)) return report.length > 0 ? report : stayOpenSteps(state);
  const snapshotState = state.snapshotState ?? foldedOf(REFUND_LIFECYCLE, state).state;
  const first =
    stepUntilSent(state) ??
    dueLookUp(REFUND_LIFECYCLE, state) ??
    ({ do: 'await_processing', pollIntervals: 'payment', snapshotState } as const);
  return [first, ...report];
}

/** A stopped refund is sent once payments resume. */
function stepUntilSent(state: RefundState): RefundStep | undefined {
  const step = nextResourceStep(state);
  const isWaitingForResumption = step?.do === 'submit' && state.submission.isStopped === true;
  return isWaitingForResumption ? { do: 'await_resumption' } : step;
}

export const STEPS: StepRules<RefundState, RefundStep> = {
  ...resourceRules(KIND),
  await_resumption: resumptionRule<RefundState>(),
  await_processing: watchRule(KIND, 'refund'),
  report: rule<RefundState, Extract<RefundStep, { do: 'report' }>, void>({
    lane: 'answer',
    awaiting: 'nothing',
    run: ({ paymentUid, report }, read, { call }) =>
      call.reportRefund({ paymentUid, connectionId: ownerOf(read()), report }),
    done: (state, _outcome, { step }) => states.markReported(state, step),
  }),
};

export const REFUND: EntityDefinition<RefundState, RefundStep> = {
  rules: STEPS,
  desiredSteps,
  record: REFUND_RECORD,
  isOver,
  publish: published,
};
