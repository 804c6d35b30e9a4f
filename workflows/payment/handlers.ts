// What may be sent to a payment, and what it changes.
import { assertResolvable } from '../entity/resource/attention.js';
import { changing, unblocked } from '../entity/engine/handlers.js';
import {
  assertLookable,
  assertWithdrawable,
  withLookUpDue,
  withResolution,
  withWithdrawal,
} from './commands.js';
import { assertRefundable, startRefund, withRefundReport } from './refunds.js';
import { assertRetryable, withRetryAsked } from './retry.js';
import { withAnswer, withFact } from './state.js';
import { viewOf } from './view.js';
import type { Handlers } from '../entity/engine/handlers.js';
import type { messages } from './contract.js';
import type { State } from './state.js';

export const HANDLERS: Handlers<State, typeof messages> = {
  paymentFact: changing(withFact),
  // The sweep has just read from the provider: what consent was missing is there again.
  paymentDiffers: changing((state) => withLookUpDue(unblocked(state))),
  agreementAnswers: changing(withAnswer),
  connectionRestored: changing(unblocked),
  withdrawPayment: { assert: assertWithdrawable, ...changing(withWithdrawal) },
  requestRefund: { assert: assertRefundable, take: startRefund },
  refundReports: changing(withRefundReport),
  retryPayment: { assert: assertRetryable, ...changing(withRetryAsked) },
  lookUpNow: { assert: assertLookable, ...changing(withLookUpDue) },
  resolveAttention: { assert: assertResolvable, ...changing(withResolution) },
  getPayment: { read: viewOf },
};
