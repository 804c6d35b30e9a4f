// How an onboarding looks from outside: the view that callers read, and what operators see in Temporal's UI.
import { STEPS, pathOf, personIn, stopInWords } from '../../domain/onboarding/steps.js';
import { raise } from '../../domain/attention/flags.js';
import { requestedInWords, published as publishedBy, readable } from '../entity/engine/publish.js';
import { ONBOARDING_STEP } from '../entity/search-attributes.js';
import {
  agreementWorkflowId,
  clientWorkflowId,
  counterpartyWorkflowId,
  paymentWorkflowId,
} from '../entity/signals.js';
import { currentStep } from './state.js';
import type { PartName, Reading } from '../../domain/onboarding/steps.js';
import type { Attention } from '../../domain/attention/flags.js';
import type { Published } from '../entity/engine/publish.js';
import type { CommandView, OnboardingState, OnboardingView, StepView } from './contract.js';
import type { Command, State, Step } from './state.js';

const WORKFLOW_ID: Readonly<Record<PartName, (uid: string) => string>> = {
  client: clientWorkflowId,
  counterparty: counterpartyWorkflowId,
  agreement: agreementWorkflowId,
  payment: paymentWorkflowId,
};

/** The workflow that it waits for; nothing once it is over. */
export function resourceOf(state: State): string | undefined {
  const current = currentStep(state);
  if (current === undefined) return undefined;
  const { part } = STEPS[current.step];
  const { [part]: { uid } = {} } = state.parts;
  return uid === undefined ? undefined : WORKFLOW_ID[part](uid);
}

function stateOf(state: State): OnboardingState {
  if (state.abandonedAt !== undefined) return 'abandoned';
  const current = currentStep(state);
  if (current === undefined) return 'done';
  return current.state === 'stopped' ? 'stopped' : 'under_way';
}

function stepView(state: State, { step, state: stands, since }: Step): StepView {
  const { part, next, actor } = STEPS[step];
  const isBegun = stands !== 'waiting';
  const { [part]: { uid } = {} } = state.parts;
  const reading = isBegun ? state.readings[part] : undefined;
  const base = { step, state: stands, since, part, uid: isBegun ? uid : undefined, reading };
  if (state.abandonedAt !== undefined || stands === 'done' || stands === 'skipped')
    return { ...base, actor: 'none' };
  if (stands === 'stopped' && reading !== undefined)
    return {
      ...base,
      actor: 'caller',
      next: stopInWords(step, reading, { id: state.id, uid: uid ?? '' }).next,
    };
  const person = reading === undefined ? undefined : personIn(reading);
  if (person !== undefined && stands === 'under_way')
    return { ...base, actor: person, next: whereToRead(part, uid) };
  return { ...base, actor: isBegun ? actor : 'none', next };
}

const whereToRead = (part: PartName, uid = ''): string =>
  `GET ${pathOf(part, uid)} says what a person has to do; this goes on by itself then.`;

export function attentionOf(state: State): Attention[] {
  const current = currentStep(state);
  if (state.abandonedAt !== undefined || current === undefined) return state.attention;
  const { step, since, state: stands } = current;
  const { part } = STEPS[step];
  const reading = state.readings[part];
  const { [part]: { uid = '' } = {} } = state.parts;
  if (reading === undefined) return state.attention;
  if (stands === 'stopped') {
    const { detail, next } = stopInWords(step, reading, { id: state.id, uid });
    return raise(state.attention, { code: 'stopped', since, detail, next });
  }
  return personIn(reading) === undefined
    ? state.attention
    : raise(state.attention, waiting(reading, part, uid, since));
}

const waiting = (reading: Reading, part: PartName, uid: string, since: string): Attention => ({
  code: personIn(reading) === 'merchant' ? 'needs_reauthorisation' : 'parked',
  since,
  detail: `The ${part} waits for ${personIn(reading) === 'merchant' ? 'the merchant’s consent' : 'an operator'}.`,
  next: whereToRead(part, uid),
});

const commandView = ({ kind, step, reason, by, at, use: { key } }: Command): CommandView => ({
  key,
  kind,
  step,
  reason,
  by,
  at,
});

export function viewOf(state: State): OnboardingView {
  const { id, connectionId, requestedAt, requestedBy, asked, parts, steps, commands, leftBehind } = state;
  const current = currentStep(state);
  const lastSince =
    steps
      .map(({ since }) => since)
      .sort()
      .at(-1) ?? requestedAt;
  return {
    ...{ id, connectionId, requestedAt, requestedBy, asked, parts, leftBehind },
    state: stateOf(state),
    stateSince:
      state.abandonedAt ??
      (current?.state === 'stopped' ? current.since : current === undefined ? lastSince : requestedAt),
    steps: steps.map((step) => stepView(state, step)),
    commands: commands.map(commandView),
    awaiting: state.awaiting,
    attention: attentionOf(state),
  };
}

/** What lists show: the step that it is at, or how it ended. */
export const placeOf = (state: State): string => {
  const stands = stateOf(state);
  return stands === 'done' || stands === 'abandoned' ? stands : (currentStep(state)?.step ?? 'done');
};

export const published = (state: State): Published => {
  const stands = stateOf(state);
  return publishedBy({
    title: `Onboarding ${state.id} is ${stands.replace('_', ' ')}`,
    awaiting: state.awaiting,
    attention: attentionOf(state),
    connectionId: state.connectionId,
    own: [{ key: ONBOARDING_STEP, value: placeOf(state) }],
    notes: notesOf(state),
  });
};

function notesOf(state: State): string[] {
  const { requestedAt, requestedBy, steps, commands, leftBehind } = state;
  return [
    `${requestedInWords(requestedAt, requestedBy)}`,
    ...steps.map((step) => stepInWords(state, step)),
    ...commands.slice(-5).map(({ kind, step, by, at }) => `${kind} at ${step}, ${requestedInWords(at, by)}`),
    ...leftBehind.map(
      ({ part, uid, state: stood }) => `left behind: ${WORKFLOW_ID[part](uid)}, ${stood ?? 'not read yet'}`,
    ),
  ];
}

function stepInWords(state: State, step: Step): string {
  const { part, uid, reading } = stepView(state, step);
  const where = uid === undefined ? '' : `: ${WORKFLOW_ID[part](uid)}`;
  const stood = reading === undefined ? '' : ` is ${reading.state}`;
  return `${STEPS[step.step].title} – ${step.state.replace('_', ' ')} since ${readable(step.since)}${where}${stood}`;
}
