// The pending operations of an agreement: the resulting state, the events that end them, and the polls.
import { ACTIONS } from '../../domain/agreement/action.js';
import { DEADLINES } from '../../domain/agreement/deadline.js';
import { pollIntervalsInWords } from '../../domain/time/poll-intervals.js';
import { WATCHES, type PendingKind, type Watch } from '../../domain/agreement/watches.js';
import { EVENTS, SILENT_STATES } from './events.js';
import { code, codes, table } from '../drawn-page.js';
import type { ActionKind, Answer } from '../../domain/agreement/events.js';

interface Pending {
  kind: PendingKind;
  from: string;
  to: string;
  doneBy: string;
  failedBy: string;
}

/** The creation is not a command: it starts with the agreement, and any answer of the payer proves its success. */
function creation(): Pending {
  const firsts = EVENTS.filter(({ moves }) => moves?.from.includes('pending'));
  const [failures, answers] = [true, false].map((isFailure) =>
    firsts.filter(({ moves }) => (moves?.to === 'failed') === isFailure).map(({ type }) => type),
  );
  return {
    kind: 'creation',
    from: 'its start',
    to: SILENT_STATES.join(', '),
    doneBy: `a look-up that shows it; ${codes(answers ?? [])}`,
    failedBy: codes(failures ?? []),
  };
}

const answersOf = (kind: ActionKind, wanted: Answer['outcome']): string =>
  codes(
    EVENTS.filter(({ answers }) =>
      answers?.some(({ action, outcome }) => action === kind && outcome === wanted),
    ).map(({ type }) => type),
  );

const inWords = (...parts: string[]): string => parts.filter((part) => part !== '').join('; ');

function command(kind: ActionKind): Pending {
  const { from, to } = ACTIONS[kind];
  const hasLookUp = to !== undefined || kind === 'identification';
  return {
    kind,
    from: from.join(', '),
    to: to ?? 'the same state',
    doneBy: inWords(answersOf(kind, 'done'), hasLookUp ? 'a look-up that shows it' : ''),
    failedBy: inWords(answersOf(kind, 'failed'), 'a fact `refused`'),
  };
}

const isCommand = (kind: string): kind is ActionKind => Object.hasOwn(ACTIONS, kind);
const PENDING: readonly Pending[] = [creation(), ...Object.keys(ACTIONS).filter(isCommand).map(command)];

export const pending = (): string =>
  table({
    headings: [
      'pending operation',
      'allowed states',
      'resulting state',
      'done by',
      'failed by',
      'polls',
      'deadlines',
    ],
    rows: PENDING.map(({ kind, from, to, doneBy, failedBy }) => [
      kind,
      from,
      to,
      doneBy,
      failedBy,
      pollsOf(WATCHES[kind]),
      WATCHES[kind].deadlines.map((name) => DEADLINES[name].is).join('; '),
    ]),
  });

const pollsOf = ({ pollIntervals, late }: Watch): string =>
  late === undefined ? code(pollIntervals) : `${code(pollIntervals)}, then ${code(late)}`;

/** The polls in the table, with their intervals. */
export function polls(): string {
  const named = Object.values(WATCHES).flatMap(({ pollIntervals, late }) => [
    pollIntervals,
    ...(late === undefined ? [] : [late]),
  ]);
  return table({
    headings: ['polls', 'intervals'],
    rows: [...new Set(named)].map((name) => [code(name), pollIntervalsInWords(name)]),
  });
}

/** The times at which we poll because the provider may not send an event. */
export const deadlines = (): string =>
  table({
    headings: ['deadline', 'when', 'the worker checks', 'then'],
    rows: Object.values(DEADLINES).map(({ is, when, asks, late }) => [
      is,
      when,
      asks,
      late !== undefined ? `\`overdue\`; polled ${pollIntervalsInWords('overdue')}` : 'nothing more',
    ]),
  });
