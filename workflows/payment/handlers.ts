// The messages that a payment accepts, and how they change its state.
import { validateResolution } from '../resource/attention.js';
import { updateState, unblock } from '../engine/handlers.js';
import { requestLookUp } from '../resource/others.js';
import { addReporter } from '../resource/reports.js';
import { claimBy } from '../resource/claim.js';
import { validateLookUp, validateWithdrawal, resolveFlag, recordWithdrawal } from './commands.js';
import { validateRefund, startRefund, recordRefundReport } from './refunds.js';
import { validateRetry, requestRetry } from './retry.js';
import { newPayment, recordFact } from './state.js';
import { viewOf } from './view.js';
import type { Handlers } from '../engine/handlers.js';
import type { messages } from './contract.js';
import type { PaymentState } from './state.js';

export const HANDLERS: Handlers<PaymentState, typeof messages> = {
  paymentFact: updateState(recordFact),
  // The sweep has just read from the provider, so the connection has consent again.
  paymentDiffers: updateState((state) => requestLookUp(unblock(state))),
  connectionRestored: updateState(unblock),
  withdrawPayment: { validate: validateWithdrawal, ...updateState(recordWithdrawal) },
  requestRefund: { validate: validateRefund, handle: startRefund },
  refundReports: updateState(recordRefundReport),
  retryPayment: { validate: validateRetry, ...updateState(requestRetry) },
  claimPayment: claimBy(
    (input, now): PaymentState => ({ ...newPayment(input, now), isStartedLate: undefined }),
    viewOf,
  ),
  reportTo: updateState(addReporter),
  lookUpNow: { validate: validateLookUp, ...updateState(requestLookUp) },
  resolveAttention: { validate: validateResolution, ...updateState(resolveFlag) },
  getPayment: { read: viewOf },
};
