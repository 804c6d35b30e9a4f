// One workflow per namespace, started by the first stop. Workers read it before they send a payment. It never ends.
import { allHandlersFinished, condition, setHandler } from '@temporalio/workflow';
import {
  isOfOthers,
  applyResumption,
  applyStop,
  type ResumptionRequest,
  type StopRecord,
} from '../../domain/payment/stop.js';
import {
  createPublisher,
  createOrdinaryRecorder,
  onHandOver,
  runProtected,
} from '../on-temporal/ordinary.js';
import { continueOnCurrentRelease, isLong, now } from '../on-temporal/run.js';
import { carry, restoreState } from '../contracts/upgrade.js';
import {
  getStops,
  resumePayments,
  stopPayments,
  type State,
  type StopInput,
  type Stops,
} from './contract.js';
import { STOP_RECORD } from './records.js';
import { published } from './view.js';
import { refused } from '../engine/refusal.js';

const OF_ANOTHER =
  'These stops belong to another principal. That principal ends them, or you name it in `stopped_by` and a second principal approves ' +
  'your request (`DUAL_CONTROL=on`). An approval does not cover stops that were placed after its request.';

export async function stop({ carried }: StopInput): Promise<never> {
  const run = {
    state: restoreState<State>(carried, () => ({
      ...{ stops: [], resumptions: [], startedAt: now(), attention: [] },
    })),
  };
  // Each message replaces the state, so that the body checks `isLong` again.
  const update = (record: StopRecord): Stops => {
    run.state = { ...run.state, ...record };
    return run.state.stops;
  };
  setHandler(getStops, () => run.state.stops);
  setHandler(stopPayments, (request) => update(applyStop(run.state, request, now())));
  setHandler(resumePayments, (request) => update(applyResumption(run.state, request, now())), {
    validator: (request: ResumptionRequest) => {
      if (isOfOthers(run.state, request)) throw refused('stop_of_another', OF_ANOTHER);
    },
  });
  onHandOver(() => void update(run.state));
  const recorder = createOrdinaryRecorder(STOP_RECORD, run);

  return runProtected(async () => {
    const publish = createPublisher();
    while (!isLong()) {
      publish(published(run.state));
      recorder.note();
      const before = run.state;
      recorder.store();
      await condition(() => run.state !== before);
    }
    await condition(allHandlersFinished);
    recorder.note();
    return continueOnCurrentRelease<typeof stop>({ carried: carry(recorder.carried()) });
  });
}
