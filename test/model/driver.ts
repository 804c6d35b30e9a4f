// The agreement's workflow without Temporal: the same record, the same decisions (workflows/agreement-*.ts), the same loop
// (workflows/entity/loop.ts), carried out over the model's calls and its virtual time. Handlers remember; one loop decides.
import { agreementEvent } from '../../domain/agreement-events.js';
import { waitMs } from '../../domain/ladder.js';
import { assertAskable, withAccepted, withAction, withActionLook, withActionRefused, withActionUnanswered } from '../../workflows/agreement/commands.js'; // prettier-ignore
import { assertLookable, assertResolvable, withResolution } from '../../workflows/agreement/attention.js';
import { withDeadline } from '../../workflows/agreement/deadlines.js';
import { answered, carriedAgreement, carriedOn, newAgreement, openQuestions, withFact, withLook, withOrphanage, withRefusal } from '../../workflows/agreement/state.js'; // prettier-ignore
import { nextStep } from '../../workflows/agreement/next.js';
import { blockedBy, failureFrom, refusedToAnswer } from '../../workflows/entity/call-failure.js';
import { attentionOf } from '../../workflows/entity/state.js';
import { lookAgainMs } from '../../workflows/entity/settle.js';
import { act, create, look, watch } from './calls.js';
import type { ActionRequest } from '../../domain/action.js';
import type { Deadline } from '../../domain/deadline.js';
import type { Fact } from '../../domain/fact.js';
import type { AttentionCode } from '../../domain/legible.js';
import type { LadderName } from '../../domain/ladder.js';
import type { Mandate } from '../../domain/mandate.js';
import type { AgreementLook } from '../../domain/snapshot.js';
import type { AgreementRecord } from '../../workflows/agreement/state.js';
import type { AgreementStep } from '../../workflows/agreement/next.js';
import type { CallFailure } from '../../workflows/entity/call-failure.js';
import type { Agenda } from './agenda.js';
import type { Attempt, Call, Caller } from './calls.js';

export interface Driver {
  /** Nothing before an agreement is started, by us or by what the provider tells of it. */
  record(): AgreementRecord | undefined;
  isOver(): boolean;
  /** Starts it as a caller does. */
  start(mandate: Mandate): void;
  /** A notification; it starts an agreement that nobody started here, and takes one up again that is over. */
  tell(fact: Fact): void;
  /** The sweep saw a difference; where nobody started it here, it adopts. */
  differs(): void;
  /** @throws what the workflow's validators throw. */
  ask(request: ActionRequest): void;
  lookUpNow(): void;
  resolve(code: AttentionCode): void;
  restored(): void;
  /** The run has grown long: a fresh one takes over as soon as it may. */
  handOver(): void;
}

/** What is seen of it while it runs, by whoever wants to check. */
export interface Watcher {
  changed(before: AgreementRecord | undefined, after: AgreementRecord): void;
  looked(after: AgreementRecord, seen: AgreementLook): void;
  passed(before: AgreementRecord, after: AgreementRecord): void;
  ended(last: AgreementRecord): void;
  /**
   * A command has arrived that had been called off, since its outcome was told before its answer came.
   * @param isOvertaken the next one has been sent.
   */
  straggled(isOvertaken: boolean): void;
}

type By = (known: AgreementRecord) => AgreementRecord;
interface Running {
  key: string;
  step: AgreementStep;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** So long a command is passed on without an answer (workflows/entity/calls.ts). */
const SENDING_MS = 10 * 60 * 1000;
const IDLE: readonly AgreementStep['do'][] = ['await_consent', 'rest', 'end'];

export function createDriver(caller: Caller, agenda: Agenda, watcher: Watcher): Driver {
  const { uid, ourNow } = caller;
  let record: AgreementRecord | undefined;
  let running: Running | undefined;
  let isOver = false;
  let isLong = false;
  /** Whose attempt to pass a command on has not ended. */
  const sending = new Set<Running>();

  const become = (next: AgreementRecord): void => {
    const before = record;
    record = frozen(next);
    if (before !== next) watcher.changed(before, next);
  };
  const begun = (): AgreementRecord => {
    if (record === undefined) throw new Error('expected an agreement that has been started');
    return record;
  };
  const change = (by: By): void => {
    become(by(begun()));
    keepUp();
  };
  /** What was sent is not sent again because something else is to be looked at meanwhile, or a fresh run to take over. */
  const isSending = (): boolean => running?.step.do === 'act';
  /** The loop of reconcile.ts: what should be going on goes on, and nothing else. */
  const keepUp = (): void => {
    const step = nextStep(begun());
    const key = JSON.stringify(step);
    isOver = step.do === 'end';
    if (isOver) return end();
    if (isLong && sending.size === 0) return takeUp(carriedAgreement(begun()));
    if (running?.key === key || (isSending() && step.do === 'look_up')) return;
    running = undefined;
    // What was called off has ended before the next command is sent.
    if (IDLE.includes(step.do) || (step.do === 'act' && sending.size > 0)) return;
    running = { key, step };
    carryOut(step, running);
  };

  const end = (): void => {
    running = undefined;
    isLong = false;
    watcher.ended(begun());
    become({ ...answered(begun()), blocked: undefined });
  };

  const carryOut = (step: AgreementStep, mine: Running): void => {
    const isCalledOff = (): boolean => running !== mine;
    const finish = (by: By): void => {
      if (isCalledOff()) return;
      running = undefined;
      change(by);
    };
    const fail = (failure: CallFailure): void => {
      finish((known) => afterFailure(known, step, failure, ourNow()));
    };
    const again = <T>(call: Call<T>, pauseMs: Pause, done: (got: T) => void): void => {
      attempts(call, { agenda, pauseMs, isCalledOff, done, fail });
    };
    const seeing =
      (from: By, asked?: readonly string[]) =>
      (seen: AgreementLook): void => {
        finish((known) => {
          const after = withLook(from(known), seen, undefined, asked);
          watcher.looked(after, seen);
          return after;
        });
      };
    const seen = seeing((known) => known);
    const passing = (until: Deadline) => (): void => {
      finish((known) => {
        const after = withDeadline(known, until, ourNow());
        watcher.passed(known, after);
        return after;
      });
    };
    const atDeadline = (until: Deadline): void => {
      agenda.after(Math.max(Date.parse(until.at) - Date.parse(ourNow()), 1), passing(until));
    };
    const watching = (call: Call<AgreementLook>, ladder: LadderName, until: Deadline | undefined): void => {
      if (until !== undefined) atDeadline(until);
      again(call, watchPause(ladder), seen);
    };
    switch (step.do) {
      case 'create':
        return again(create(caller), backoff, seen);
      case 'adopt':
        agenda.after(DAY_MS, () => { fail({ code: 'nothing_new', providerCodes: [] }); }); // prettier-ignore
        return again(look(caller), watchPause('adoption'), seeing((known) => ({ ...known, connectionId: 'acme' }))); // prettier-ignore
      case 'look_up':
        return agenda.after(lookAgainMs(step.doubts), () => {
          if (!isCalledOff())
            again(
              look(caller),
              backoff,
              seeing((known) => known, openQuestions(begun())),
            );
        });
      case 'act': {
        const { key } = step;
        const asked = begun().actions.find((action) => action.key === key);
        if (asked === undefined) return;
        const open = openQuestions(begun());
        const arrived = (): void => {
          if (isCalledOff()) watcher.straggled(isSending());
        };
        const sent = act(caller, key, asked.ask, arrived);
        const sendingIt: typeof sent = (done) => {
          sending.add(mine);
          sent((attempt) => {
            sending.delete(mine);
            if (!isCalledOff()) done(attempt);
            else if (!isOver) keepUp();
          });
        };
        agenda.after(SENDING_MS, () => { fail({ code: 'unanswered', providerCodes: [], isTimedOut: true }); }); // prettier-ignore
        return again(sendingIt, backoff, (answer) => {
          finish((known) => {
            if (answer.outcome === 'accepted') return withAccepted(known, key, ourNow());
            const after = withActionLook(known, key, answer.look, { code: answer.code }, undefined, open);
            watcher.looked(after, answer.look);
            return after;
          });
        });
      }
      case 'await_payer':
        return watching(watch(caller, { shown: step.known }), step.ladder, step.until);
      case 'await_outcome': {
        const { known: shown, types, seen: known, after } = step;
        return watching(
          watch(caller, { shown, answers: { types, seen: known, after } }),
          step.ladder,
          step.until,
        );
      }
      case 'await_deadline':
        return atDeadline(step.until);
      case 'await_consent':
      case 'rest':
      case 'end':
        return;
    }
  };

  /** A new run that knows what the one before knew, as plain JSON. */
  const takeUp = (carried: AgreementRecord, by: By = (known) => known): void => {
    running = undefined;
    isLong = false;
    become(by(carriedOn(overJson(carried))));
    keepUp();
  };
  const begin = (fresh: AgreementRecord, by: By): void => {
    become(by(fresh));
    keepUp();
  };
  const adopting = (): AgreementRecord => newAgreement({ uid, connectionId: 'acme' }, ourNow());
  /** Signal-with-start (api/temporal/deliver.ts): what ended as unknown has nothing that is worth taking up. */
  const reach = (by: By): void => {
    if (record === undefined || (isOver && record.stage === 'unknown')) begin(adopting(), by);
    else if (isOver) takeUp(record, by);
    else change(by);
  };
  const withLookAsked: By = (known) => ({ ...known, lookAsked: true });
  return {
    record: () => record,
    isOver: () => isOver,
    start: (mandate) => { begin(newAgreement({ uid, connectionId: 'acme', mandate }, ourNow()), (fresh) => fresh); },
    tell: (fact) => { reach((known) => told(known, fact)); },
    differs: () => { reach(withLookAsked); },
    ask: (request) => {
      assertAskable(begun(), request);
      if (begun().actions.some(({ key }) => key === request.key)) return;
      change((known) => withAction(known, request, ourNow()));
    },
    lookUpNow: () => { assertLookable(begun()); change(withLookAsked); },
    resolve: (code) => {
      const by = { code, reason: 'seen to', by: 'ops' };
      assertResolvable(begun(), by);
      change((known) => withResolution(known, by, ourNow()));
    },
    restored: () => { change((known) => ({ ...known, blocked: undefined })); },
    handOver: () => { isLong = true; keepUp(); },
  }; // prettier-ignore
}

/** As workflows/agreement/workflow.ts takes in a fact: what moves an agreement makes the last look at it old. */
function told(record: AgreementRecord, fact: Fact): AgreementRecord {
  const known = withFact(record, fact);
  const isMoving = known !== record && agreementEvent(fact.type)?.moves !== undefined;
  return isMoving ? { ...known, shown: undefined } : known;
}

export const flagsOf = (record: AgreementRecord): AttentionCode[] =>
  attentionOf(record).map(({ code }) => code);

/** As workflows/agreement/steps.ts judges a call that failed for good. */
function afterFailure(
  record: AgreementRecord,
  step: AgreementStep,
  failure: CallFailure,
  now: string,
): AgreementRecord {
  const blocked = blockedBy(failure, now, record.connectionId);
  if (blocked !== undefined)
    return { ...(step.do === 'act' ? withActionUnanswered(record, step.key) : record), blocked };
  const { code, title } = failureFrom(failure);
  if (step.do === 'adopt') return failure.code === 'nothing_new' ? withOrphanage(record, now) : { ...record };
  if (step.do === 'create') return withRefusal(record, now, { code, title });
  if (step.do === 'act' && failure.isTimedOut === true) return withActionUnanswered(record, step.key);
  if (step.do === 'act') return withActionRefused(record, step.key, now, { code, title });
  return { ...record, blocked: refusedToAnswer(failure, now) };
}

type Pause = (attempt: number, why: 'lost' | 'not_found' | 'nothing_new') => number;

/** As workflows/entity/calls.ts has calls made again: ever more slowly, until someone answers. */
const backoff: Pause = (attempt) => Math.min(1000 * 2 ** (attempt - 1), 600_000);

/** A look that found nothing is made again where its ladder says. */
const watchPause =
  (ladder: LadderName): Pause =>
  (attempt, why) => {
    const isNothing = why === 'nothing_new' || (ladder === 'adoption' && why === 'not_found');
    return isNothing ? waitMs(ladder, attempt, 0.5) : backoff(attempt, why);
  };

interface Making<T> {
  agenda: Agenda;
  pauseMs: Pause;
  isCalledOff: () => boolean;
  done: (got: T) => void;
  fail: (failure: CallFailure) => void;
}

/** One activity with its retries. What is called off is not tried again; what is on its way arrives all the same. */
function attempts<T>(call: Call<T>, making: Making<T>, count = 1): void {
  const { agenda, pauseMs, isCalledOff, done, fail } = making;
  const judge = (attempt: Attempt<T>): void => {
    if (isCalledOff()) return;
    if ('ok' in attempt) return done(attempt.ok);
    if ('stop' in attempt) return fail(attempt.stop);
    agenda.after(pauseMs(count, attempt.again), () => {
      if (!isCalledOff()) attempts(call, making, count + 1);
    });
  };
  call(judge);
}

/** What continue-as-new makes of it: whatever is not plain JSON is lost. */
function overJson(record: AgreementRecord): AgreementRecord {
  const read: unknown = JSON.parse(JSON.stringify(record));
  if (!isRecordOf(record.uid, read)) throw new Error('expected a record to come back from JSON');
  return read;
}

const isRecordOf = (uid: string, value: unknown): value is AgreementRecord =>
  typeof value === 'object' && value !== null && Reflect.get(value, 'uid') === uid;

/** A record that anything which alters it in place breaks on. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  Object.values(value).forEach(frozen);
  return value;
}
