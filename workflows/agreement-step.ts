// What an agreement's record asks for next. The workflow makes it so; nothing else decides. Pure.
import { AGREEMENT_EVENTS, agreementEvent } from '../domain/agreement-events.js';
import { AGREEMENT_LIFE, isAnswered, isFinal } from '../domain/agreement.js';
import { deadlineId, deadlinesOf } from '../domain/deadline.js';
import { stateOf } from './agreement-record.js';
import { inOrder } from '../domain/fact.js';
import { unexamined } from './record.js';
import type { Action } from '../domain/action.js';
import type { AgreementRecord } from './agreement-record.js';
import type { Deadline } from '../domain/deadline.js';
import type { LadderName } from '../domain/ladder.js';

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

export function nextStep(record: AgreementRecord): AgreementStep {
  if (record.stage === 'unknown') return { do: 'end' };
  // An event for an agreement that nobody here knows, or that is over, is looked at before it is believed.
  if (record.stage === 'adopting') return { do: record.blocked === undefined ? 'adopt' : 'await_consent' };
  if (isOver(record) && !record.lookAsked) return { do: 'end' };
  if (record.blocked !== undefined) return { do: 'await_consent' };
  if (record.stage === 'creating') return { do: 'create' };
  if (!isSettled(record) || record.lookAsked) return { do: 'look_up', doubts: record.doubts };
  const toSend = record.actions.find(({ stage }) => stage === 'asked');
  if (toSend !== undefined) return { do: 'act', key: toSend.key };
  return waitOf(record);
}

/** What there is to wait for, when nothing is left to do. */
function waitOf(record: AgreementRecord): AgreementStep {
  const state = stateOf(record);
  const until = nextDeadline(record);
  const known = record.shown ?? state;
  const upTo = until === undefined ? {} : { until };
  const awaited = record.actions.filter(({ stage }) => stage === 'accepted');
  if (awaited.length > 0) {
    const ladder = awaited.every(isForThePayer) ? decisionLadder(record) : 'action';
    return { do: 'await_outcome', ladder, known, ...answersTo(record, awaited), ...upTo };
  }
  if (!isAnswered(state)) return { do: 'await_payer', ladder: decisionLadder(record), known, ...upTo };
  return until === undefined ? { do: 'rest' } : { do: 'await_deadline', until };
}

const decisionLadder = ({ overdue }: AgreementRecord): LadderName => (overdue ? 'overdue' : 'payer_decision');

/** Of all that we ask, only an amendment waits for a person. */
export const isForThePayer = ({ ask }: Action): boolean => ask.kind === 'amendment';

/** The events that would answer these actions, and all that is known already: what is not named is news to the watch. */
function answersTo(
  { facts, olderIds }: AgreementRecord,
  actions: readonly Action[],
): { types: string[]; seen: string[] } {
  const kinds = actions.map(({ ask }) => ask.kind);
  const types = Object.keys(AGREEMENT_EVENTS).filter((type) =>
    agreementEvent(type)?.answers?.some(({ action }) => kinds.includes(action)),
  );
  const known = inOrder(facts).filter(({ type }) => types.includes(type));
  return { types, seen: [...olderIds, ...known.map(({ id }) => id)] };
}

/** The next time at which to ask. */
export function nextDeadline(record: AgreementRecord): Deadline | undefined {
  const { actions, mandate, passed, startedAt } = record;
  const askedAt = record.askedAt ?? startedAt;
  const deadlines = deadlinesOf({ state: stateOf(record), askedAt, mandate, actions });
  return deadlines.find((deadline) => !passed.includes(deadlineId(deadline)));
}
