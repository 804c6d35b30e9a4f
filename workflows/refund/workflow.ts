// One workflow per refund, always under one uid: submitted once, then followed until its outcome is known.
import { flagCancelRequest } from '../engine/flags.js';
import { continueOnCurrentRelease, runEntity } from '../on-temporal/run.js';
import { keepOpen } from '../resource/reopened.js';
import { carry, restoreState } from '../contracts/upgrade.js';
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
      'A submitted refund cannot be recalled. It is followed until its outcome is known.',
    ),
  });
  if (outcome === 'continue')
    return continueOnCurrentRelease<typeof refund>({ uid: input.uid, carried: carry(stateToCarry(state)) });
  return { ...viewOf(state), carried: carry(stateToCarry(state)) };
}
