// One workflow per payment, always under one uid: submitted once, then followed until its outcome is known.
import { flagCancelRequest } from '../engine/flags.js';
import { continueOnCurrentRelease, runEntity } from '../on-temporal/run.js';
import { keepOpen } from '../resource/reopened.js';
import { carry, restoreState } from '../contracts/upgrade.js';
import { messages } from './contract.js';
import { HANDLERS } from './handlers.js';
import { stateToCarry, newPayment } from './state.js';
import { PAYMENT } from './steps.js';
import { viewOf } from './view.js';
import type { PaymentEnd, PaymentInput } from './contract.js';

export async function payment(input: PaymentInput): Promise<PaymentEnd> {
  const { outcome, state } = await runEntity({
    definition: PAYMENT,
    messages,
    handlers: HANDLERS,
    begin: (now) =>
      keepOpen(
        restoreState(input.carried, () => newPayment(input, now)),
        input.isReopened,
        now,
      ),
    cancelRequested: flagCancelRequest(
      'A submitted payment cannot be recalled. It is followed until its outcome is known.',
    ),
  });
  if (outcome === 'continue')
    return continueOnCurrentRelease<typeof payment>({ uid: input.uid, carried: carry(stateToCarry(state)) });
  return { ...viewOf(state), carried: carry(stateToCarry(state)) };
}
