// What an onboarding keeps, and what readings of its resources and callers' commands change in it. Plain JSON and pure.
import { isOtherUse } from '../../domain/commands/key-use.js';
import { STEPS, isOtherAccount, meaningOf, stepsOf } from '../../domain/onboarding/steps.js';
import type {
  CommandKind,
  OnboardingStep,
  PartName,
  Parts,
  Reading,
  StepState,
} from '../../domain/onboarding/steps.js';
import type { PartsRequest } from '../../domain/onboarding/request.schema.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { KeyUse } from '../../domain/commands/key-use.js';
import type { Attention } from '../../domain/attention/flags.js';
import type { Awaiting } from '../../domain/attention/awaiting.js';
import type { Repeat } from '../../domain/commands/repeat.js';

/** What an onboarding is begun with. */
export interface Asked {
  id: string;
  connectionId: string;
  /** In the caller's words, to know a repeat from another request. */
  asked: PartsRequest;
  /** As they are to be. */
  parts: Parts;
  /** The id of the API key that it was asked for with. */
  requestedBy?: string | undefined;
}

/** What a caller says of it; its key makes it one, however often it is said. */
export interface CommandRequest {
  kind: CommandKind;
  reason: string;
  /** The id of the API key that it came with. */
  by: string;
  use: KeyUse;
  /** Of a correction: the one part that it is about. */
  parts?: Partial<Parts> | undefined;
}

export interface Command extends Omit<CommandRequest, 'parts'> {
  step: OnboardingStep;
  at: Instant;
}

/** What was begun, and is no part of it any more. */
export interface LeftBehind {
  part: PartName;
  uid: string;
  /** How it stood when it was read last. */
  state?: string | undefined;
}

export interface Step {
  step: OnboardingStep;
  state: StepState;
  since: Instant;
}

export interface State extends Asked {
  requestedAt: Instant;
  /** In their order; of parts that were not asked for there is none. */
  steps: Step[];
  /** How each part's resource stood when it was read last. */
  readings: Partial<Record<PartName, Reading>>;
  /** How often there was a reason to look at once. */
  heard: number;
  commands: Command[];
  /** The uids of payments that were read as sent. */
  sent: string[];
  leftBehind: LeftBehind[];
  abandonedAt?: Instant | undefined;
  attention: Attention[];
  awaiting: Awaiting;
}

/** Of older ones nothing is kept: a repeat after so many more is a command of its own. */
const COMMANDS_KEPT = 50;

export function newOnboarding(given: Asked, now: Instant): State {
  const { id, connectionId, asked, parts, requestedBy } = given;
  const steps = stepsOf(parts).map((step): Step => ({ step, state: 'waiting', since: now }));
  const [first] = steps;
  if (first !== undefined) first.state = 'under_way';
  return {
    ...{ id, connectionId, requestedBy, asked, parts, requestedAt: now, steps },
    ...{ readings: {}, heard: 0, commands: [], sent: [], leftBehind: [], attention: [] },
    awaiting: { what: first === undefined ? 'nothing' : STEPS[first.step].awaiting, since: now },
  };
}

const isPassed = ({ state }: Pick<Step, 'state'>): boolean => state === 'done' || state === 'skipped';

/** The step that is under way, or stopped; none once all are passed. */
export const currentStep = ({ steps }: Pick<State, 'steps'>): Step | undefined =>
  steps.find((step) => !isPassed(step));

export const isOver = (state: State): boolean =>
  state.abandonedAt !== undefined || currentStep(state) === undefined;

const withStep = (steps: readonly Step[], name: OnboardingStep, state: StepState, now: Instant): Step[] =>
  steps.map((step) =>
    step.step === name && step.state !== state ? { step: name, state, since: now } : step,
  );

/** Goes as far as what was read allows: a resource may have passed two steps at once. */
export function withReading(before: State, part: PartName, reading: Reading, now: Instant): State {
  let state: State = { ...before, readings: { ...before.readings, [part]: reading } };
  for (let step = currentStep(state); step !== undefined; step = currentStep(state)) {
    const { step: name } = step;
    const met = state.readings[STEPS[name].part];
    const meaning = meaningOf(name, met);
    const stands = meaning === 'going' ? 'under_way' : meaning;
    state = { ...state, steps: withStep(state.steps, name, stands, now) };
    if (meaning !== 'done') break;
  }
  return withAccountJudged(withSent(state), now);
}

/** Remembered apart from what is read, as that is forgotten when it is read anew. */
function withSent(state: State): State {
  const { uid } = state.parts.payment ?? {};
  const isNew = uid !== undefined && state.readings.payment?.isSent === true && !state.sent.includes(uid);
  return isNew ? { ...state, sent: [...state.sent, uid].slice(-COMMANDS_KEPT) } : state;
}

/** Of the counterparty, as they were read; nothing where it was skipped, or there is none. */
export function accountsOf({ steps, readings }: Pick<State, 'steps' | 'readings'>): Reading['accounts'] {
  const isVerified = steps.some(({ step, state }) => step === 'counterparty' && state === 'done');
  return isVerified ? readings.counterparty?.accounts : undefined;
}

/** An agreement that is about to begin with an account which is none of the counterparty's is stopped before anything is sent. */
function withAccountJudged(state: State, now: Instant): State {
  const current = currentStep(state);
  const isBefore = current?.step === 'agreement' && state.readings.agreement === undefined;
  if (!isBefore || !isOtherAccount(state.parts.agreement.mandate, accountsOf(state))) return state;
  return {
    ...state,
    readings: { ...state.readings, agreement: { state: 'other_account' } },
    steps: withStep(state.steps, 'agreement', 'stopped', now),
  };
}

/** A report of what this one does not wait for any more changes nothing. */
export const withNews = (state: State, isAwaited: boolean): State =>
  isAwaited ? { ...state, heard: state.heard + 1 } : state;

/** Whether this command was given before. */
export function repeatOfCommand(
  { commands }: Pick<State, 'commands'>,
  { use }: Pick<CommandRequest, 'use'>,
): Repeat {
  const before = commands.find((one) => one.use.key === use.key);
  if (before === undefined) return 'none';
  return isOtherUse(before.use, use) ? 'other' : 'same';
}

/** Of a command that may be taken, as handlers.ts judges. */
export const withCommand = (state: State, request: CommandRequest, now: Instant): State =>
  withAccountJudged(carriedOut(state, request, now), now);

function carriedOut(state: State, request: CommandRequest, now: Instant): State {
  const current = currentStep(state);
  if (repeatOfCommand(state, request) !== 'none' || current === undefined) return state;
  const { parts, ...said } = request;
  const command: Command = { ...said, step: current.step, at: now };
  const noted = { ...state, commands: [...state.commands, command].slice(-COMMANDS_KEPT) };
  switch (request.kind) {
    case 'abandonment':
      return { ...noted, abandonedAt: now, leftBehind: [...state.leftBehind, ...begunIn(state)] };
    case 'skip':
      return skipped(noted, current, now);
    case 'resumption':
      return {
        ...unread(noted, STEPS[current.step].part),
        steps: withStep(noted.steps, current.step, 'under_way', now),
      };
    case 'correction':
      return corrected(noted, parts ?? {}, now);
  }
}

/** The resources of the parts that were begun, as far as is known: of the one under way that may be a moment from now. */
const begunIn = (state: State): LeftBehind[] =>
  [
    ...new Set(
      state.steps.filter(({ state: stands }) => stands !== 'waiting').map(({ step }) => STEPS[step].part),
    ),
  ].flatMap((part) => left(state, part));

/** In these states there is nothing of ours under the uid. */
const NEVER_OURS: ReadonlySet<string> = new Set(['other', 'missing', 'refused', 'other_account']);

/** Once, however it came to be left. */
function left({ parts, readings, leftBehind }: State, part: PartName): LeftBehind[] {
  const { [part]: { uid } = {} } = parts;
  const { [part]: { state } = {} } = readings;
  const isNoted = leftBehind.some((one) => one.part === part && one.uid === uid);
  return uid === undefined || isNoted || NEVER_OURS.has(state ?? '') ? [] : [{ part, uid, state }];
}

/** The steps after it go on without its resource. */
function skipped(state: State, { step }: Step, now: Instant): State {
  const { part } = STEPS[step];
  const steps = withStep(state.steps, step, 'skipped', now);
  const gone = { ...state, steps, leftBehind: [...state.leftBehind, ...left(state, part)] };
  const next = currentStep(gone);
  return next === undefined ? gone : { ...gone, steps: withStep(steps, next.step, 'under_way', now) };
}

/** The part is asked for anew, under the uid that came with the correction; what was begun under the old one is left behind. */
function corrected(state: State, parts: Partial<Parts>, now: Instant): State {
  const current = currentStep(state);
  if (current === undefined) return state;
  const { part } = STEPS[current.step];
  const own = state.steps.filter(({ step }) => STEPS[step].part === part);
  const steps = state.steps.map((one): Step => {
    const place = own.indexOf(one);
    return place === -1 ? one : { ...one, state: place === 0 ? 'under_way' : 'waiting', since: now };
  });
  return {
    ...unread(state, part),
    parts: { ...state.parts, ...parts },
    leftBehind: [...state.leftBehind, ...left(state, part)],
    steps,
  };
}

/** What was read before is no measure of what is news: it is read anew. */
function unread(state: State, part: PartName): State {
  const { [part]: _, ...readings } = state.readings;
  return { ...state, readings, heard: state.heard + 1 };
}
