// One workflow per onboarding: from the payer's account to the first payment. It starts one part at a time and waits for its reports.
import { allHandlersFinished, condition, setHandler } from '@temporalio/workflow';
import { uidOf, type PartName } from '../../domain/onboarding/steps.js';
import { flagCancelRequest } from '../engine/flags.js';
import {
  callUntil,
  createPublisher,
  createOrdinaryRecorder,
  onHandOver,
  runProtected,
} from '../on-temporal/ordinary.js';
import { CallFailed, type Calls } from '../engine/runtime.js';
import { continueOnCurrentRelease, isLong, now } from '../on-temporal/run.js';
import { carry, restoreState } from '../contracts/upgrade.js';
import { applyCommand, validateCommand } from './commands.js';
import * as contract from './contract.js';
import * as states from './state.js';
import { ONBOARDING_RECORD } from './records.js';
import { published, viewOf } from './view.js';
import type { PartOutcome, PartRequest } from '../../activities/onboard/request.js';

/** The state of a run. Its handlers and its body replace it. */
interface Run {
  state: states.State;
}

export async function onboarding({
  carried,
  ...request
}: contract.OnboardingInput): Promise<contract.OnboardingEnd> {
  const run: Run = { state: restoreState(carried, () => states.newOnboarding(request, now())) };
  const flagCancelled = flagCancelRequest(`To give it up: POST /v1/onboardings/${request.id}/abandonment.`);
  setHandlers(run);
  const recorder = createOrdinaryRecorder(ONBOARDING_RECORD, run);
  const isFinished = (): boolean => states.isOver(run.state) && recorder.isRecorded();
  await runProtected(
    async () => {
      const publish = createPublisher();
      for (;;) {
        run.state = states.updateAwaiting(run.state, now());
        publish(published(run.state));
        recorder.note();
        if (isFinished() || isLong()) break;
        const next = startOrWait(run, isFinished);
        recorder.store();
        await next;
      }
      await condition(allHandlersFinished);
      recorder.note();
    },
    () => void (run.state = flagCancelled(run.state, now())),
  );
  const left = { ...request, parts: run.state.parts, carried: carry(recorder.carried()) };
  if (!isFinished()) return continueOnCurrentRelease<typeof onboarding>(left);
  return { ...viewOf(run.state), carried: left.carried };
}

function setHandlers(run: Run): void {
  setHandler(contract.getOnboarding, () => viewOf(run.state));
  setHandler(
    contract.progressReports,
    ({ part, uid, reading }) => void (run.state = states.applyReading(run.state, part, uid, reading, now())),
  );
  const command = (given: contract.CommandRequest): void =>
    void (run.state = applyCommand(run.state, given, now()));
  const validator = (given: contract.CommandRequest): void => validateCommand(run.state, given);
  setHandler(contract.commandOnboarding, command, { validator });
  onHandOver(() => void (run.state = { ...run.state }));
}

async function startOrWait(run: Run, isFinished: () => boolean): Promise<unknown> {
  const before = run.state;
  const part = states.partToStart(before);
  return part === undefined ? condition(() => run.state !== before || isFinished()) : start(run, part);
}

/** If a command replaces the part or ends the onboarding during the call, the outcome is ignored. */
async function start(run: Run, part: PartName): Promise<void> {
  const requested = states.requestOf(run.state, part);
  const isOutdated = () => states.isOver(run.state) || uidOf(run.state.parts, part) !== requested.uid;
  const outcome = await callUntil(isOutdated, (call) => startOrRead(call, requested)).catch(unread);
  if (outcome === undefined || isOutdated()) return;
  const { uid = requested.uid, reading } = outcome;
  if (uid !== requested.uid) run.state = states.replaceClient(run.state, uid);
  else if (reading === undefined) run.state = states.markStarted(run.state, part, uid);
  else run.state = states.applyReading(run.state, part, uid, reading, now());
}

/** Starts a part. An existing part is compared with the request. A payment is started by its agreement. */
async function startOrRead(call: Calls, requested: PartRequest): Promise<PartOutcome> {
  const isQuick = requested.part === 'agreement' ? !requested.checksInitiator : requested.part !== 'payment';
  return isQuick && (await call.startPart(requested)) ? {} : call.readPart(requested);
}

function unread(error: unknown): PartOutcome {
  if (!(error instanceof CallFailed)) throw error;
  return { reading: { state: 'unread', failure: { code: error.failure.code } } };
}
