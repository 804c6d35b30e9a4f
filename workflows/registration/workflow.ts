// One workflow per connection and business number: which of our clients may register the business. It never ends.
import { allHandlersFinished, condition, setCurrentDetails, setHandler } from '@temporalio/workflow';
import { onHandOver, runProtected } from '../on-temporal/ordinary.js';
import { continueOnCurrentRelease, isLong } from '../on-temporal/run.js';
import { claim, type RegistrationInput } from './contract.js';

export async function registration({ owner: first }: RegistrationInput): Promise<void> {
  let owner = first;
  let received = 0;
  onHandOver(() => {
    received += 1;
  });
  setHandler(claim, ({ uid, insteadOf }) => {
    received += 1;
    if (owner === insteadOf) owner = uid;
    return owner;
  });
  // A cancelled run would lose the owner, and the next claim would register the business a second time.
  return runProtected(async () => {
    while (!isLong()) {
      setCurrentDetails(
        `The business belongs to client/${owner}. This run needs no action and must not be terminated.`,
      );
      const before = received;
      await condition(() => received !== before);
    }
    await condition(allHandlersFinished);
    return continueOnCurrentRelease<typeof registration>({ owner });
  });
}
