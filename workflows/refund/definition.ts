// A refund: its steps and their rules, its messages, and what it records.
import { REFUND_LIFECYCLE, isRefundFinal, type RefundSnapshot } from '../../domain/refund/lifecycle.js';
import {
  applyFetched,
  dueLookUp,
  isOver as isOverOf,
  type Followed,
  type WatchedChange,
} from '../resource/definition.js';
import { claimBy } from '../resource/claim.js';
import { carrying, followedHandlers, recordOfResource, type ResourceWorkflow } from '../resource/kit.js';
import { isUnproven } from '../resource/others.js';
import { stayOpenSteps } from '../resource/reopened.js';
import { nextResourceStep, resourceRules, watchRule, type ResourceStep } from '../resource/rules.js';
import { foldedOf, ownerOf, refOf } from '../resource/state.js';
import { resumptionRule } from '../resource/submission/rules.js';
import { rule, type StepRules } from '../engine/step.js';
import { lostRefund } from './lost.js';
import * as states from './state.js';
import { published, viewOf } from './view.js';
import type { RefundInput, RefundView, messages } from './contract.js';
import type { DueReport, RefundState } from './state.js';

export type RefundStep =
  | ResourceStep
  | { do: 'await_resumption' }
  | ({ do: 'await_processing' } & WatchedChange)
  | ({ do: 'report' } & DueReport);

interface RefundTypes {
  state: RefundState;
  snapshot: RefundSnapshot;
  step: RefundStep;
  input: RefundInput;
  view: RefundView;
  messages: typeof messages;
}

const KIND: Followed<RefundTypes> = {
  noun: 'refund',
  lifecycle: REFUND_LIFECYCLE,
  isFinal: isRefundFinal,
  hasHistory: false,
  submit: (call, state) => call.submitRefund({ ...refOf(state), order: states.orderOf(state) }),
  find: (call, of) => call.findRefund(of),
  lookUp: (call, of) => call.lookUpRefund(of),
  watch: (call, watched) => call.watchRefund(watched),
  differences: states.differencesIn,
  applyRefusal: states.applyRefusal,
  applySnapshot: states.applySnapshot,
  apply: (state, fetched, requested) => applyFetched(KIND, state, fetched, requested),
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

const RULES: StepRules<RefundState, RefundStep> = {
  ...resourceRules(KIND, (call, of) => call.adoptRefund(of)),
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

export const REFUND: ResourceWorkflow<RefundTypes> = {
  rules: RULES,
  desiredSteps,
  isOver,
  publish: published,
  record: recordOfResource('refund', REFUND_LIFECYCLE, { viewOf }),
  handlers: {
    ...followedHandlers('refund', { ...states, viewOf }),
    // Its payment may have given up the wait for this answer, so the refund reports that it is under way.
    claim: claimBy(
      (input: RefundInput, now): RefundState => ({ ...states.newRefund(input, now), reported: undefined }),
      viewOf,
    ),
  },
  begin: states.newRefund,
  lost: lostRefund,
  viewOf,
  toCarry: carrying(REFUND_LIFECYCLE),
  insteadOfCancelling: 'A submitted refund cannot be recalled. It is followed until its outcome is known.',
};
