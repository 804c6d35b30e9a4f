// The times at which an agreement may have changed without a word: each is a reason to ask, and decides nothing
// (docs/architecture.md#facts-and-state). Pure.
import { PAYER_DECISION_MS, isAnswered, isFinal } from './lifecycle.js';
import { endOfSydneyDay } from '../time/sydney.js';
import { isUnderWay } from './action.js';
import type { Action, ActionCommand } from './action.js';
import type { AgreementLifecycleState } from './lifecycle.js';
import type { Instant } from '../facts/fact.js';
import type { Mandate } from './mandate.js';

export const DEADLINE_NAMES = [
  'payer_decision', // five days from when the payer was asked (docs/provider.md#limits)
  'resolution', // `resolution_requested_before`: informational, or the provider cancels then (docs/provider.md#agreements-creation)
  'amendment_decision', // five days from when the amendment was proposed (docs/provider.md#amendments)
  'amendment_resolution', // the amendment's own `resolution_requested_before`
  'validity_end', // the last moment of `validity_end_date` in Sydney
] as const;
export type DeadlineName = (typeof DEADLINE_NAMES)[number];

export interface Deadline {
  name: DeadlineName;
  at: Instant;
}

/** What the deadlines of an agreement hang on. */
export interface Timed {
  state: AgreementLifecycleState;
  /** When the payer was asked. */
  requestedAt: Instant;
  mandate: Mandate | undefined;
  actions: readonly Action[];
}

/** Every deadline of an agreement that stands so, passed ones included; earliest first. */
export function deadlinesOf({ state, requestedAt: requestedAt, mandate, actions }: Timed): Deadline[] {
  if (isFinal(state)) return [];
  const status = isAnswered(state)
    ? [validityEnd(mandate?.validity_end_date)]
    : decision(fiveDaysAfter('payer_decision', requestedAt), mandate?.resolution_requested_before);
  const amendment = actions.find((action) => action.command.kind === 'amendment' && isUnderWay(action));
  const amending =
    amendment === undefined
      ? []
      : [
          fiveDaysAfter('amendment_decision', amendment.acceptedAt ?? amendment.requestedAt),
          given('amendment_resolution', requestedIn(amendment.command)),
        ];
  return [...status, ...amending]
    .filter((deadline) => deadline !== undefined)
    .sort((a, b) => (a.at < b.at ? -1 : 1));
}

const requestedIn = (command: ActionCommand): Instant | undefined =>
  command.kind === 'amendment' ? command.body.resolution_requested_before : undefined;

/** The provider's own default for the time requested is the payer's five days, which need not be named twice. */
function decision(due: Deadline, requested: Instant | null | undefined): (Deadline | undefined)[] {
  const resolution = given('resolution', requested);
  return resolution !== undefined && resolution.at < due.at ? [resolution, due] : [due];
}

const fiveDaysAfter = (name: DeadlineName, start: Instant): Deadline => ({
  name,
  at: new Date(Date.parse(start) + PAYER_DECISION_MS).toISOString(),
});

/** The provider's instants vary in form; what is none is no deadline. */
function given(name: DeadlineName, at: string | null | undefined): Deadline | undefined {
  const ms = Date.parse(at ?? '');
  return Number.isNaN(ms) ? undefined : { name, at: new Date(ms).toISOString() };
}

function validityEnd(day: string | null | undefined): Deadline | undefined {
  const at = endOfSydneyDay(day ?? '');
  return at === undefined ? undefined : { name: 'validity_end', at };
}

/** One deadline for ever: moved by an amendment, it is another one. */
export const deadlineId = ({ name, at }: Deadline): string => `${name}@${at}`;

/** What each deadline is and what its passing leads to; docs/agreement.md is drawn from it. */
export interface DeadlineRow {
  is: string;
  when: string;
  /** What the flag `overdue` says where the payer is late then, and the provider is asked more often; absent where no one decides. */
  late?: string;
  /** What may have happened by then without an event that reached us. */
  asks: string;
}

export const DEADLINES: Readonly<Record<DeadlineName, DeadlineRow>> = {
  payer_decision: {
    is: "the payer's decision",
    when: 'five days after the payer was asked',
    late: 'The payer has not answered in five days, and the provider has not said that the agreement expired.',
    asks: 'whether the payer has answered, or the provider let it expire',
  },
  resolution: {
    is: '`resolution_requested_before`',
    when: "at that time, where it comes before the payer's five days are over",
    asks:
      'with `cancel_if_unresolved`, whether the provider has cancelled; without it the time is for information, the payer ' +
      'may answer later, and the agreement waits on',
  },
  amendment_decision: {
    is: "the payer's decision on an amendment",
    when: 'five days after the provider took the amendment',
    late: 'The payer has not answered an amendment in five days, and the provider has not said that it expired.',
    asks: 'whether the payer has answered, or the provider let the amendment expire',
  },
  amendment_resolution: {
    is: "an amendment's own `resolution_requested_before`",
    when: 'at that time',
    asks: 'whether the payer has answered; it is for information, and the amendment waits on',
  },
  validity_end: {
    is: 'the end of validity',
    when: 'the last millisecond of `validity_end_date` in Sydney',
    asks: 'how it stands; the provider documents no change of state, and payments are refused from then on',
  },
};
