// One workflow per onboarding: from the payer's account to the first payment. It starts one part at a time and waits for its reports.
import { condition, setHandler } from '@temporalio/workflow';
import { uidOf, type OnboardingStep, type PartName } from '../../domain/onboarding/steps.js';
import { flagCancelRequest } from '../engine/flags.js';
import { callUntil } from '../on-temporal/ordinary.js';
import { runOrdinary, type OrdinaryRun, type Round } from '../on-temporal/run-ordinary.js';
import { CallFailed, type Calls } from '../engine/runtime.js';
import { now } from '../on-temporal/run.js';
import { restoreState } from '../contracts/upgrade.js';
import { applyCommand, validateCommand } from './commands.js';
import * as contract from './contract.js';
import * as states from './state.js';
import { ONBOARDING_RECORD } from './records.js';
import { published, viewOf } from './view.js';
import type { PartOutcome, PartRequest } from '../../activities/onboard/request.js';

type Run = OrdinaryRun<states.OnboardingState>;

export function onboarding({
  carried,
  ...request
}: contract.OnboardingInput): Promise<contract.OnboardingEnd> {
  const run: Run = { state: restoreState(carried, () => states.newOnboarding(request, now())) };
  return runOrdinary({
    setHandlers: () => setHandlers(run),
    ...{ run, record: ONBOARDING_RECORD, published },
    prepare: () => void (run.state = states.updateAwaiting(run.state, now())),
    proceed: (round) => proceed(run, round),
    ending: { isOver: states.isOver, result: (state, end) => ({ ...viewOf(state), carried: end }) },
    cancelRequested: flagCancelRequest(`To give it up: POST /v1/onboardings/${request.id}/abandonment.`),
    nextInput: ({ parts }, next): contract.OnboardingInput => ({ ...request, parts, carried: next }),
  });
}

/** One round of the story. It reads from the top, because a command may have reset a step. */
function proceed(run: Run, { isChanged }: Round): Promise<unknown> {
  const isDone = (step: OnboardingStep): boolean => states.isDone(run.state, step);
  const follow = (part: PartName, call: PartCall): Promise<unknown> =>
    states.partToStart(run.state) === part ? start(run, part, call) : condition(isChanged);

  // Verify the payer's account.
  if (!isDone('counterparty')) return follow('counterparty', startOrRead);
  // Register the business, and wait until it may initiate agreements.
  if (!isDone('client')) return follow('client', startOrRead);
  // Create the agreement.
  if (!isDone('agreement')) return follow('agreement', createAgreement);
  // The payer decides. The agreement reports it.
  if (!isDone('payer_decision')) return condition(isChanged);
  // The agreement admits the first payment. It may wait, so this call is an ordinary activity.
  if (!isDone('first_payment')) return follow('payment', readPart);
  return condition(isChanged);
}

type PartCall = (call: Calls, requested: PartRequest) => Promise<PartOutcome>;

const readPart: PartCall = (call, requested) => call.readPart(requested);

/** An existing part is compared with the request. */
const startOrRead: PartCall = async (call, requested) =>
  (await call.startPart(requested)) ? {} : call.readPart(requested);

/** The look-up also checks its client, and creates the agreement if that client may initiate. */
const createAgreement: PartCall = (call, requested) =>
  'checksInitiator' in requested && requested.checksInitiator
    ? call.readPart(requested)
    : startOrRead(call, requested);

/** If a command replaces the part or ends the onboarding during the call, the outcome is ignored. */
async function start(run: Run, part: PartName, call: PartCall): Promise<void> {
  const requested = states.requestOf(run.state, part);
  const isOutdated = () => states.isOver(run.state) || uidOf(run.state.parts, part) !== requested.uid;
  const outcome = await callUntil(isOutdated, (calls) => call(calls, requested)).catch(unread);
  if (outcome === undefined || isOutdated()) return;
  const { uid = requested.uid, reading } = outcome;
  if (uid !== requested.uid) run.state = states.replaceClient(run.state, uid);
  else if (reading === undefined) run.state = states.markStarted(run.state, part, uid);
  else run.state = states.applyReading(run.state, part, uid, reading, now());
}

function unread(error: unknown): PartOutcome {
  if (!(error instanceof CallFailed)) throw error;
  return { reading: { state: 'unread', failure: { code: error.failure.code } } };
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
}
