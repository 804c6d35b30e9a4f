// How each step of an agreement is carried out: one call each, and what its answer or its failure means.
// In:  workflows/agreement/workflow.ts. Out: activities/{create,look-up,watch,adopt,act-on}-agreement.ts.
import { CancellationScope, patched, sleep } from '@temporalio/workflow';
import { withAccepted, withActionLook, withActionRefused, withActionUnanswered } from './commands.js';
import { withDeadline } from './deadlines.js';
import { openQuestions, withLook, withOrphanage, withRefusal } from './state.js';
import {
  blockedBy,
  callFailureOf,
  failureFrom,
  isNothingFound,
  refusedToAnswer,
} from '../entity/call-failure.js';
import {
  actOnAgreement,
  adoptAgreement,
  createAgreement,
  lookUpAgreement,
  watchAgreement,
} from '../entity/calls.js';
import { ownerOf } from '../entity/state.js';
import { lookAgainMs } from '../entity/settle.js';
import type { AgreementRecord } from './state.js';
import type { AgreementStep } from './next.js';
import type { CallFailure } from '../entity/call-failure.js';
import type { Deadline } from '../../domain/deadline.js';
import type { AgreementLook } from '../../domain/snapshot.js';
import type { Held } from '../entity/loop.js';
import type { Holds } from '../entity/rules.js';
import type { WatchArgs } from '../../activities/watch-agreement.js';

/** As this run's history has it. */
const holds: Holds = patched;

export async function carryOut(step: AgreementStep, held: Held<AgreementRecord>): Promise<void> {
  try {
    await call(step, held);
  } catch (error) {
    if (isCalledOff()) return;
    const failure = callFailureOf(error);
    held.change((known) => afterFailure(known, step, failure));
  }
}

async function call(step: AgreementStep, held: Held<AgreementRecord>): Promise<void> {
  const { read, change } = held;
  const { uid, mandate = {}, connectionId } = read();
  switch (step.do) {
    case 'create':
      return looked(held, await createAgreement({ ...called(read()), mandate }));
    case 'adopt': {
      const { owner, ...found } = await adoptAgreement({ uid, connectionId });
      change((known) => ({ ...known, connectionId: owner }));
      return looked(held, found);
    }
    case 'look_up': {
      if (step.doubts > 0) await sleep(lookAgainMs(step.doubts), { summary: 'before looking again' });
      const asked = openQuestions(read());
      return looked(held, await lookUpAgreement(called(read())), asked);
    }
    case 'act':
      return act(step.key, held);
    case 'await_payer':
      return watch(held, { ladder: step.ladder, shown: step.known }, step.until);
    case 'await_outcome': {
      const { ladder, known: shown, types, seen, after } = step;
      return watch(held, { ladder, shown, answers: { types, seen, after } }, step.until);
    }
    case 'await_deadline':
      await untilDeadline(step.until);
      return change((known) => withDeadline(known, step.until, now()));
    case 'await_consent':
    case 'rest':
    case 'end':
      return; // idle: reconcile begins none of these
  }
}

const looked = ({ change }: Held<AgreementRecord>, seen: AgreementLook, asked?: readonly string[]): void =>
  change((known) => withLook(known, seen, holds, asked));

async function act(key: string, { read, change }: Held<AgreementRecord>): Promise<void> {
  const action = read().actions.find((known) => known.key === key);
  if (action === undefined) return;
  const asked = openQuestions(read());
  const answer = await actOnAgreement({ ...called(read()), ask: action.ask });
  // Its outcome was told meanwhile, or is looked for in another way.
  if (isCalledOff()) return;
  change((known) => {
    if (answer.outcome === 'accepted') return withAccepted(known, key, now());
    const { code, title, look } = answer;
    return withActionLook(known, key, look, { code, title }, holds, asked);
  });
}

const isCalledOff = (): boolean => CancellationScope.current().consideredCancelled;

/** Whatever comes first: news, or the deadline, when the provider is asked anew and nothing is decided. */
async function watch(
  { read, change }: Held<AgreementRecord>,
  asked: Pick<WatchArgs, 'ladder' | 'shown' | 'answers'>,
  until: Deadline | undefined,
): Promise<void> {
  const looking = () => watchAgreement({ ...called(read()), ...asked });
  const seen = until === undefined ? await looking() : await beforeDeadline(until, looking);
  change((known) => {
    if (seen !== undefined) return withLook(known, seen, holds);
    return until === undefined ? known : withDeadline(known, until, now());
  });
}

function beforeDeadline<T>(until: Deadline, looking: () => Promise<T>): Promise<T | undefined> {
  return CancellationScope.cancellable(async () => {
    const scope = CancellationScope.current();
    const alarm = untilDeadline(until).then(() => undefined);
    try {
      return await Promise.race([looking(), alarm]);
    } finally {
      scope.cancel();
    }
  });
}

const TIMERS: Readonly<Record<Deadline['name'], string>> = {
  payer_decision: "the payer's five days",
  resolution: 'the time by which an answer was requested',
  amendment_decision: "the payer's five days for the amendment",
  amendment_resolution: 'the time by which an answer to the amendment was requested',
  validity_end: 'the last day of validity, in Sydney',
};

const untilDeadline = ({ name, at }: Deadline): Promise<void> =>
  sleep(Math.max(Date.parse(at) - Date.now(), 1), { summary: TIMERS[name] });

function afterFailure(record: AgreementRecord, step: AgreementStep, failure: CallFailure): AgreementRecord {
  const blocked = blockedBy(failure, now(), record.connectionId);
  if (blocked !== undefined) {
    // An attempt before this one may have gone through without a word: that is looked at once there is consent.
    const isSent = step.do === 'act' && holds('commands-before-looks');
    return { ...(isSent ? withActionUnanswered(record, step.key) : record), blocked };
  }
  const { code, title } = failureFrom(failure);
  switch (step.do) {
    // A day in which nobody could be asked says nothing: the next one is asked again.
    case 'adopt':
      return isNothingFound(failure) ? withOrphanage(record, now()) : { ...record };
    case 'create':
      return withRefusal(record, now(), { code, title });
    case 'act':
      if (failure.isTimedOut === true) return withActionUnanswered(record, step.key);
      return withActionRefused(record, step.key, now(), { code, title });
    default:
      return { ...record, blocked: refusedToAnswer(failure, now()) };
  }
}

const now = (): string => new Date().toISOString();
const called = (record: AgreementRecord) => ({ uid: record.uid, connectionId: ownerOf(record) });
