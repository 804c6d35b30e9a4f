// One workflow per counterparty: verifies its accounts, registers it once, and stays open as the record.
import { flagCancelRequest } from '../engine/flags.js';
import { continueOnCurrentRelease, runEntity } from '../on-temporal/run.js';
import { carry, restoreState } from '../contracts/upgrade.js';
import { messages } from './contract.js';
import { HANDLERS } from './handlers.js';
import { stateToCarry, newCounterparty } from './state.js';
import { COUNTERPARTY } from './steps.js';
import { viewOf } from './view.js';
import type { CounterpartyEnd, CounterpartyInput } from './contract.js';

export async function counterparty(input: CounterpartyInput): Promise<CounterpartyEnd> {
  const { outcome, state } = await runEntity({
    definition: COUNTERPARTY,
    messages,
    handlers: HANDLERS,
    begin: (now) => restoreState(input.carried, () => newCounterparty(input, now)),
    cancelRequested: flagCancelRequest(
      'A registered counterparty cannot be removed at the provider. To give up one that was not sent yet, resolve its flag.',
    ),
  });
  if (outcome === 'continue') {
    const { carried: _, payer: __, ...requested } = input;
    return continueOnCurrentRelease<typeof counterparty>({
      ...requested,
      carried: carry(stateToCarry(state)),
    });
  }
  return { ...viewOf(state), carried: carry(stateToCarry(state)) };
}
