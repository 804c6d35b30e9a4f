// The commands of an onboarding: why one is refused, and what it changes. Pure.
import { applyUse, repeatOfUse } from '../../domain/commands/key-use.js';
import {
  STEPS,
  uidOf,
  type OnboardingStep,
  type PartName,
  type Parts,
} from '../../domain/onboarding/steps.js';
import { refused } from '../engine/refusal.js';
import {
  advance,
  currentStep,
  isOver,
  setStep,
  type CommandRecord,
  type CommandRequest,
  type LeftBehind,
  type OnboardingState,
} from './state.js';
import type { Instant } from '../../domain/facts/fact.js';

/** Older commands are dropped. */
const COMMANDS_STORED = 50;

/** @throws ApplicationFailure with a code of `commandOnboarding` (contract.ts). */
export function validateCommand(state: OnboardingState, request: CommandRequest): void {
  const repeat = repeatOfUse(state, request.use);
  if (repeat === 'same') return;
  if (repeat === 'other')
    throw refused(
      'onboarding_key_conflict',
      'This key was already used for a different request. Use a new key.',
    );
  const current = currentStep(state);
  if (current === undefined || isOver(state))
    throw refused('onboarding_over', 'The onboarding has ended. Expected one that is under way or stopped.');
  if (request.kind === 'skip') validateSkip(state, current.step);
  if (request.kind !== 'correction') return;
  if (current.state !== 'stopped')
    throw refused(
      'step_not_stopped',
      `The step ${current.step} is under way. Expected a stopped step. GET the onboarding to see what it waits for.`,
    );
  validateCorrection(state, STEPS[current.step].part, request.parts ?? {});
}

/** Only an optional verification can be skipped. */
function validateSkip({ parts }: OnboardingState, step: OnboardingStep): void {
  if (step === 'counterparty' && parts.counterparty?.isRequired !== true) return;
  throw refused(
    'step_not_skippable',
    step === 'counterparty'
      ? 'The verification is required, because the client is high-risk (HIGH_RISK_MCC). It cannot be skipped.'
      : `The step ${step} cannot be skipped. Only counterparty can.`,
  );
}

function validateCorrection(state: OnboardingState, part: PartName, parts: Partial<Parts>): void {
  const { state: found, isSent } = state.readings[part] ?? {};
  const uid = uidOf(state.parts, part) ?? '';
  if (parts[part] === undefined)
    throw refused('other_step_stopped', `The onboarding is stopped at the ${part}. Correct that part.`, {
      pointer: `/${Object.keys(parts)[0] ?? part}`,
    });
  if (part === 'counterparty' && (found === 'unverified' || found === 'refused'))
    throw refused(
      'own_route_only',
      `A counterparty has its own route: POST /v1/counterparties/${uid}/correction. The onboarding then continues.`,
    );
  // If the first payment may have been sent, a second one could take the same money twice.
  if (part === 'payment' && (isSent === true || found === 'unread' || state.sent.includes(uid)))
    throw refused(
      'payment_submitted',
      found === 'unread'
        ? `The payment could not be read, so it may have been sent. GET /v1/payments/${uid}, then resume the onboarding.`
        : `The payment was already sent and cannot be replaced. If a retry is possible, POST /v1/payments/${uid}/retry.`,
    );
  if (uidOf(parts, part) === uid && found !== 'refused' && found !== 'not_allowed')
    throw refused('idempotency_conflict', 'The stopped part has the same uid. Use a new one.', {
      pointer: `/${part}/uid`,
    });
}

/** A repeat changes nothing. Expects a command that passed `validateCommand`. */
export function applyCommand(state: OnboardingState, request: CommandRequest, now: Instant): OnboardingState {
  const current = currentStep(state);
  if (repeatOfUse(state, request.use) !== 'none' || current === undefined) return state;
  const { parts = {}, use, ...said } = request;
  const command: CommandRecord = { ...said, key: use.key, step: current.step, at: now };
  const commands = [...state.commands, command].slice(-COMMANDS_STORED);
  const recorded = applyUse({ ...state, commands }, use);
  const { part } = STEPS[current.step];
  switch (request.kind) {
    case 'abandonment':
      return { ...recorded, abandonedAt: now, leftBehind: [...state.leftBehind, ...startedIn(state)] };
    case 'skip':
      return advance(setStep(leave(recorded, part), current.step, 'skipped', now), now);
    case 'resumption':
      return advance(restart(recorded, part), now);
    case 'correction':
      return advance(restart({ ...leave(recorded, part), parts: { ...state.parts, ...parts } }, part), now);
  }
}

/** Resets the steps of a part, so that it is started or read again. */
function restart(state: OnboardingState, part: PartName): OnboardingState {
  const { [part]: _, ...readings } = state.readings;
  const { [part]: __, ...started } = state.started;
  const steps = state.steps.map((one) =>
    STEPS[one.step].part === part ? { ...one, state: 'waiting' as const } : one,
  );
  return { ...state, readings, started, steps };
}

/** The resources of all parts that were started. The current part may still be starting. */
const startedIn = (state: OnboardingState): LeftBehind[] =>
  [
    ...new Set(state.steps.filter((one) => one.state !== 'waiting').map(({ step }) => STEPS[step].part)),
  ].flatMap((part) => left(state, part));

const leave = (state: OnboardingState, part: PartName): OnboardingState => ({
  ...state,
  leftBehind: [...state.leftBehind, ...left(state, part)],
});

/** In these states, no resource of this onboarding has the uid. */
const NEVER_OURS: ReadonlySet<string> = new Set([
  'other',
  'missing',
  'refused',
  'not_allowed',
  'other_account',
]);

/** Lists each resource once, even if it is left behind twice. */
function left({ parts, readings, leftBehind }: OnboardingState, part: PartName): LeftBehind[] {
  const uid = uidOf(parts, part);
  const { [part]: { state } = {} } = readings;
  const isListed = leftBehind.some((one) => one.part === part && one.uid === uid);
  return uid === undefined || isListed || NEVER_OURS.has(state ?? '') ? [] : [{ part, uid, state }];
}
