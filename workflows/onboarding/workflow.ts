// One per onboarding: from the payer's account to the first payment. It starts one part at a time, and waits for its reports.
import { allHandlersFinished, condition, setHandler } from '@temporalio/workflow';
import { uidOf } from '../../domain/onboarding/steps.js';
import { raise } from '../../domain/attention/flags.js';
import { callUntil, createPublisher, onHandOver, runProtected } from '../entity/engine/ordinary.js';
import { CallFailed } from '../entity/engine/runtime.js';
import { continueOnCurrentRelease, isLong, now } from '../entity/engine/temporal.js';
import { carry, restoreState } from '../entity/engine/upgrade.js';
import { recordCommand, validateCommand } from './commands.js';
import { commandOnboarding, getOnboarding, progressReports } from './contract.js';
import * as states from './state.js';
import { published, viewOf } from './view.js';
import type { PartRequest } from '../../activities/onboard/request.js';
import type { Reading } from '../../domain/onboarding/reading.js';
import type { PartName } from '../../domain/onboarding/steps.js';
import type { Calls } from '../entity/engine/runtime.js';
import type { OnboardingEnd, OnboardingInput } from './contract.js';
import type { State } from './state.js';

export async function onboarding({ carried, ...request }: OnboardingInput): Promise<OnboardingEnd> {
  let state = restoreState(carried, () => states.newOnboarding(request, now()));
  const update = (change: (state: State, now: string) => State): void => {
    state = states.settleAwaiting(change(state, now()), now());
  };
  setHandler(progressReports, ({ part, uid, reading }) => {
    update((before, at) => states.recordReading(before, part, uid, reading, at));
  });
  setHandler(
    commandOnboarding,
    (command) => {
      update((before, at) => recordCommand(before, command, at));
    },
    {
      validator: (command) => {
        validateCommand(state, command);
      },
    },
  );
  setHandler(getOnboarding, () => viewOf(state));
  onHandOver(() => {
    update((before) => ({ ...before }));
  });

  return runProtected(
    async () => {
      const publish = createPublisher();
      update((before) => before);
      while (!states.isOver(state) && !isLong()) {
        publish(published(state));
        const part = states.partToStart(state);
        if (part !== undefined) await start(part);
        else {
          const seen = state;
          await condition(() => state !== seen);
        }
      }
      publish(published(state));
      await condition(allHandlersFinished);
      const left = { ...request, parts: state.parts, carried: carry(state) };
      if (!states.isOver(state)) return continueOnCurrentRelease<typeof onboarding>(left);
      return { ...viewOf(state), carried: carry(state) };
    },
    () => {
      update(flagCancelRequest);
    },
  );

  async function start(part: PartName): Promise<void> {
    const requested = states.requestOf(state, part);
    const isOutdated = () => states.isOver(state) || uidOf(state.parts, part) !== requested.uid;
    try {
      const { uid = requested.uid, reading } =
        (await callUntil(isOutdated, (call) => startOrRead(call, requested))) ?? {};
      if (isOutdated()) return;
      if (uid !== requested.uid) update((before) => states.replaceClient(before, uid));
      else if (reading === undefined) update((before) => states.markStarted(before, part, uid));
      else update((before, at) => states.recordReading(before, part, uid, reading, at));
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      const { code } = error.failure;
      update((before, at) =>
        states.recordReading(before, part, requested.uid, { state: 'unread', failure: { code } }, at),
      );
    }
  }
}

interface Outcome {
  /** Of a client that registers the same business already. */
  uid?: string;
  /** Absent where the part reports. */
  reading?: Reading;
}

/** What exists already is compared with the request. */
async function startOrRead(call: Calls, requested: PartRequest): Promise<Outcome> {
  const isQuick = requested.part === 'agreement' ? !requested.checksInitiator : requested.part !== 'payment';
  return isQuick && (await call.startPart(requested)) ? {} : call.readPart(requested);
}

const flagCancelRequest = (state: State, since: string): State => ({
  ...state,
  attention: raise(state.attention, {
    code: 'cancel_requested',
    since,
    detail: 'Temporal received a request to cancel. The onboarding continues.',
    next: `To give it up: POST /v1/onboardings/${state.id}/abandonment with a reason.`,
  }),
});
