// One in a namespace, begun by the first stop: whose payments workers may not send. It rests for ever.
import { continueOnCurrentRelease, runEntity } from '../entity/engine/temporal.js';
import { carry, restoreState } from '../entity/engine/upgrade.js';
import { messages } from './contract.js';
import { HANDLERS } from './handlers.js';
import { newStop } from './state.js';
import { published } from './view.js';
import type { EntityDefinition } from '../entity/engine/reconcile.js';
import type { StopInput } from './contract.js';
import type { State } from './state.js';

export async function stop({ carried }: StopInput): Promise<void> {
  const { state } = await runEntity({
    definition: STOP,
    messages,
    handlers: HANDLERS,
    begin: (now) => restoreState(carried, () => newStop(now)),
  });
  return continueOnCurrentRelease<typeof stop>({ carried: carry(state) });
}

const STOP: EntityDefinition<State, { do: never }> = {
  rules: {},
  desiredSteps: () => [],
  isOver: () => false,
  publish: published,
};
