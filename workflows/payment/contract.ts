// How the outside world addresses a payment workflow.
import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { Fact, Instant } from '../../domain/fact.js';
import type { Attention, Awaiting } from '../../domain/legible.js';
import type { PaymentOrder } from '../../domain/mandate.js';
import type { PaymentFailure, PaymentState } from '../../domain/payment.js';
import type { Carried } from '../entity/upgrade.js';
import type { State } from './state.js';

export const PAYMENT_WORKFLOW = 'payment';
export const paymentWorkflowId = (uid: string): string => `payment/${uid}`;

export interface PaymentInput {
  uid: string;
  /** Whose account it belongs to; absent when adopting a payment that nobody asked for here. */
  connectionId?: string | undefined;
  /** What to submit; absent when adopting. */
  order?: PaymentOrder | undefined;
  /** Everything that the run before knew: set by continue-as-new, and by an event that comes after the end. */
  carried?: Carried<State> | undefined;
}

/** `unknown`: adopted, and the provider did not know it in a whole day. */
export type PaymentViewState = PaymentState | 'unknown';

export interface PaymentView {
  uid: string;
  connectionId?: string | undefined;
  state: PaymentViewState;
  stateSince: Instant;
  order?: PaymentOrder | undefined;
  failure?: PaymentFailure | undefined;
  awaiting: Awaiting;
  attention: Attention[];
  requestedAt: Instant;
  /** How often it was sent to the provider: always under this one uid. */
  submissions: number;
  lastFactAt?: Instant | undefined;
}

/** How a run ends: what stands, and all that a later run needs to take it up again. */
export type PaymentEnd = PaymentView & { carried: Carried<State> };

/** A provider's event about this payment. */
export const paymentFact = defineSignal<[Fact]>('paymentFact');
export const getPayment = defineQuery<PaymentView>('getPayment');
