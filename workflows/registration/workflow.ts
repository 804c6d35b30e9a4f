// One per connection and business number: which of our clients may register the business. It rests for ever.
import { CancellationScope, condition, setCurrentDetails, setHandler } from '@temporalio/workflow';
import { handOver } from '../entity/contract.js';
import { continueOnCurrentRelease, isLong } from '../entity/engine/temporal.js';
import { claim } from './contract.js';
import type { RegistrationInput } from './contract.js';

export async function registration({ owner: before }: RegistrationInput): Promise<void> {
  let owner = before;
  setHandler(handOver, () => undefined);
  setHandler(claim, ({ uid, insteadOf }) => {
    if (owner === undefined || owner === insteadOf) owner = uid;
    showOwner(owner);
    return owner;
  });
  showOwner(owner);
  // A cancelled run would forget the owner, and the next claim would register the business a second time.
  await CancellationScope.nonCancellable(() => condition(isLong));
  return continueOnCurrentRelease<typeof registration>({ owner });
}

const showOwner = (owner: string | undefined): void => {
  setCurrentDetails(owner === undefined ? 'No client yet.' : `Registered as client/${owner}.`);
};
