// What may be sent to an onboarding, and what it changes.
import { STEPS } from '../../domain/onboarding/steps.js';
import { updateState } from '../entity/engine/handlers.js';
import { refused } from '../entity/engine/refusal.js';
import { currentStep, isOver, repeatOfCommand, withCommand, withNews } from './state.js';
import { resourceOf, viewOf } from './view.js';
import type { ProgressReport } from '../entity/signals.js';
import type { Handlers } from '../entity/engine/handlers.js';
import type { messages } from './contract.js';
import type { CommandRequest, State } from './state.js';

export const HANDLERS: Handlers<State, typeof messages> = {
  progressReports: updateState((state: State, { workflowId }: ProgressReport) =>
    withNews(state, workflowId === resourceOf(state)),
  ),
  commandOnboarding: { validate: assertTakeable, ...updateState(withCommand) },
  getOnboarding: { read: viewOf },
};

/** @throws ApplicationFailure as the contract says. */
function assertTakeable(state: State, request: CommandRequest): void {
  const repeat = repeatOfCommand(state, request);
  if (repeat === 'same') return;
  if (repeat === 'other')
    throw refused('onboarding_key_conflict', 'This key was used before, for something else.');
  const current = currentStep(state);
  if (current === undefined || isOver(state))
    throw refused('onboarding_over', 'Expected an onboarding that is not over.');
  const { kind } = request;
  if (kind === 'skip') return assertSkippable(state);
  if (kind === 'abandonment') return;
  if (current.state !== 'stopped')
    throw refused(
      'step_not_stopped',
      `Expected a step that is stopped; ${current.step} is under way. GET the onboarding says what it waits for.`,
    );
  if (kind === 'correction') assertCorrectable(state, request);
}

/** Only a verification may be left out, and only where it is not required. */
function assertSkippable(state: State): void {
  const { step } = currentStep(state) ?? {};
  const { counterparty } = state.parts;
  if (step === 'counterparty' && counterparty?.isRequired !== true) return;
  throw refused(
    'step_not_skippable',
    step === 'counterparty'
      ? 'Expected a verification that is not required: the client is of high risk (HIGH_RISK_MCC).'
      : `Expected the step to be counterparty, which alone may be left out; it is ${step ?? 'none'}.`,
  );
}

function assertCorrectable(state: State, { parts = {} }: CommandRequest): void {
  const { step } = currentStep(state) ?? {};
  if (step === undefined) return;
  const { part } = STEPS[step];
  const { [part]: corrected } = parts;
  if (corrected === undefined)
    throw refused('other_step_stopped', `Expected a correction of the ${part}, at which it is stopped.`, {
      pointer: `/${Object.keys(parts)[0] ?? part}`,
    });
  const { counterparty } = parts;
  if (
    part !== 'counterparty' &&
    counterparty !== undefined &&
    counterparty.uid !== state.parts.counterparty?.uid
  )
    throw refused(
      'other_step_stopped',
      `Expected a correction of the ${part} alone, at which it is stopped.`,
      {
        pointer: '/counterparty',
      },
    );
  if (part === 'payment') assertNeverSent(state);
  if (corrected.uid === state.parts[part]?.uid && state.readings[part]?.state !== 'refused')
    throw refused('idempotency_conflict', 'Expected another uid than that of the one that did not go on.', {
      pointer: `/${part}/uid`,
    });
}

/** Another payment beside one that was sent, or may have been, would take the same money twice. */
function assertNeverSent({ readings, parts, sent }: State): void {
  const { uid = '' } = parts.payment ?? {};
  const { state, isSent } = readings.payment ?? {};
  const isUnread = state === 'unread';
  if (isSent !== true && !isUnread && !sent.includes(uid)) return;
  throw refused(
    'payment_submitted',
    isUnread
      ? `Expected a payment that was never sent; of this one it could not be read. GET /v1/payments/${uid}, then resume.`
      : `Expected a payment that was never sent. This one was: where it may be tried again, POST /v1/payments/${uid}/retry, then resume.`,
  );
}
