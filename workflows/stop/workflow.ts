// One in a namespace, begun by the first stop: whose payments workers may not send. It rests for ever.
import { continueOnCurrentRelease, runStory } from '../entity/engine/temporal.js';
import { carry, resumed } from '../entity/engine/upgrade.js';
import { messages } from './contract.js';
import { HANDLERS } from './handlers.js';
import { newStop } from './state.js';
import { published } from './view.js';
import type { Story } from '../entity/engine/reconcile.js';
import type { StopInput } from './contract.js';
import type { State } from './state.js';

export async function stop({ carried }: StopInput): Promise<void> {
  const { state } = await runStory({
    story: STOP,
    messages,
    handlers: HANDLERS,
    begin: (now) => resumed(carried, () => newStop(now)),
  });
  return continueOnCurrentRelease<typeof stop>({ carried: carry(state) });
}

const STOP: Story<State, { do: never }> = {
  rules: {},
  wants: () => [],
  isOver: () => false,
  publish: published,
};
