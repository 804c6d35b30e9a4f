// What may be sent to an agreement, how it is judged, and what it changes.
import { timelineOf } from '../../domain/facts/timeline.js';
import { assertResolvable } from '../entity/resource/attention.js';
import { changing, unblocked } from '../entity/engine/handlers.js';
import { withReporter } from '../entity/engine/reports.js';
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
import type { Cell } from '../entity/engine/reconcile.js';
import type { Runtime } from '../entity/engine/runtime.js';
import type { ActionTaken, messages } from './contract.js';
import type { State } from './state.js';

export const HANDLERS: Handlers<State, typeof messages> = {
  agreementFact: changing(withFact),
  agreementDiffers: changing(withLookUpDue),
  paymentAsks: changing(withAsk),
  paymentReports: changing(withReport),
  connectionRestored: changing(unblocked),
  reportTo: changing(withReporter),
  lookUpNow: { assert: assertLookable, ...changing(withLookUpDue) },
  requestPayment: { assert: assertAdmissible, take: startPayment },
  requestAction: { assert: assertAskable, take: takeRequest },
  resolveAttention: { assert: assertResolvable, ...changing(withResolution) },
  putPlan: { assert: assertPlannable, ...changing(withPlan) },
  endPlan: { assert: assertPlanned, ...changing(withPlanEnded) },
  judgePayment: { read: (state, { at, ...request }) => refusalOfRequest(state, request, at) ?? null },
  getAgreement: { read: viewOf },
  getTimeline: { read: timelineOf },
};

function takeRequest({ read, change }: Cell<State>, { now }: Runtime, request: ActionRequest): ActionTaken {
  const { state, taken } = withRequest(read(), request, now());
  change(() => state);
  return taken;
}
