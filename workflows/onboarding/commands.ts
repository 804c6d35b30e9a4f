// What callers command of an onboarding: why a command is refused, and what it changes. Pure.
import { recordUse, repeatOfUse } from '../../domain/commands/key-use.js';
import { STEPS, uidOf } from '../../domain/onboarding/steps.js';
import { refused } from '../entity/engine/refusal.js';
import { advance, currentStep, isOver, setStep } from './state.js';
import type { OnboardingStep, PartName, Parts } from '../../domain/onboarding/steps.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { CommandRecord, CommandRequest, LeftBehind, State } from './state.js';

/** The newest are kept. */
const COMMANDS_STORED = 50;

/** @throws ApplicationFailure with a code of `commandOnboarding` (contract.ts). */
export function validateCommand(state: State, request: CommandRequest): void {
  const repeat = repeatOfUse(state, request.use);
  if (repeat === 'same') return;
  if (repeat === 'other')
    throw refused('onboarding_key_conflict', 'This key was used before, for something else.');
  const current = currentStep(state);
  if (current === undefined || isOver(state))
    throw refused('onboarding_over', 'Expected an onboarding that is not over.');
  if (request.kind === 'skip') validateSkip(state, current.step);
  if (request.kind !== 'correction') return;
  if (current.state !== 'stopped')
    throw refused(
      'step_not_stopped',
      `Expected a step that is stopped; ${current.step} is under way. GET the onboarding says what it waits for.`,
    );
  validateCorrection(state, STEPS[current.step].part, request.parts ?? {});
}

/** Only a verification may be left out, and only where it is not required. */
function validateSkip({ parts }: State, step: OnboardingStep): void {
  if (step === 'counterparty' && parts.counterparty?.isRequired !== true) return;
  throw refused(
    'step_not_skippable',
    step === 'counterparty'
      ? 'Expected a verification that is not required: the client is of high risk (HIGH_RISK_MCC).'
      : `Expected the step to be counterparty, which alone may be skipped; it is ${step}.`,
  );
}

function validateCorrection(state: State, part: PartName, parts: Partial<Parts>): void {
  const { state: found, isSent } = state.readings[part] ?? {};
  const uid = uidOf(state.parts, part) ?? '';
  if (parts[part] === undefined)
    throw refused('other_step_stopped', `Expected a correction of the ${part}, at which it is stopped.`, {
      pointer: `/${Object.keys(parts)[0] ?? part}`,
    });
  if (part === 'counterparty' && (found === 'unverified' || found === 'refused'))
    throw refused(
      'own_route_only',
      `Expected POST /v1/counterparties/${uid}/correction: its accounts are corrected there, and the onboarding continues.`,
    );
  // Another payment beside one that was sent, or may have been, would take the same money twice.
  if (part === 'payment' && (isSent === true || found === 'unread' || state.sent.includes(uid)))
    throw refused(
      'payment_submitted',
      found === 'unread'
        ? `Expected a payment that was never sent; this one could not be read. GET /v1/payments/${uid}, then resume.`
        : `Expected a payment that was never sent. This one was: where a retry is possible, POST /v1/payments/${uid}/retry.`,
    );
  if (uidOf(parts, part) === uid && found !== 'refused' && found !== 'not_allowed')
    throw refused('idempotency_conflict', 'Expected another uid than that of the part that stopped.', {
      pointer: `/${part}/uid`,
    });
}

/** Expects what `validateCommand` let through; a repeat changes nothing. */
export function recordCommand(state: State, request: CommandRequest, now: Instant): State {
  const current = currentStep(state);
  if (repeatOfUse(state, request.use) !== 'none' || current === undefined) return state;
  const { parts = {}, use, ...said } = request;
  const command: CommandRecord = { ...said, key: use.key, step: current.step, at: now };
  const commands = [...state.commands, command].slice(-COMMANDS_STORED);
  const recorded = recordUse({ ...state, commands }, use);
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

/** Its steps begin anew: the part is started, or read, once more. */
function restart(state: State, part: PartName): State {
  const { [part]: _, ...readings } = state.readings;
  const { [part]: __, ...started } = state.started;
  const steps = state.steps.map((one) =>
    STEPS[one.step].part === part ? { ...one, state: 'waiting' as const } : one,
  );
  return { ...state, readings, started, steps };
}

/** The resources of the parts that were started; that of the part under way may start a moment later. */
const startedIn = (state: State): LeftBehind[] =>
  [
    ...new Set(state.steps.filter((one) => one.state !== 'waiting').map(({ step }) => STEPS[step].part)),
  ].flatMap((part) => left(state, part));

const leave = (state: State, part: PartName): State => ({
  ...state,
  leftBehind: [...state.leftBehind, ...left(state, part)],
});

/** In these states nothing of ours has the uid. */
const NEVER_OURS: ReadonlySet<string> = new Set([
  'other',
  'missing',
  'refused',
  'not_allowed',
  'other_account',
]);

/** Once, however it came to be left. */
function left({ parts, readings, leftBehind }: State, part: PartName): LeftBehind[] {
  const uid = uidOf(parts, part);
  const { [part]: { state } = {} } = readings;
  const isListed = leftBehind.some((one) => one.part === part && one.uid === uid);
  return uid === undefined || isListed || NEVER_OURS.has(state ?? '') ? [] : [{ part, uid, state }];
}
