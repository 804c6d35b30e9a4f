// How each step of an agreement is carried out: one call each, and what its answer or its failure means.
// In:  workflows/agreement.ts. Out: activities/{create,look-up,watch,adopt,act-on}-agreement.ts.
import { CancellationScope, patched, sleep } from '@temporalio/workflow';
import { withAccepted, withActionLook, withActionRefused } from './agreement-actions.js';
import { withDeadline } from './agreement-deadlines.js';
import { withLook, withOrphanage, withRefusal } from './agreement-record.js';
import { blockedBy, callFailureOf, failureFrom, isNothingFound, refusedToAnswer } from './call-failure.js';
import { actOnAgreement, adoptAgreement, createAgreement, lookUpAgreement, watchAgreement } from './calls.js';
import { ownerOf } from './record.js';
import { lookAgainMs } from './settle.js';
import type { AgreementRecord } from './agreement-record.js';
import type { AgreementStep } from './agreement-step.js';
import type { CallFailure } from './call-failure.js';
import type { Deadline } from '../domain/deadline.js';
import type { Held } from './reconcile.js';
import type { WatchArgs } from '../activities/watch-agreement.js';

export async function carryOut(step: AgreementStep, held: Held<AgreementRecord>): Promise<void> {
  try {
    await call(step, held);
  } catch (error) {
    const failure = callFailureOf(error);
    held.change((known) => afterFailure(known, step, failure));
  }
}

async function call(step: AgreementStep, held: Held<AgreementRecord>): Promise<void> {
  const { read, change } = held;
  const { uid, mandate = {}, connectionId } = read();
  switch (step.do) {
    case 'create': {
      const made = await createAgreement({ ...called(read()), mandate });
      return change((known) => withLook(known, made));
    }
    case 'adopt': {
      const { owner, ...found } = await adoptAgreement({ uid, connectionId });
      return change((known) => withLook({ ...known, connectionId: owner }, found));
    }
    case 'look_up': {
      if (step.doubts > 0) await sleep(lookAgainMs(step.doubts), { summary: 'before looking again' });
      const seen = await lookUpAgreement(called(read()));
      return change((known) => withLook(known, seen));
    }
    case 'act':
      return act(step.key, held);
    case 'await_payer':
      return watch(held, { ladder: step.ladder, shown: step.known }, step.until);
    case 'await_outcome': {
      const { ladder, known: shown, types, seen } = step;
      return watch(held, { ladder, shown, answers: { types, seen } }, step.until);
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

async function act(key: string, { read, change }: Held<AgreementRecord>): Promise<void> {
  const action = read().actions.find((known) => known.key === key);
  if (action === undefined) return;
  const answer = await actOnAgreement({ ...called(read()), ask: action.ask });
  change((known) => {
    if (answer.outcome === 'accepted') return withAccepted(known, key, now());
    const { code, title, look } = answer;
    return withActionLook(known, key, look, { code, title }, () => patched('told-answers'));
  });
}

/** Whatever comes first: news, or the deadline, when the provider is asked anew and nothing is decided. */
async function watch(
  { read, change }: Held<AgreementRecord>,
  asked: Pick<WatchArgs, 'ladder' | 'shown' | 'answers'>,
  until: Deadline | undefined,
): Promise<void> {
  const looking = () => watchAgreement({ ...called(read()), ...asked });
  const seen = until === undefined ? await looking() : await beforeDeadline(until, looking);
  change((known) => {
    if (seen !== undefined) return withLook(known, seen);
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
  if (blocked !== undefined) return { ...record, blocked };
  const { code, title } = failureFrom(failure);
  switch (step.do) {
    // A day in which nobody could be asked says nothing: the next one is asked again.
    case 'adopt':
      return isNothingFound(failure) ? withOrphanage(record, now()) : { ...record };
    case 'create':
      return withRefusal(record, now(), { code, title });
    case 'act':
      // Nobody knows whether it was taken: how things stand is looked at before it is passed on again.
      if (failure.isTimedOut === true) return { ...record, lookAsked: true };
      return withActionRefused(record, step.key, now(), { code, title });
    default:
      return { ...record, blocked: refusedToAnswer(failure, now()) };
  }
}

const now = (): string => new Date().toISOString();
const called = (record: AgreementRecord) => ({ uid: record.uid, connectionId: ownerOf(record) });
