// One per PayTo agreement, alive until the agreement is over. The workflow is the only memory of it.
// In:  api/temporal/ starts it, signals facts and asks for things.
// Out: workflows/agreement/steps.ts, which calls activities; workflows/payment/workflow.ts, by payments.ts.
import { setHandler } from '@temporalio/workflow';
import { timelineOf } from '../../domain/timeline.js';
import { cellOf, follow } from '../entity/loop.js';
import {
  continueOnCurrentRelease,
  flagCancelRequest,
  listenForHandOver,
  temporalRuntime,
} from '../entity/temporal.js';
import { carry, upgrade } from '../entity/upgrade.js';
import { assertLookable, assertResolvable, withResolution } from './attention.js';
import { assertAskable, withRequest } from './commands.js';
import * as contract from './contract.js';
import { assertAdmissible, startPayment } from './payments.js';
import { answered, carriedOver, newAgreement, withFact, withLookUpDue } from './state.js';
import { AGREEMENT } from './steps.js';
import { viewOf } from './view.js';
import type { ActionRequest } from '../../domain/action.js';
import type { Instant } from '../../domain/fact.js';
import type { Cell } from '../entity/loop.js';
import type { Runtime } from '../entity/runtime.js';
import type { State } from './state.js';

export async function agreement(input: contract.AgreementInput): Promise<contract.AgreementEnd> {
  const { carried } = input;
  const runtime = temporalRuntime();
  const cell = cellOf(carried === undefined ? newAgreement(input, runtime.now()) : upgrade(carried));
  listenForHandOver(cell);
  flagCancelRequest(cell, `To end the mandate: POST /v1/agreements/${input.uid}/cancellation.`);
  listen(cell, runtime);
  if ((await follow(AGREEMENT, cell, runtime)) === 'continue')
    return continueOnCurrentRelease<typeof agreement>({
      uid: input.uid,
      carried: carry(carriedOver(cell.read())),
    });
  const ended = answered(cell.read());
  // A run that takes it up again asks anew: the consent that was missing may have been given since.
  return { ...viewOf(ended), carried: carry(carriedOver({ ...ended, blocked: undefined })) };
}

/** What is sent to it is recorded, and nothing is done: the loop decides. */
function listen(cell: Cell<State>, runtime: Runtime): void {
  const { read, change } = cell;
  setHandler(contract.getAgreement, () => viewOf(read()));
  setHandler(contract.getTimeline, () => timelineOf(read()));
  setHandler(contract.agreementFact, (fact) => {
    change((state) => withFact(state, fact));
  });
  setHandler(contract.connectionRestored, () => {
    change((state) => ({ ...state, blocked: undefined }));
  });
  setHandler(contract.agreementDiffers, () => {
    change(withLookUpDue);
  });
  setHandler(
    contract.lookUpNow,
    () => {
      change(withLookUpDue);
    },
    {
      validator: () => {
        assertLookable(read());
      },
    },
  );
  setHandler(contract.requestPayment, (request) => startPayment(cell, runtime, request), {
    validator: (request: contract.PaymentRequest) => {
      assertAdmissible(read(), request);
    },
  });
  setHandler(contract.requestAction, (request) => take(cell, runtime.now(), request), {
    validator: (request: ActionRequest) => {
      assertAskable(read(), request);
    },
  });
  setHandler(
    contract.resolveAttention,
    (by) => {
      change((state) => withResolution(state, by, runtime.now()));
    },
    {
      validator: (by: contract.AttentionResolution) => {
        assertResolvable(read(), by);
      },
    },
  );
}

function take({ read, change }: Cell<State>, now: Instant, request: ActionRequest): contract.ActionTaken {
  const { state, taken } = withRequest(read(), request, now);
  change(() => state);
  return taken;
}
