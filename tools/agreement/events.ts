// The diagram of agreement states, the provider's events, and local facts.
import {
  AGREEMENT_EVENTS,
  agreementEvent,
  type AgreementEvent,
  type AgreementLifecycleState,
} from '../../domain/agreement/events.js';
import { AGREEMENT_LIFECYCLE, isFinal } from '../../domain/agreement/lifecycle.js';
import { isState } from '../../domain/facts/fold.js';
import { LOCAL_FACTS, type LocalFact } from '../../domain/agreement/local-facts.js';
import { code, table } from '../drawn-page.js';

const FIRST: AgreementLifecycleState = 'pending';
const STATES = Object.keys(AGREEMENT_LIFECYCLE.moves).filter((state) => isState(AGREEMENT_LIFECYCLE, state));

export const EVENTS: readonly (Partial<AgreementEvent> & { type: string })[] = Object.keys(
  AGREEMENT_EVENTS,
).map((type) => ({ type, ...agreementEvent(type) }));

/** States without an event. Only a look-up of the agreement shows them. */
export const SILENT_STATES = STATES.filter(
  (state) => state !== FIRST && !EVENTS.some(({ moves }) => moves?.to === state),
);

export function diagram(): string {
  const moves = EVENTS.flatMap(({ type, moves: to }) =>
    (to?.from ?? []).map((from) => `  ${from} --> ${to?.to}: ${type}`),
  );
  const ends = STATES.filter(isFinal).map((state) => `  ${state} --> [*]`);
  const silent = SILENT_STATES.map((state) => `  ${FIRST} --> ${state}: no event; only a look-up shows it`);
  return ['```mermaid', 'stateDiagram-v2', `  [*] --> ${FIRST}`, ...silent, ...moves, ...ends, '```'].join(
    '\n',
  );
}

function moved(event: Partial<AgreementEvent>): string {
  if (event.moves !== undefined) return `${event.moves.from.join(', ')} → ${event.moves.to}`;
  return event.needsLookUp ? 'nothing; a look-up shows the change' : 'nothing';
}

export const events = (): string =>
  table({
    headings: ['event', 'meaning', 'possible causes', 'field of the reason', 'state change', 'answers'],
    rows: EVENTS.map((event) => [
      code(event.type),
      event.says ?? '',
      (event.by ?? []).join(', '),
      event.why === undefined ? '–' : code(event.why),
      moved(event),
      (event.answers ?? []).map(({ action, outcome }) => `${action}: ${outcome}`).join(', '),
    ]),
  });

const OURS: readonly (readonly [string, LocalFact])[] = Object.entries(LOCAL_FACTS);

export const localFacts = (): string =>
  table({
    headings: ['fact', 'meaning', 'source', 'possible causes', 'content', 'state change'],
    rows: OURS.map(([type, { says, source, by, why, moves }]) => [
      code(type),
      says,
      source,
      by.join(', '),
      why,
      moves,
    ]),
  });
