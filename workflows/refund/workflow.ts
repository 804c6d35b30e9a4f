// One per refund, under one uid for ever: submitted once, and then followed until its end is known.
import { flagCancelRequest } from '../entity/resource/state.js';
import { continueOnCurrentRelease, runEntity } from '../entity/engine/temporal.js';
import { keepOpen } from '../entity/resource/reopened.js';
import { carry, restoreState } from '../entity/engine/upgrade.js';
import { messages } from './contract.js';
import { HANDLERS } from './handlers.js';
import { stateToCarry, newRefund } from './state.js';
import { REFUND } from './steps.js';
import { viewOf } from './view.js';
import type { RefundEnd, RefundInput } from './contract.js';

export async function refund(input: RefundInput): Promise<RefundEnd> {
  const { outcome, state } = await runEntity({
    definition: REFUND,
    messages,
    handlers: HANDLERS,
    begin: (now) =>
      keepOpen(
        restoreState(input.carried, () => newRefund(input, now)),
        input.isReopened,
        now,
      ),
    cancelRequested: flagCancelRequest(
      'What was submitted cannot be called back: it is followed until its end is known.',
    ),
  });
  if (outcome === 'continue')
    return continueOnCurrentRelease<typeof refund>({ uid: input.uid, carried: carry(stateToCarry(state)) });
  return { ...viewOf(state), carried: carry(stateToCarry(state)) };
}
