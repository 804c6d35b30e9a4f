// One workflow per namespace, started by the first stop. Workers read it before they send a payment. It never ends.
import { condition, setHandler } from '@temporalio/workflow';
import {
  isOfOthers,
  applyResumption,
  applyStop,
  type ResumptionRequest,
  type StopRecord,
} from '../../domain/payment/stop.js';
import { runOrdinary, type OrdinaryRun } from '../on-temporal/run-ordinary.js';
import { now } from '../on-temporal/run.js';
import { restoreState } from '../contracts/upgrade.js';
import {
  getStops,
  resumePayments,
  stopPayments,
  type StopState,
  type StopInput,
  type Stops,
} from './contract.js';
import { STOP_RECORD } from './records.js';
import { published } from './view.js';
import { refused } from '../engine/refusal.js';

const OF_ANOTHER =
  'These stops belong to another principal. That principal ends them, or you name it in `stopped_by` and a second principal approves ' +
  'your request (`DUAL_CONTROL=on`). An approval does not cover stops that were placed after its request.';

export function stop({ carried }: StopInput): Promise<never> {
  const begin = (): StopState => ({ stops: [], resumptions: [], startedAt: now(), attention: [] });
  const run = { state: restoreState(carried, begin) };
  return runOrdinary({
    setHandlers: () => setHandlers(run),
    ...{ run, record: STOP_RECORD, published },
    nextInput: (_, next): StopInput => ({ carried: next }),
    proceed: ({ isChanged }) => condition(isChanged),
  });
}

function setHandlers(run: OrdinaryRun<StopState>): void {
  // Each message replaces the state, so that the run checks its length again.
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
}
