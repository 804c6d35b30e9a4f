// One per payment, under one uid for ever: submitted once, and then followed until its end is known.
// In:  workflows/agreement/payments.ts starts it; api/temporal/ signals facts.
// Out: workflows/payment/steps.ts, which calls activities.
import { setHandler } from '@temporalio/workflow';
import { connectionRestored } from '../entity/contract.js';
import { cellOf, follow } from '../entity/loop.js';
import {
  continueOnCurrentRelease,
  flagCancelRequest,
  listenForHandOver,
  temporalRuntime,
} from '../entity/temporal.js';
import { carry, upgrade } from '../entity/upgrade.js';
import { getPayment, paymentDiffers, paymentFact } from './contract.js';
import { carriedOver, newPayment, withFact } from './state.js';
import { PAYMENT } from './steps.js';
import { viewOf } from './view.js';
import type { PaymentEnd, PaymentInput } from './contract.js';

export async function payment(input: PaymentInput): Promise<PaymentEnd> {
  const { carried } = input;
  const runtime = temporalRuntime();
  const cell = cellOf(carried === undefined ? newPayment(input, runtime.now()) : upgrade(carried));
  listenForHandOver(cell);
  flagCancelRequest(cell, 'What was submitted cannot be called back: it is followed until its end is known.');
  setHandler(getPayment, () => viewOf(cell.read()));
  setHandler(paymentFact, (fact) => {
    cell.change((state) => withFact(state, fact));
  });
  setHandler(paymentDiffers, () => {
    // The sweep has just read from the provider: what consent was missing is there again.
    cell.change((state) => ({ ...state, blocked: undefined, isLookUpDue: true }));
  });
  setHandler(connectionRestored, () => {
    cell.change((state) => ({ ...state, blocked: undefined }));
  });

  if ((await follow(PAYMENT, cell, runtime)) === 'continue')
    return continueOnCurrentRelease<typeof payment>({
      uid: input.uid,
      carried: carry(carriedOver(cell.read())),
    });
  return { ...viewOf(cell.read()), carried: carry(cell.read()) };
}
