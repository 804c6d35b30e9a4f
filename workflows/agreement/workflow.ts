// One workflow per PayTo agreement, open until the agreement has ended. Its state is stored nowhere else.
import { flagCancelRequest } from '../engine/flags.js';
import { continueOnCurrentRelease, runEntity } from '../on-temporal/run.js';
import { keepOpen } from '../resource/reopened.js';
import { carry, restoreState } from '../contracts/upgrade.js';
import { messages } from './contract.js';
import { HANDLERS } from './handlers.js';
import { settleActions, stateToCarry, newAgreement } from './state.js';
import { AGREEMENT } from './steps.js';
import { endOf } from './view.js';
import type { AgreementEnd, AgreementInput } from './contract.js';

export async function agreement(input: AgreementInput): Promise<AgreementEnd> {
  const { uid, carried, isReopened } = input;
  const { outcome, state } = await runEntity({
    definition: AGREEMENT,
    messages,
    handlers: HANDLERS,
    begin: (now) =>
      keepOpen(
        restoreState(carried, () => newAgreement(input, now)),
        isReopened,
        now,
      ),
    cancelRequested: flagCancelRequest(`To end the mandate: POST /v1/agreements/${uid}/cancellation.`),
  });
  if (outcome === 'continue')
    return continueOnCurrentRelease<typeof agreement>({ uid, carried: carry(stateToCarry(state)) });
  return endOf(settleActions(state));
}
