// What each step of a payment is: its call, and what its answer or its failure changes.
// In:  workflows/payment/workflow.ts. Out: activities/submit-payment.ts, follow-payment.ts.
import { PAYMENT_LIFE } from '../../domain/payment.js';
import { followedRules, stopped, withFetched } from '../entity/followed.js';
import { ownerOf, withAwaiting } from '../entity/state.js';
import { rule } from '../entity/step.js';
import { isOver, wants } from './next.js';
import * as states from './state.js';
import { published } from './view.js';
import type { PaymentState } from '../../domain/payment.js';
import type { Fetched, PaymentSnapshot } from '../../domain/snapshot.js';
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
    return call.submitPayment({ ...ref(state), order });
  },
  find: (call, of) => call.findPayment(of),
  lookUp: (call, of) => call.lookUpPayment(of),
  adopt: (call, { uid, connectionId }) => call.adoptPayment({ uid, connectionId }),
  differences: states.differencesIn,
  refused: states.withRefusal,
  absorb: states.withSnapshot,
};

export const STEPS: StepRules<State, Step> = {
  ...followedRules(KIND),
  await_settlement: rule<State, Extract<Step, { do: 'await_settlement' }>, Fetched<PaymentSnapshot>>({
    lane: 'learn',
    awaiting: 'settlement',
    run: ({ known }, read, { call }) =>
      call.watchPayment({ ...ref(read()), ladder: 'payment', shown: known }),
    done: (state, fetched) => withFetched(KIND, state, fetched),
    failed: stopped,
  }),
};

export const PAYMENT: Story<State, Step> = {
  rules: STEPS,
  wants,
  isOver,
  awaiting: (state, step, now) =>
    withAwaiting(state, step === undefined ? 'nothing' : STEPS[step.do].awaiting, now),
  publish: published,
};

const ref = (state: State) => ({ uid: state.uid, connectionId: ownerOf(state) });
