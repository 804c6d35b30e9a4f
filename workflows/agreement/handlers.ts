// The handlers of an agreement's messages.
import { validateResolution } from '../resource/attention.js';
import { updateState, unblock } from '../engine/handlers.js';
import { claimBy } from '../resource/claim.js';
import { requestLookUp } from '../resource/others.js';
import { addReporter } from '../resource/reports.js';
import { validateLookUp, resolveFlag } from './attention.js';
import { validateRequest, acceptRequest } from './commands.js';
import { permissionFor, validatePayment, judgeRequest, startPayment } from './payments.js';
import { admitRetry } from './retries.js';
import { newAgreement, recordFact } from './state.js';
import { recordPaymentReport } from './consecutive-failures.js';
import { validatePlan, validatePlanEnd, setPlan, markPlanEnded } from './plan.js';
import { recordPlannedOutcome } from './plan-dates.js';
import { recordedView, viewOf } from './view.js';
import type { Handlers } from '../engine/handlers.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { AgreementInput, messages } from './contract.js';
import type { AgreementState } from './state.js';

export const HANDLERS: Handlers<AgreementState, typeof messages> = {
  agreementFact: updateState(recordFact),
  agreementDiffers: updateState(requestLookUp),
  paymentReports: updateState((state, report, now) =>
    recordPlannedOutcome(recordPaymentReport(state, report, now), report, now),
  ),
  connectionRestored: updateState(unblock),
  reportTo: updateState(addReporter),
  lookUpNow: { validate: validateLookUp, ...updateState(requestLookUp) },
  requestPayment: { validate: validatePayment, handle: startPayment },
  requestAction: { validate: validateRequest, ...updateState(acceptRequest) },
  resolveAttention: { validate: validateResolution, ...updateState(resolveFlag) },
  putPlan: { validate: validatePlan, ...updateState(setPlan) },
  endPlan: { validate: validatePlanEnd, ...updateState(markPlanEnded) },
  admitRetry: { handle: admitRetry },
  claimAgreement: claimBy(requestedNow, recordedView),
  judgePayment: { read: (state, { at, ...request }) => judgeRequest(state, request, at) },
  getPermission: { read: permissionFor },
  getAgreement: { read: viewOf },
};

/** A request for a uid that events have named. What callers have requested under this uid since then stays. */
function requestedNow(input: AgreementInput, now: Instant, vacant: AgreementState): AgreementState {
  const { actions, plan, uses, reportsTo } = vacant;
  const requested = newAgreement(input, now);
  return (requested.reportsTo ?? []).reduce(addReporter, { ...requested, actions, plan, uses, reportsTo });
}
