// What may be sent to a payment, and what it changes.
import { validateResolution } from '../entity/resource/attention.js';
import { updateState, unblock } from '../entity/engine/handlers.js';
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
  paymentFact: updateState(withFact),
  // The sweep has just read from the provider: what consent was missing is there again.
  paymentDiffers: updateState((state) => withLookUpDue(unblock(state))),
  agreementAnswers: updateState(withAnswer),
  connectionRestored: updateState(unblock),
  withdrawPayment: { validate: assertWithdrawable, ...updateState(withWithdrawal) },
  requestRefund: { validate: assertRefundable, handle: startRefund },
  refundReports: updateState(withRefundReport),
  retryPayment: { validate: assertRetryable, ...updateState(withRetryAsked) },
  lookUpNow: { validate: assertLookable, ...updateState(withLookUpDue) },
  resolveAttention: { validate: validateResolution, ...updateState(withResolution) },
  getPayment: { read: viewOf },
};
