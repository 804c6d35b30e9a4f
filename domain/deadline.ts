// The times at which an agreement may have changed without a word: each is a reason to ask, and decides nothing
// (design 4, rule 5). Pure.
import { PAYER_DECISION_MS, isAnswered, isFinal } from './agreement.js';
import { endOfSydneyDay } from './sydney.js';
import { isUnderWay } from './action.js';
import type { Action, Ask } from './action.js';
import type { AgreementState } from './agreement.js';
import type { Instant } from './fact.js';
import type { Mandate } from './mandate.js';

export type DeadlineName =
  | 'payer_decision' // five days from when the payer was asked (interface 8)
  | 'resolution' // `resolution_requested_before`: informational, or the provider cancels then (facts 7.1)
  | 'amendment_decision' // five days from when the amendment was proposed (facts 7.5)
  | 'amendment_resolution' // the amendment's own `resolution_requested_before`
  | 'validity_end'; // the last moment of `validity_end_date` in Sydney

export interface Deadline {
  name: DeadlineName;
  at: Instant;
}

/** What the deadlines of an agreement hang on. */
export interface Timed {
  state: AgreementState;
  /** When the payer was asked. */
  askedAt: Instant;
  mandate: Mandate | undefined;
  actions: readonly Action[];
}

/** Every deadline of an agreement that stands so, passed ones included; earliest first. */
export function deadlinesOf({ state, askedAt, mandate, actions }: Timed): Deadline[] {
  if (isFinal(state)) return [];
  const standing = isAnswered(state)
    ? [validityEnd(mandate?.validity_end_date)]
    : decision(fiveDaysAfter('payer_decision', askedAt), mandate?.resolution_requested_before);
  const amendment = actions.find((action) => action.ask.kind === 'amendment' && isUnderWay(action));
  const amending =
    amendment === undefined
      ? []
      : [
          fiveDaysAfter('amendment_decision', amendment.acceptedAt ?? amendment.askedAt),
          given('amendment_resolution', requestedIn(amendment.ask)),
        ];
  return [...standing, ...amending]
    .filter((deadline) => deadline !== undefined)
    .sort((a, b) => (a.at < b.at ? -1 : 1));
}

const requestedIn = (ask: Ask): Instant | undefined =>
  ask.kind === 'amendment' ? ask.body.resolution_requested_before : undefined;

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
