// What an onboarding's state asks for: one part at a time is begun, and read until it has passed its steps or is stopped.
import { STEPS as ROWS, mandateOf, personIn, wordOf } from '../../domain/onboarding/steps.js';
import { rule } from '../entity/engine/step.js';
import { onboardingWorkflowId } from '../entity/signals.js';
import { accountsOf, currentStep, isOver, withReading } from './state.js';
import { published } from './view.js';
import type { OnboardArgs } from '../../activities/onboard.js';
import type { PartRequest } from '../../activities/onboard/request.js';
import type { OnboardingStep, PartName, Reading } from '../../domain/onboarding/steps.js';
import type { AwaitingWhat } from '../../domain/attention/awaiting.js';
import type { EntityDefinition } from '../entity/engine/reconcile.js';
import type { StepRule, StepRules } from '../entity/engine/step.js';
import type { State } from './state.js';

interface Reads {
  uid: string;
  /** What is known of it: all else is news. */
  wordRead?: string | undefined;
  /** Each report is a reason to look anew. */
  heard: number;
}

export type Step =
  | ({ do: OnboardingStep; part: PartName } & Reads)
  | ({ do: 'await_operator' | 'await_merchant'; part: PartName } & Reads)
  | { do: 'await_command' };

/** Where a person has to act on the resource, that is what is awaited. */
const FOR: Readonly<Record<string, 'await_operator' | 'await_merchant'>> = {
  operator: 'await_operator',
  merchant: 'await_merchant',
};

function desiredSteps(state: State): Step[] {
  const current = isOver(state) ? undefined : currentStep(state);
  if (current === undefined) return [];
  if (current.state === 'stopped') return [{ do: 'await_command' }];
  const { part } = ROWS[current.step];
  const reading = state.readings[part];
  const person = reading === undefined ? undefined : personIn(reading);
  const wordRead = reading === undefined ? undefined : wordOf(reading);
  const { [part]: { uid } = {} } = state.parts;
  if (uid === undefined) throw new Error(`expected onboarding ${state.id} to have a ${part}`);
  return [{ do: FOR[person ?? ''] ?? current.step, part, uid, wordRead, heard: state.heard }];
}

/** What is asked of the activity: the whole of the part, so that it can be begun. */
function partOf(state: State, part: PartName): PartRequest {
  const { parts, readings, connectionId, requestedBy } = state;
  const { client, counterparty, agreement, payment } = parts;
  if (part === 'client' && client !== undefined)
    return { part, uid: client.uid, input: client.order && { ...client, order: client.order, connectionId } };
  if (part === 'counterparty' && counterparty !== undefined) {
    const { isRequired: _, ...asked } = counterparty;
    return { part, uid: asked.uid, input: { ...asked, connectionId, requestedBy } };
  }
  if (part === 'agreement') {
    const before = { clientId: readings.client?.clientId, accounts: accountsOf(state) };
    const { uid, payer } = agreement;
    const mandate = mandateOf(agreement, before);
    return { part, uid, input: { uid, connectionId, mandate, payer, requestedBy } };
  }
  if (payment === undefined) throw new Error(`expected onboarding ${state.id} to have a ${part}`);
  const { uid, order, handling } = payment;
  const request = { uid, order: { agreement_uid: agreement.uid, ...order }, handling, by: requestedBy };
  return { part: 'payment', uid, request };
}

const reads = (awaiting: AwaitingWhat): StepRule<State, Extract<Step, Reads>> =>
  rule<State, Extract<Step, Reads>, Reading>({
    lane: 'learn',
    awaiting,
    run: ({ part, wordRead }, read, { call }) => {
      const state = read();
      const asked: OnboardArgs = {
        connectionId: state.connectionId,
        workflowId: onboardingWorkflowId(state.id),
        step: currentStep(state)?.step ?? 'client',
        wordRead,
        requested: partOf(state, part),
      };
      return call.onboard(asked);
    },
    done: (state, reading, { step: { part }, now }) => withReading(state, part, reading, now),
    // Asked at once again it would fail as it did.
    failed: (state, { code }, { step: { part }, now }) =>
      withReading(state, part, { state: 'unread', failure: { code } }, now),
  });

export const STEPS: StepRules<State, Step> = {
  client: reads(ROWS.client.awaiting),
  client_service: reads(ROWS.client_service.awaiting),
  counterparty: reads(ROWS.counterparty.awaiting),
  agreement: reads(ROWS.agreement.awaiting),
  payer_decision: reads(ROWS.payer_decision.awaiting),
  first_payment: reads(ROWS.first_payment.awaiting),
  await_operator: reads('operator'),
  await_merchant: reads('reauthorisation'),
  await_command: { lane: 'command', awaiting: 'operator' },
};

export const ONBOARDING: EntityDefinition<State, Step> = {
  rules: STEPS,
  desiredSteps,
  isOver,
  publish: published,
};
