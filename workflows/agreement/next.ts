// What an agreement's record asks for next. The workflow makes it so; nothing else decides. Pure.
import { AGREEMENT_EVENTS, agreementEvent } from '../../domain/agreement-events.js';
import { AGREEMENT_LIFE, isAnswered, isFinal } from '../../domain/agreement.js';
import { WATCHES } from '../../domain/watch.js';
import { inOrder, isBeforeSecond } from '../../domain/fact.js';
import { deadlinesIn, isPassed } from './deadlines.js';
import { requestId } from '../../domain/our-ids.js';
import { stateOf } from './state.js';
import { allHold } from '../entity/rules.js';
import { unexamined } from '../entity/state.js';
import type { Action } from '../../domain/action.js';
import type { AgreementRecord } from './state.js';
import type { Deadline } from '../../domain/deadline.js';
import type { Holds } from '../entity/rules.js';
import type { Instant } from '../../domain/fact.js';
import type { LadderName } from '../../domain/ladder.js';

export type AgreementStep =
  | { do: 'create' }
  | { do: 'adopt' }
  | { do: 'look_up'; doubts: number }
  | { do: 'act'; key: string }
  | {
      do: 'await_outcome';
      ladder: LadderName;
      known: string;
      types: string[];
      seen: string[];
      after?: Instant;
      until?: Deadline;
    }
  | { do: 'await_payer'; ladder: LadderName; known: string; until?: Deadline }
  | { do: 'await_consent' }
  | { do: 'await_deadline'; until: Deadline }
  | { do: 'rest' }
  | { do: 'end' };

/** It is over, and nothing that is known says otherwise. */
export const isOver = (record: AgreementRecord): boolean => isFinal(stateOf(record)) && isSettled(record);

const isSettled = (record: AgreementRecord): boolean =>
  unexamined(AGREEMENT_LIFE, record).length === 0 && record.doubts === 0;

export function nextStep(record: AgreementRecord, holds: Holds = allHold): AgreementStep {
  if (record.stage === 'unknown') return { do: 'end' };
  // An event for an agreement that nobody here knows, or that is over, is looked at before it is believed.
  if (record.stage === 'adopting') return { do: record.blocked === undefined ? 'adopt' : 'await_consent' };
  // Where only consent can bring the last look about, it is not waited for: who should give it may be long gone.
  const isLeft = (): boolean => record.blocked !== undefined && holds('ends-without-consent');
  if (isOver(record) && (!record.lookAsked || isLeft())) return { do: 'end' };
  if (record.blocked !== undefined) return { do: 'await_consent' };
  if (record.stage === 'creating') return { do: 'create' };
  const toSend = record.actions.find(({ stage }) => stage === 'asked');
  const isToLook = !isSettled(record) || record.lookAsked;
  // Others may ask for looks without end. Only a call that nobody answered is not made again before one; and what is over, as far
  // as is known, is asked for nothing more.
  const goesFirst = (): boolean =>
    toSend?.ready === true && !isFinal(stateOf(record)) && holds('commands-before-looks');
  if (isToLook && !goesFirst()) return { do: 'look_up', doubts: record.doubts };
  if (toSend !== undefined) return { do: 'act', key: toSend.key };
  return waitOf(record, holds);
}

/** What there is to wait for, when nothing is left to do. */
function waitOf(record: AgreementRecord, holds: Holds): AgreementStep {
  const state = stateOf(record);
  const until = nextDeadline(record);
  const known = record.shown ?? state;
  const upTo = until === undefined ? {} : { until };
  const awaited = record.actions.filter(({ stage }) => stage === 'accepted');
  const ladder = ladderOf(record, awaited);
  if (awaited.length > 0)
    return { do: 'await_outcome', ladder, known, ...answersTo(record, awaited, holds), ...upTo };
  if (!isAnswered(state)) return { do: 'await_payer', ladder, known, ...upTo };
  return until === undefined ? { do: 'rest' } : { do: 'await_deadline', until };
}

/** What is answered soonest sets the pace. */
function ladderOf({ overdue }: AgreementRecord, awaited: readonly Action[]): LadderName {
  const paced = awaited.find((action) => !isForThePayer(action)) ?? awaited[0];
  const { ladder, late = ladder } = WATCHES[paced?.ask.kind ?? 'creation'];
  return overdue ? late : ladder;
}

/** Whether it waits for a person, who may be late. */
export const isForThePayer = ({ ask }: Action): boolean => WATCHES[ask.kind].late !== undefined;

/** What is known may be named in a few words; only beyond that does it matter how. */
const FEW = 10;

/** The events that would answer these actions, and all that is known already: what is not named is news to the watch. */
function answersTo(
  record: AgreementRecord,
  actions: readonly Action[],
  holds: Holds,
): { types: string[]; seen: string[]; after?: Instant } {
  const { facts, forgottenBefore, olderIds } = record;
  const kinds = actions.map(({ ask }) => ask.kind);
  const types = Object.keys(AGREEMENT_EVENTS).filter((type) =>
    agreementEvent(type)?.answers?.some(({ action }) => kinds.includes(action)),
  );
  const known = inOrder(facts).filter(({ type }) => types.includes(type));
  const seen = [...olderIds, ...known.map(({ id }) => id)];
  if (seen.length <= FEW) return { types, seen };
  if (holds('answers-since-asked')) {
    const after = latest(earliest(actions.map((action) => action.after)), forgottenBefore);
    const since = known.filter(
      ({ publishedAt }) => after === undefined || !isBeforeSecond(publishedAt, after),
    );
    const older = isKeptSince(record, actions) ? [] : olderIds;
    return {
      types,
      seen: [...older, ...since.map(({ id }) => id)],
      ...(after === undefined ? {} : { after }),
    };
  }
  if (holds('all-answers-are-seen')) return { types, seen };
  return { types, seen: known.map(({ id }) => id).slice(-FEW) };
}

/** Whether all that came since these were asked for is kept in full: as what was asked for is, which stands before it. */
const isKeptSince = ({ facts, olderIds }: AgreementRecord, actions: readonly Action[]): boolean =>
  olderIds.length === 0 || actions.every(({ key }) => facts.some(({ id }) => id === requestId(key)));

/** What is before all of them; nothing where one is not known. */
const earliest = (instants: readonly (Instant | undefined)[]): Instant | undefined =>
  instants.reduce((a, b) => (a === undefined || b === undefined ? undefined : a < b ? a : b));

const latest = (a: Instant | undefined, b: Instant | undefined): Instant | undefined =>
  a === undefined || (b !== undefined && b > a) ? b : a;

/** The next time at which to ask. */
export function nextDeadline(record: AgreementRecord): Deadline | undefined {
  return deadlinesIn(record, stateOf(record)).find((deadline) => !isPassed(record, deadline));
}
