// What may be sent to an agreement, how it is judged, and what it changes.
import { timelineOf } from '../../domain/facts/timeline.js';
import { validateResolution } from '../entity/resource/attention.js';
import { updateState, unblock } from '../entity/engine/handlers.js';
import { addReporter } from '../entity/engine/reports.js';
import { withAsk } from './answers.js';
import { assertLookable, withResolution } from './attention.js';
import { assertAskable, withRequest } from './commands.js';
import { assertAdmissible, refusalOfRequest, startPayment } from './payments.js';
import { withFact, withLookUpDue } from './state.js';
import { withReport } from './consecutive-failures.js';
import { assertPlannable, assertPlanned, withPlan, withPlanEnded } from './plan.js';
import { viewOf } from './view.js';
import type { ActionRequest } from '../../domain/agreement/action.js';
import type { Handlers } from '../entity/engine/handlers.js';
import type { StateStore } from '../entity/engine/reconcile.js';
import type { Runtime } from '../entity/engine/runtime.js';
import type { ActionTaken, messages } from './contract.js';
import type { State } from './state.js';

export const HANDLERS: Handlers<State, typeof messages> = {
  agreementFact: updateState(withFact),
  agreementDiffers: updateState(withLookUpDue),
  paymentAsks: updateState(withAsk),
  paymentReports: updateState(withReport),
  connectionRestored: updateState(unblock),
  reportTo: updateState(addReporter),
  lookUpNow: { validate: assertLookable, ...updateState(withLookUpDue) },
  requestPayment: { validate: assertAdmissible, handle: startPayment },
  requestAction: { validate: assertAskable, handle: takeRequest },
  resolveAttention: { validate: validateResolution, ...updateState(withResolution) },
  putPlan: { validate: assertPlannable, ...updateState(withPlan) },
  endPlan: { validate: assertPlanned, ...updateState(withPlanEnded) },
  judgePayment: { read: (state, { at, ...request }) => refusalOfRequest(state, request, at) ?? null },
  getAgreement: { read: viewOf },
  getTimeline: { read: timelineOf },
};

function takeRequest(
  { read, update }: StateStore<State>,
  { now }: Runtime,
  request: ActionRequest,
): ActionTaken {
  const { state, taken } = withRequest(read(), request, now());
  update(() => state);
  return taken;
}
