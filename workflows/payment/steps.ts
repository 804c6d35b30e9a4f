// The rule of each step of a payment: its call, and how success and failure change the state.
import { PAYMENT_LIFECYCLE, isPaymentFinal } from '../../domain/payment/lifecycle.js';
import { refOf } from '../resource/definition.js';
import { reportRule } from '../resource/report-rule.js';
import { msUntil, rule } from '../engine/step.js';
import { report } from '../contracts/signals.js';
import { resourceRules, resumptionRule, stopped, watchRule, endIfBlocked } from '../resource/rules.js';
import { ownerOf } from '../resource/state.js';
import { isOver, desiredSteps, readingOf } from './desired-steps.js';
import { markReported } from './report.js';
import { showsBefore, requestRetryByPolicy } from './retry.js';
import * as states from './state.js';
import { published } from './view.js';
import { PAYMENT_RECORD } from './records.js';
import type { PaymentOrder } from '../../domain/agreement/mandate.js';
import type { PaymentLifecycleState } from '../../domain/payment/lifecycle.js';
import type { PaymentSnapshot } from '../../domain/payment/lifecycle.js';
import type { AgreementAnswer } from '../../domain/terms/judgement.js';
import type { ResourceDefinition } from '../resource/definition.js';
import type { EntityDefinition } from '../engine/reconcile.js';
import type { StepRules } from '../engine/step.js';
import type { PaymentStep } from './desired-steps.js';
import type { PaymentState } from './state.js';

function orderOf({ uid, order }: PaymentState): PaymentOrder {
  if (order === undefined) throw new Error(`payment ${uid} has no order yet`);
  return order;
}

const KIND: ResourceDefinition<PaymentLifecycleState, PaymentState, PaymentSnapshot> = {
  noun: 'payment',
  lifecycle: PAYMENT_LIFECYCLE,
  hasHistory: false,
  submit: (call, state) => {
    const until = { judgedAt: state.judgements?.at(-1)?.at, sendBefore: states.sendBefore(state) };
    return state.submission.again === undefined
      ? call.submitPayment({ ...refOf(state), ...until, order: orderOf(state) })
      : call.retryPayment({ ...refOf(state), ...until, creditor: state.creditorNow });
  },
  find: (call, of) => call.findPayment(of),
  lookUp: (call, of) => call.lookUpPayment(of),
  watch: (call, watched) => call.watchPayment(watched),
  adopt: (call, of) => call.adoptPayment(of),
  differences: states.differencesIn,
  showsBefore,
  isFinal: isPaymentFinal,
  sending: {
    until: states.sendBefore,
    blockedBy: states.blockedBy,
    searched: states.searchIfStartedLate,
    neverSent: states.endUnsent,
  },
  recordRefusal: states.recordRefusal,
  applySnapshot: states.applySnapshot,
};

export const STEPS: StepRules<PaymentState, PaymentStep> = {
  ...resourceRules(KIND),
  await_resumption: resumptionRule<PaymentState>(),
  ask_agreement: rule<PaymentState, PaymentStep, AgreementAnswer>({
    lane: 'command',
    awaiting: 'agreement',
    run: (_step, read, { call }) => {
      const isRetry = read().submission.again !== undefined;
      return call.askAgreement({ ...refOf(read()), order: orderOf(read()), isRetry });
    },
    done: states.recordAnswer,
    failed: stopped,
  }),
  await_settlement: watchRule(KIND, 'settlement'),
  await_refunds: { lane: 'learn', awaiting: 'refund' },
  await_last_moment: {
    lane: 'clock',
    awaiting: 'nothing',
    run: ({ until }, _read, { sleep, now }) => sleep(msUntil(until, now()) + 1, 'deadline for sending'),
    done: (state, _outcome, { now }) =>
      (state.submission.stage === 'ready' ? endIfBlocked(KIND, state, now) : undefined) ?? { ...state },
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
    run: async ({ agreementUid, report: news }, read, { call, signalWithinTask }) => {
      if (await signalWithinTask(report(agreementUid, news))) return;
      // The agreement has ended. It still needs to count the money.
      await call.reportPayment({ agreementUid, connectionId: ownerOf(read()), report: news });
    },
    done: (state, _outcome, { step }) => markReported(state, step),
  }),
};

export const PAYMENT: EntityDefinition<PaymentState, PaymentStep> = {
  rules: STEPS,
  desiredSteps,
  record: PAYMENT_RECORD,
  isOver,
  until: states.waitsUntil,
  publish: published,
};
