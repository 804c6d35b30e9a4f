// One per onboarding: from a client to the first payment. It begins what is not there, waits for each, and is stopped where one does not go on.
import { flagCancelRequest } from '../entity/resource/state.js';
import { continueOnCurrentRelease, runEntity } from '../entity/engine/temporal.js';
import { carry, restoreState } from '../entity/engine/upgrade.js';
import { messages } from './contract.js';
import { HANDLERS } from './handlers.js';
import { newOnboarding } from './state.js';
import { ONBOARDING } from './steps.js';
import { viewOf } from './view.js';
import type { OnboardingEnd, OnboardingInput } from './contract.js';

export async function onboarding(input: OnboardingInput): Promise<OnboardingEnd> {
  const { carried, ...asked } = input;
  const { outcome, state } = await runEntity({
    definition: ONBOARDING,
    messages,
    handlers: HANDLERS,
    begin: (now) => restoreState(carried, () => newOnboarding(asked, now)),
    cancelRequested: flagCancelRequest(`To give it up: POST /v1/onboardings/${input.id}/abandonment.`),
  });
  if (outcome === 'continue')
    return continueOnCurrentRelease<typeof onboarding>({ ...asked, carried: carry(state) });
  return { ...viewOf(state), carried: carry(state) };
}
