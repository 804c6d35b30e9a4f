// What each step of a payment is: its call, and what its answer or its failure changes.
// In:  workflows/payment/workflow.ts. Out: activities/submit-payment.ts, follow-payment.ts.
import { PAYMENT_LIFE, isPaymentFinal } from '../../domain/payment.js';
import { refOf } from '../entity/followed.js';
import { msUntil } from '../entity/step.js';
import { followedRules, unlessTooLate, watchRule } from '../entity/followed-rules.js';
import { isOver, wants } from './next.js';
import * as states from './state.js';
import { published } from './view.js';
import type { PaymentState } from '../../domain/payment.js';
import type { PaymentSnapshot } from '../../domain/snapshot.js';
import type { Kind } from '../entity/followed.js';
import type { Story } from '../entity/loop.js';
import type { StepRules } from '../entity/step.js';
import type { Step } from './next.js';
import type { State } from './state.js';

const KIND: Kind<PaymentState, State, PaymentSnapshot> = {
  noun: 'payment',
  life: PAYMENT_LIFE,
  hasHistory: false,
  submit(call, state) {
    const { order } = state;
    if (order === undefined) throw new Error(`expected payment ${state.uid} to have an order by now`);
    return call.submitPayment({ ...refOf(state), order });
  },
  find: (call, of) => call.findPayment(of),
  lookUp: (call, of) => call.lookUpPayment(of),
  watch: (call, watched) => call.watchPayment(watched),
  adopt: (call, of) => call.adoptPayment(of),
  differences: states.differencesIn,
  isFinal: isPaymentFinal,
  expires: { at: states.sentBy, neverSent: states.withLapse },
  refused: states.withRefusal,
  absorb: states.withSnapshot,
};

export const STEPS: StepRules<State, Step> = {
  ...followedRules(KIND),
  await_settlement: watchRule(KIND, 'settlement'),
  await_last_moment: {
    lane: 'clock',
    awaiting: 'nothing',
    run: ({ until }, _read, { sleep, now }) => sleep(msUntil(until, now()) + 1, 'the last moment to send it'),
    done: (state, _outcome, { now }) =>
      (state.submission.stage === 'ready' ? unlessTooLate(KIND, state, now) : undefined) ?? { ...state },
  },
};

export const PAYMENT: Story<State, Step> = { rules: STEPS, wants, isOver, publish: published };
