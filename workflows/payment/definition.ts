// A payment: the rules of its steps, its messages, and what it records. desired-steps.ts says which steps should run.
import { PAYMENT_LIFECYCLE, isPaymentFinal, type PaymentSnapshot } from '../../domain/payment/lifecycle.js';
import { listChanges } from '../engine/changes.js';
import { updateState } from '../engine/handlers.js';
import { msUntil, rule, type StepRules } from '../engine/step.js';
import { report } from '../contracts/signals.js';
import { stopped } from '../resource/blocked.js';
import { claimBy } from '../resource/claim.js';
import { applyFetched, applyNoNews, type Followed } from '../resource/definition.js';
import { followedHandlers, recordOfResource, type ResourceWorkflow } from '../resource/kit.js';
import { reportRule } from '../resource/report-rule.js';
import { addReporter } from '../resource/reports.js';
import { resourceRules, watchRule } from '../resource/rules.js';
import { ownerOf, refOf } from '../resource/state.js';
import { endIfBlocked, resumptionRule } from '../resource/submission/rules.js';
import { isUidOfAnother } from '../resource/submission/state.js';
import { applyWithdrawal, resolveFlag, validateWithdrawal } from './commands.js';
import { isOver, desiredSteps, readingOf, type PaymentStep } from './desired-steps.js';
import { applyListedRefunds, applyRefundReport, startRefund, validateRefund } from './refunds.js';
import { markReported } from './report.js';
import { showsBefore, requestRetry, requestRetryByPolicy, validateRetry } from './retry.js';
import { lostPayment } from './lost.js';
import * as states from './state.js';
import { published, viewOf } from './view.js';
import type { PaymentOrder } from '../../domain/agreement/mandate.js';
import type { RefundReport } from '../../domain/refund/lifecycle.js';
import type { AgreementAnswer } from '../../domain/terms/judgement.js';
import type { Change } from '../engine/recording.js';
import type { PaymentInput, PaymentView, messages } from './contract.js';
import type { PaymentState } from './state.js';

interface PaymentTypes {
  state: PaymentState;
  snapshot: PaymentSnapshot;
  step: PaymentStep;
  input: PaymentInput;
  view: PaymentView;
  messages: typeof messages;
}

function orderOf({ uid, order }: PaymentState): PaymentOrder {
  if (order === undefined) throw new Error(`payment ${uid} has no order yet`);
  return order;
}

const KIND: Followed<PaymentTypes> = {
  noun: 'payment',
  lifecycle: PAYMENT_LIFECYCLE,
  isFinal: isPaymentFinal,
  hasHistory: false,
  submit: (call, state) => {
    const until = { judgedAt: state.judgements?.at(-1)?.at, sendBefore: states.sendBefore(state) };
    return state.submission.again === undefined
      ? call.submitPayment({ ...refOf(state), ...until, order: orderOf(state) })
      : call.retryPayment({ ...refOf(state), ...until, creditor: state.creditorNow });
  },
  // A payment that shows only the attempt before tells nothing about the latest one.
  find: async (call, of, state) => {
    const found = await call.findPayment(of);
    return found !== null && showsBefore(state, found) ? null : found;
  },
  lookUp: (call, of) => call.lookUpPayment(of),
  watch: (call, watched) => call.watchPayment(watched),
  differences: states.differencesIn,
  sending: {
    until: states.sendBefore,
    blockedBy: states.blockedBy,
    searched: states.searchIfStartedLate,
    neverSent: states.endUnsent,
  },
  lapse: states.endUnsent,
  applyRefusal: states.applyRefusal,
  applySnapshot: states.applySnapshot,
  apply: (state, fetched, requested) =>
    !isUidOfAnother(state) && showsBefore(state, fetched)
      ? applyNoNews(PAYMENT_LIFECYCLE, state, fetched.snapshot.state)
      : applyFetched(KIND, state, fetched, requested),
};

const RULES: StepRules<PaymentState, PaymentStep> = {
  ...resourceRules(KIND, (call, of) => call.adoptPayment(of)),
  await_resumption: resumptionRule<PaymentState>(),
  ask_agreement: rule<PaymentState, PaymentStep, AgreementAnswer>({
    lane: 'command',
    awaiting: 'agreement',
    run: (_step, read, { call }) => {
      const isRetry = read().submission.again !== undefined;
      return call.askAgreement({ ...refOf(read()), order: orderOf(read()), isRetry });
    },
    done: states.applyAnswer,
    failed: stopped,
  }),
  await_settlement: watchRule(KIND, 'settlement'),
  await_refunds: { lane: 'learn', awaiting: 'refund' },
  list_refunds: rule<PaymentState, PaymentStep, RefundReport[]>({
    lane: 'learn',
    awaiting: 'look-up',
    run: (_step, read, { call }) => call.listRefunds(refOf(read())),
    done: applyListedRefunds,
    failed: stopped,
  }),
  await_last_moment: {
    lane: 'clock',
    awaiting: 'nothing',
    run: ({ until }, _read, { sleep, now }) => sleep(msUntil(until, now()) + 1, 'deadline for sending'),
    done: (state, _outcome, { now }) =>
      (state.submission.stage === 'ready' ? endIfBlocked<PaymentTypes>(KIND, state, now) : undefined) ?? {
        ...state,
      },
  },
  await_retry: {
    lane: 'clock',
    awaiting: 'retry',
    run: ({ until }, _read, { sleep, now }) => sleep(msUntil(until, now()), 'wait before the retry'),
    done: (state, _outcome, { now }) => requestRetryByPolicy({ ...state }, now),
  },
  report_on: reportRule<PaymentState>('payment', readingOf),
  report: rule<PaymentState, Extract<PaymentStep, { do: 'report' }>, void>({
    lane: 'answer',
    awaiting: 'nothing',
    run: async ({ agreementUid, report: news }, read, { call }) => {
      // Within this workflow task, which saves a task. If the worker dies, the signal may be sent twice.
      if (await call.signalRun(report(agreementUid, news))) return;
      // The agreement has ended. It still needs to count the money.
      await call.reportPayment({ agreementUid, connectionId: ownerOf(read()), report: news });
    },
    done: (state, _outcome, { step }) => markReported(state, step),
  }),
};

/** Judgements, the withdrawal, and admitted refunds. */
const ownChanges = (before: PaymentState | undefined, after: PaymentState): Change[] => [
  ...(after.withdrawn === undefined || before?.withdrawn !== undefined
    ? []
    : [{ kind: 'command', name: 'withdrawal', data: after.withdrawn } as const]),
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
];

export const PAYMENT: ResourceWorkflow<PaymentTypes> = {
  rules: RULES,
  desiredSteps,
  isOver,
  until: states.waitsUntil,
  publish: published,
  record: recordOfResource('payment', PAYMENT_LIFECYCLE, { viewOf, ownChanges }),
  handlers: {
    ...followedHandlers('payment', { applyFact: states.applyFact, resolveFlag, viewOf }),
    withdrawPayment: { validate: validateWithdrawal, ...updateState(applyWithdrawal) },
    requestRefund: { validate: validateRefund, handle: startRefund },
    refundReports: updateState(applyRefundReport),
    retryPayment: { validate: validateRetry, ...updateState(requestRetry) },
    claim: claimBy(
      (input: PaymentInput, now): PaymentState => ({
        ...states.newPayment(input, now),
        isStartedLate: undefined,
      }),
      viewOf,
    ),
    reportTo: updateState(addReporter),
  },
  begin: states.newPayment,
  lost: lostPayment,
  viewOf,
  toCarry: states.stateToCarry,
  insteadOfCancelling: 'A submitted payment cannot be recalled. It is followed until its outcome is known.',
};
