// One workflow per namespace, started by the first stop. Workers read it before they send a payment. It never ends.
import { allHandlersFinished, condition, setHandler } from '@temporalio/workflow';
import { recordResumption, recordStop } from '../../domain/payment/stop.js';
import { createPublisher, onHandOver, runProtected } from '../entity/engine/ordinary.js';
import { continueOnCurrentRelease, isLong, now } from '../entity/engine/temporal.js';
import { carry, restoreState } from '../entity/engine/upgrade.js';
import { getStops, resumePayments, stopPayments } from './contract.js';
import { published } from './view.js';
import type { StopRecord } from '../../domain/payment/stop.js';
import type { State, StopInput, Stops } from './contract.js';

export async function stop({ carried }: StopInput): Promise<never> {
  let state = restoreState<State>(carried, () => ({ stops: [], resumptions: [], startedAt: now() }));
  // Each message replaces the state, so that the body checks `isLong` again.
  const update = (record: StopRecord): Stops => {
    state = { ...state, ...record };
    return state.stops;
  };
  setHandler(getStops, () => state.stops);
  setHandler(stopPayments, (request) => update(recordStop(state, request, now())));
  setHandler(resumePayments, (request) => update(recordResumption(state, request, now())));
  onHandOver(() => void update(state));

  return runProtected(async () => {
    const publish = createPublisher();
    while (!isLong()) {
      publish(published(state));
      const before = state;
      await condition(() => state !== before);
    }
    await condition(allHandlersFinished);
    return continueOnCurrentRelease<typeof stop>({ carried: carry(state) });
  });
}
