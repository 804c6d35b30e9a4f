// Times at which an agreement may have changed without an event. Each triggers a look-up, and decides nothing
// (docs/architecture.md#facts-and-state). Pure.
import { PAYER_DECISION_MS, isAnswered, isFinal, type AgreementLifecycleState } from './lifecycle.js';
import { endOfSydneyDay } from '../time/sydney.js';
import { isUnderWay, type Action, type ActionCommand } from './action.js';
import type { Instant } from '../facts/fact.js';
import type { Mandate } from './mandate.js';

export type DeadlineName =
  | 'payer_decision' // Five days after the payer was asked (docs/provider.md#limits).
  | 'resolution' // `resolution_requested_before`: for information, unless the provider cancels then (docs/provider.md#agreements-creation).
  | 'amendment_decision' // Five days after the provider accepted the amendment (docs/provider.md#amendments).
  | 'amendment_resolution' // The amendment's own `resolution_requested_before`.
  | 'validity_end'; // The last moment of `validity_end_date` in Sydney.

export interface Deadline {
  name: DeadlineName;
  at: Instant;
}

/** What determines the deadlines of an agreement. */
export interface Timed {
  state: AgreementLifecycleState;
  /** When the payer was asked. */
  requestedAt: Instant;
  mandate: Mandate | undefined;
  actions: readonly Action[];
}

/** All current deadlines of an agreement, including passed ones, earliest first. */
export function deadlinesOf({ state, requestedAt, mandate, actions }: Timed): Deadline[] {
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

/** The provider's default for `resolution_requested_before` is the end of the payer's five days. That deadline is not listed twice. */
function decision(due: Deadline, requested: Instant | null | undefined): (Deadline | undefined)[] {
  const resolution = given('resolution', requested);
  return resolution !== undefined && resolution.at < due.at ? [resolution, due] : [due];
}

const fiveDaysAfter = (name: DeadlineName, start: Instant): Deadline => ({
  name,
  at: new Date(Date.parse(start) + PAYER_DECISION_MS).toISOString(),
});

/** The provider's instants vary in format. An unreadable one sets no deadline. */
function given(name: DeadlineName, at: string | null | undefined): Deadline | undefined {
  const ms = Date.parse(at ?? '');
  return Number.isNaN(ms) ? undefined : { name, at: new Date(ms).toISOString() };
}

function validityEnd(day: string | null | undefined): Deadline | undefined {
  const at = endOfSydneyDay(day ?? '');
  return at === undefined ? undefined : { name: 'validity_end', at };
}

/** A deadline that an amendment moves gets another id. */
export const deadlineId = ({ name, at }: Deadline): string => `${name}@${at}`;

/** A deadline and what we check when it passes; docs/agreement.md is drawn from it. */
export interface DeadlineRow {
  is: string;
  when: string;
  /** The detail of the flag `overdue` if the payer has not decided by then; we then poll more often. Absent if this deadline raises no flag. */
  late?: string;
  /** What may have changed by then without an event. */
  asks: string;
}

export const DEADLINES: Readonly<Record<DeadlineName, DeadlineRow>> = {
  payer_decision: {
    is: "the payer's decision",
    when: 'five days after the payer was asked',
    late: 'The payer has not answered within five days, and the provider has not reported that the agreement expired.',
    asks: 'whether the payer has answered, or the agreement has expired',
  },
  resolution: {
    is: '`resolution_requested_before`',
    when: "at that time, if it is within the payer's five days",
    asks:
      'with `cancel_if_unresolved`, whether the provider has cancelled the agreement; without it the time is for ' +
      'information, and the payer may still answer',
  },
  amendment_decision: {
    is: "the payer's decision on an amendment",
    when: 'five days after the provider accepted the amendment',
    late: 'The payer has not answered an amendment within five days, and the provider has not reported that it expired.',
    asks: 'whether the payer has answered, or the amendment has expired',
  },
  amendment_resolution: {
    is: "an amendment's own `resolution_requested_before`",
    when: 'at that time',
    asks: 'whether the payer has answered; the time is for information, and the amendment stays pending',
  },
  validity_end: {
    is: 'the end of validity',
    when: 'the last millisecond of `validity_end_date` in Sydney',
    asks: 'the current state; the provider documents no change of state for this day, and payments are refused from then on',
  },
};
