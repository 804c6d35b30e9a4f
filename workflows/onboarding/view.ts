// An onboarding for callers, and its page in Temporal's UI.
import { STEPS, pathOf, stopInWords, uidOf, type PartName } from '../../domain/onboarding/steps.js';
import { personIn } from '../../domain/onboarding/reading.js';
import { raise, type Attention } from '../../domain/attention/flags.js';
import { requestedInWords, published as publishedBy, readable, type Published } from '../engine/publish.js';
import { ONBOARDING_STEP } from '../contracts/search-attributes.js';
import { clientIdOf, currentStep, type OnboardingState, type Step } from './state.js';
import type { ONBOARDING_STATES, StepView } from './contract.js';

export function viewOf(state: OnboardingState) {
  const { id, connectionId, requestedAt, requestedBy, requested, parts, steps, leftBehind, awaiting } = state;
  const current = currentStep(state);
  const since =
    current === undefined
      ? steps
          .map((one) => one.since)
          .sort()
          .at(-1)
      : undefined;
  return {
    ...{ id, connectionId, requestedAt, requestedBy, requested, parts, leftBehind, awaiting },
    state: stateOf(state),
    stateSince: state.abandonedAt ?? (current?.state === 'stopped' ? current.since : (since ?? requestedAt)),
    steps: steps.map((step) => stepView(state, step)),
    commands: state.commands,
    clientId: clientIdOf(state),
    attention: attentionOf(state),
  };
}

export function stateOf(state: OnboardingState): (typeof ONBOARDING_STATES)[number] {
  if (state.abandonedAt !== undefined) return 'abandoned';
  const current = currentStep(state);
  if (current === undefined) return 'done';
  return current.state === 'stopped' ? 'stopped' : 'under_way';
}

function stepView(state: OnboardingState, { step, state: at, since }: Step): StepView {
  const { part, next, actor } = STEPS[step];
  const uid = at === 'waiting' ? undefined : uidOf(state.parts, part);
  const reading = at === 'waiting' ? undefined : state.readings[part];
  const base = { step, state: at, since, part, uid, reading };
  if (state.abandonedAt !== undefined || at === 'done' || at === 'skipped') return { ...base, actor: 'none' };
  if (at === 'waiting') return { ...base, actor: 'none', next };
  if (at === 'stopped' && reading !== undefined)
    return {
      ...base,
      actor: 'caller',
      next: stopInWords(step, reading, { id: state.id, uid: uid ?? '' }).next,
    };
  const person = reading && personIn(reading);
  return person === undefined
    ? { ...base, actor, next }
    : { ...base, actor: person, next: whereToRead(part, uid) };
}

const whereToRead = (part: PartName, uid = ''): string =>
  `GET ${pathOf(part, uid)} shows what a person must do. The onboarding then continues automatically.`;

export function attentionOf(state: OnboardingState): Attention[] {
  const current = currentStep(state);
  const { step, part, reading, uid = '' } = current === undefined ? {} : stepView(state, current);
  if (
    state.abandonedAt !== undefined ||
    current === undefined ||
    step === undefined ||
    part === undefined ||
    reading === undefined
  )
    return state.attention;
  const { since } = current;
  if (current.state === 'stopped')
    return raise(state.attention, {
      code: 'stopped',
      since,
      ...stopInWords(step, reading, { id: state.id, uid }),
    });
  const person = personIn(reading);
  if (person === undefined) return state.attention;
  return raise(state.attention, {
    code: person === 'merchant' ? 'needs_reauthorisation' : 'parked',
    since,
    detail: `The ${part} waits for ${person === 'merchant' ? 'the merchant’s consent' : 'an operator'}.`,
    next: whereToRead(part, uid),
  });
}

export const published = (state: OnboardingState): Published => {
  const at = stateOf(state);
  const isOver = at === 'done' || at === 'abandoned';
  return publishedBy({
    title: `Onboarding ${state.id} is ${at.replace('_', ' ')}`,
    awaiting: state.awaiting,
    attention: attentionOf(state),
    connectionId: state.connectionId,
    own: [{ key: ONBOARDING_STEP, value: isOver ? at : (currentStep(state)?.step ?? at) }],
    notes: notesOf(state),
  });
};

const notesOf = (state: OnboardingState): string[] => [
  requestedInWords(state.requestedAt, state.requestedBy),
  ...state.steps.map((step) => stepInWords(state, step)),
  ...state.commands
    .slice(-5)
    .map(({ kind, step, by, at }) => `${kind} at ${step}, ${requestedInWords(at, by)}`),
  ...state.leftBehind.map(
    ({ part, uid, state: at }) => `left behind: ${part}/${uid}, ${at ?? 'not read yet'}`,
  ),
];

function stepInWords(state: OnboardingState, step: Step): string {
  const { part, uid, reading } = stepView(state, step);
  const where = uid === undefined ? '' : `: ${part}/${uid}`;
  const at = reading === undefined ? '' : ` is ${reading.state}`;
  return `${STEPS[step.step].title} – ${step.state.replace('_', ' ')} since ${readable(step.since)}${where}${at}`;
}
