// The state of an onboarding, and how reports of its parts change it. Plain JSON and pure.
import {
  STEPS,
  meaningOf,
  stepsOf,
  uidOf,
  type CommandKind,
  type OnboardingStep,
  type PartName,
  type Parts,
  type StepState,
} from '../../domain/onboarding/steps.js';
import { isOtherAccount, mandateOf, personIn, type Reading } from '../../domain/onboarding/reading.js';
import { onboardingWorkflowId } from '../contracts/signals.js';
import type { PartRequest } from '../../activities/onboard/request.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { KeyRegister, KeyUse } from '../../domain/commands/key-use.js';
import type { Attention } from '../../domain/attention/flags.js';
import type { Awaiting } from '../../domain/attention/awaiting.js';
import type { Recorded } from '../engine/recording.js';

export interface OnboardingRequest {
  id: string;
  connectionId: string;
  /** The caller's request without the payer's IP address. A repeat is compared with it. */
  requested: object;
  parts: Parts;
  requestedBy?: string | undefined;
}

/** A started resource that no longer belongs to the onboarding. */
export interface LeftBehind {
  part: PartName;
  uid: string;
  /** The latest known state. */
  state?: string | undefined;
}

/** Its key makes a command idempotent. */
export interface CommandRequest {
  kind: CommandKind;
  reason: string;
  /** The principal that requested it. */
  by: string;
  use: KeyUse;
  /** Only for a correction: the part's new request. */
  parts?: Partial<Parts> | undefined;
}

export interface CommandRecord extends Omit<CommandRequest, 'parts' | 'use'> {
  /** Digest of the caller's key. */
  key: string;
  step: OnboardingStep;
  at: Instant;
}

export interface Step {
  step: OnboardingStep;
  state: StepState;
  since: Instant;
}

export interface OnboardingState extends OnboardingRequest, KeyRegister, Recorded {
  requestedAt: Instant;
  steps: Step[];
  /** The uid under which each part was last started or read. */
  started: Partial<Record<PartName, string>>;
  readings: Partial<Record<PartName, Reading>>;
  commands: CommandRecord[];
  /** The uids of payments that were sent according to a reading. */
  sent: string[];
  leftBehind: LeftBehind[];
  abandonedAt?: Instant | undefined;
  attention: Attention[];
  awaiting: Awaiting;
}

export function newOnboarding(request: OnboardingRequest, now: Instant): OnboardingState {
  const steps = stepsOf(request.parts).map((step): Step => ({ step, state: 'waiting', since: now }));
  const state: OnboardingState = {
    ...request,
    ...{ requestedAt: now, steps, started: {}, readings: {}, commands: [], sent: [], leftBehind: [] },
    ...{ attention: [], awaiting: { what: 'nothing', since: now } },
  };
  return advance(state, now);
}

/** The step that is under way or stopped; undefined once all are done or skipped. */
export const currentStep = ({ steps }: Pick<OnboardingState, 'steps'>): Step | undefined =>
  steps.find(isOpen);

const isOpen = ({ state }: Step): boolean => state !== 'done' && state !== 'skipped';

/** Also of a step that was skipped, or that the onboarding does not have. */
export const isDone = ({ steps }: OnboardingState, name: OnboardingStep): boolean =>
  !steps.some((one) => one.step === name && isOpen(one));

export const isOver = (state: OnboardingState): boolean =>
  state.abandonedAt !== undefined || currentStep(state) === undefined;

/** The part to start or read now; undefined while a report or a command is awaited. */
export function partToStart(state: OnboardingState): PartName | undefined {
  const current = isOver(state) ? undefined : currentStep(state);
  if (current === undefined || current.state === 'stopped') return undefined;
  const { part } = STEPS[current.step];
  return state.started[part] === uidOf(state.parts, part) ? undefined : part;
}

/** The part exists under this uid and sends reports. */
export const markStarted = (state: OnboardingState, part: PartName, uid: string): OnboardingState =>
  uidOf(state.parts, part) === uid ? { ...state, started: { ...state.started, [part]: uid } } : state;

/** Another onboarding registers the same business. This one uses the same client. */
export const replaceClient = (state: OnboardingState, uid: string): OnboardingState => ({
  ...state,
  parts: { ...state.parts, client: { ...state.parts.client, uid, isShared: true } },
});

/** A report of a resource that does not currently belong to the onboarding changes nothing. */
export function applyReading(
  state: OnboardingState,
  part: PartName,
  uid: string,
  reading: Reading,
  now: Instant,
): OnboardingState {
  const isDue = state.steps.some(({ step, state: at }) => STEPS[step].part === part && at !== 'waiting');
  if (!isDue || uidOf(state.parts, part) !== uid) return state;
  const { sent } = state;
  const isSent = part === 'payment' && reading.isSent === true && !sent.includes(uid);
  return advance(
    {
      ...markStarted(state, part, uid),
      readings: { ...state.readings, [part]: reading },
      sent: isSent ? [...sent, uid] : sent,
    },
    now,
  );
}

/** Completes each step whose resource has reached its goal. A resource may complete two steps at once, or continue after a stop. */
export function advance(before: OnboardingState, now: Instant): OnboardingState {
  let state = before;
  for (let current = currentStep(state); current !== undefined; current = currentStep(state)) {
    const { step } = current;
    if (step === 'agreement') state = stopWrongAccount(state);
    const meaning = meaningOf(step, state.readings[STEPS[step].part]);
    state = setStep(state, step, meaning === 'going' ? 'under_way' : meaning, now);
    if (meaning !== 'done') break;
    if (step === 'agreement') state = dropPayer(state);
  }
  return state;
}

export const setStep = (
  state: OnboardingState,
  name: OnboardingStep,
  to: StepState,
  now: Instant,
): OnboardingState => ({
  ...state,
  steps: state.steps.map((one) =>
    one.step === name && one.state !== to ? { step: name, state: to, since: now } : one,
  ),
});

/** The payer's details were needed only until the provider had the agreement. */
function dropPayer(state: OnboardingState): OnboardingState {
  const { agreement, counterparty, ...parts } = state.parts;
  return {
    ...state,
    parts: {
      ...parts,
      agreement: { ...agreement, payer: undefined },
      ...(counterparty && { counterparty: { ...counterparty, payer: undefined } }),
    },
  };
}

/** The counterparty's verified accounts; undefined if there is none or its step was skipped. */
function accountsOf({ steps, readings }: OnboardingState): Reading['accounts'] {
  const isVerified = steps.some(({ step, state }) => step === 'counterparty' && state === 'done');
  return isVerified ? readings.counterparty?.accounts : undefined;
}

/** Stops before the agreement is sent if the debtor's account is not one of the counterparty's. */
function stopWrongAccount(state: OnboardingState): OnboardingState {
  const { agreement } = state.parts;
  const isSent = state.started.agreement === agreement.uid;
  if (isSent || !isOtherAccount(agreement.mandate, accountsOf(state))) return state;
  return { ...state, readings: { ...state.readings, agreement: { state: 'other_account' } } };
}

/** The provider's id of the client that initiates the agreement, if the onboarding names one. */
export function clientIdOf({ parts: { client }, readings }: OnboardingState): string | undefined {
  return client !== undefined && 'clientId' in client ? client.clientId : readings.client?.clientId;
}

/** The request that starts a part. */
export function requestOf(state: OnboardingState, part: PartName): PartRequest {
  const { parts, connectionId, requestedBy } = state;
  const { client, counterparty, agreement, payment } = parts;
  const reportTo = onboardingWorkflowId(state.id);
  if (part === 'client' && client !== undefined && 'uid' in client) {
    const { uid, order, above, isShared } = client;
    return {
      part,
      uid,
      reportTo,
      isShared,
      input: order && { uid, order, above, connectionId, requestedBy, reportTo },
    };
  }
  if (part === 'counterparty' && counterparty !== undefined) {
    const { isRequired: _, ...requested } = counterparty;
    return {
      part,
      uid: requested.uid,
      reportTo,
      input: { ...requested, connectionId, requestedBy, reportTo },
    };
  }
  if (part === 'payment' && payment !== undefined) {
    const { uid, order, handling } = payment;
    const request = { uid, order: { agreement_uid: agreement.uid, ...order }, handling, by: requestedBy };
    return { part, uid, reportTo, request: { ...request, reportTo } };
  }
  const { uid, payer } = agreement;
  const mandate = mandateOf(agreement, { clientId: clientIdOf(state), accounts: accountsOf(state) });
  // A client without a parent has just reported that it may initiate. Any other depends on the clients above it.
  const isClientSure =
    client !== undefined && 'uid' in client && state.readings.client?.parentId === undefined;
  const checksInitiator = !isClientSure && mandate.initiator?.client_id != null;
  return {
    part: 'agreement',
    uid,
    reportTo,
    checksInitiator,
    input: { uid, connectionId, mandate, payer, requestedBy, reportTo },
  };
}

/** Updates the wait for lists. An unchanged wait keeps its start time. */
export function updateAwaiting(state: OnboardingState, now: Instant): OnboardingState {
  const what = awaitedIn(state);
  return what === state.awaiting.what ? state : { ...state, awaiting: { what, since: now } };
}

function awaitedIn(state: OnboardingState): Awaiting['what'] {
  const current = isOver(state) ? undefined : currentStep(state);
  if (current === undefined) return 'nothing';
  if (current.state === 'stopped') return 'operator';
  const { [STEPS[current.step].part]: reading } = state.readings;
  const person = reading && personIn(reading);
  if (person !== undefined) return person === 'merchant' ? 'reauthorisation' : 'operator';
  return STEPS[current.step].awaiting;
}
