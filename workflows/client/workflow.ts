// One workflow per client: searched for, registered once, and then polled, because no event reports its PayTo service.
import { flagCancelRequest } from '../engine/flags.js';
import { continueOnCurrentRelease, runEntity } from '../on-temporal/run.js';
import { carry, restoreState } from '../contracts/upgrade.js';
import { messages } from './contract.js';
import { HANDLERS } from './handlers.js';
import { stateToCarry, newClient } from './state.js';
import { CLIENT } from './steps.js';
import { viewOf } from './view.js';
import type { ClientEnd, ClientInput } from './contract.js';

export async function client(input: ClientInput): Promise<ClientEnd> {
  const { outcome, state } = await runEntity({
    definition: CLIENT,
    messages,
    handlers: HANDLERS,
    begin: (now) => restoreState(input.carried, () => newClient(input, now)),
    cancelRequested: flagCancelRequest(
      'Only the provider can suspend or off-board a client: contact its support.',
    ),
  });
  if (outcome === 'continue') {
    const { carried: _, ...requested } = input;
    return continueOnCurrentRelease<typeof client>({ ...requested, carried: carry(stateToCarry(state)) });
  }
  return { ...viewOf(state), carried: carry(stateToCarry(state)) };
}
