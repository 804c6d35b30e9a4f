// One workflow per float account. An activity stores its new entries in the records, on a ladder and whenever a notification concerns it.
import { condition, setHandler } from '@temporalio/workflow';
import { callUntil } from '../on-temporal/ordinary.js';
import { runOrdinary, type OrdinaryRun } from '../on-temporal/run-ordinary.js';
import { CallFailed } from '../engine/runtime.js';
import { isLong, now } from '../on-temporal/run.js';
import { restoreState } from '../contracts/upgrade.js';
import { connectionRestored } from '../contracts/every-workflow.js';
import {
  acknowledgeBreak,
  floatAccountMoved,
  getFloatAccount,
  requestReading,
  type FloatAccountInput,
  type FloatAccountView,
  type ReadingRequest,
  type FloatAccountState,
} from './contract.js';
import { FLOAT_ACCOUNT_RECORD } from './records.js';
import * as states from './state.js';
import { published, viewOf } from './view.js';

interface Run extends OrdinaryRun<FloatAccountState> {
  /** Grows when a reading in progress is out of date. */
  moves: number;
  reading?: Promise<void> | undefined;
}

export function floatAccount({ carried, uid, connectionId }: FloatAccountInput): Promise<never> {
  const input = { uid, connectionId };
  const run: Run = { state: restoreState(carried, () => states.newFloatAccount(input, now())), moves: 0 };
  return runOrdinary({
    setHandlers: () => setHandlers(run),
    ...{ run, record: FLOAT_ACCOUNT_RECORD, published },
    nextInput: (_, next): FloatAccountInput => ({ ...input, carried: next }),
    prepare: () => (isLong() ? endReading(run) : undefined),
    proceed: ({ isChanged }) => {
      if (run.state.blocked === undefined) run.reading ??= read(run);
      return condition(isChanged);
    },
  });
}

/** The next run starts another one. */
function endReading(run: Run): Promise<void> | undefined {
  run.moves += 1;
  return run.reading;
}

function setHandlers(run: Run): void {
  const move = (state: FloatAccountState): void => {
    run.moves += 1;
    run.state = state;
  };
  setHandler(getFloatAccount, () => viewOf(run.state));
  // Consent returns by its own signal. An account that was gone may be back.
  setHandler(floatAccountMoved, () =>
    move(run.state.blocked?.code === 'not_found' ? states.unblock(run.state, now()) : { ...run.state }),
  );
  setHandler(connectionRestored, () => move({ ...states.unblock(run.state, now()) }));
  setHandler(acknowledgeBreak, (given) => {
    // It also ends the reading that looks for what mends the break.
    const next = states.applyAcknowledgement(run.state, { ...given, at: now() });
    if (next !== run.state) move(next);
    return viewOf(run.state);
  });
  setHandler<FloatAccountView, [ReadingRequest], typeof requestReading>(
    requestReading,
    (request) => {
      states.assertReadable(run.state);
      const next = states.applyReadingRequest(run.state, request, now());
      // The first reading takes all entries, and continues.
      if (run.state.progress.isRead === true && next !== run.state) move(next);
      else run.state = next;
      return viewOf(run.state);
    },
    { validator: () => states.assertReadable(run.state) },
  );
}

/** One activity waits for new entries, and stores them. A move cancels it, and the body starts another one. */
async function read(run: Run): Promise<void> {
  const { moves, state } = run;
  const { uid, connectionId, progress } = state;
  const again = states.againOf(state, now());
  try {
    const reading = await callUntil(
      () => run.moves !== moves,
      (call) => call.followFloatAccount({ uid, connectionId, progress, ...(again && { again }) }),
    );
    run.state =
      reading === undefined
        ? { ...run.state }
        : states.applyReading(run.state, reading, now(), state.reading);
  } catch (error) {
    const code = error instanceof CallFailed ? error.failure.code : undefined;
    if (code !== 'needs_reauthorisation' && code !== 'forbidden' && code !== 'not_found') throw error;
    run.state = states.block(run.state, code, now());
  } finally {
    run.reading = undefined;
  }
}
