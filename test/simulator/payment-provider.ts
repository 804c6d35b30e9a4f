import { waitMs } from '../../domain/time/poll-intervals.js';
import { showsTheSame, type PaymentSnapshot } from '../../domain/payment/lifecycle.js';
import { errorRow } from '../../payments-api/error-table.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { PaymentOrder } from '../../domain/agreement/mandate.js';
import type { Fetched } from '../../domain/facts/snapshot.js';
import type { Answers, Attempt, Call } from '../support/virtual-runtime.js';
import type { Agenda } from '../support/agenda.js';
import type { PaymentHabits } from './provider-interface.js';
import type { Answer, Line } from './wire.js';

export type Answered = '201' | 'ZPPAY00' | 'ZPPAY01' | 'ZPPAY03' | 'ZPPAY17' | 'ZPPRY00' | 'ZPUNP00';

export interface PaymentProvider {
  submit: () => Answered;
  retry: () => Answered;
  reverse: () => void;
  shown: (lagMs?: number) => string | undefined;
  /** When it received the latest attempt; undefined if that has failed. */
  takenAtMs: () => number | undefined;
}

type Habits = Omit<PaymentHabits, 'ends'> & { ends: string };

export function createPaymentProvider(
  agenda: Agenda,
  habits: Habits,
  publish: (type: string) => void,
): PaymentProvider {
  const states: { atMs: number; state: string }[] = [];
  let retries = 0;
  const enter = (state: string): void => void states.push({ atMs: agenda.nowMs(), state });
  const commit = (ends: string): void => {
    enter('created');
    [...habits.by, ends].forEach((state, index) => {
      agenda.after(habits.stepMs * (index + 1), () => {
        enter(state);
        publish(state);
      });
    });
  };
  return {
    submit: () => {
      const isThere = states.length > 0;
      if (habits.others + (isThere ? 1 : 0) >= habits.limit) return 'ZPPAY17';
      if (isThere) return 'ZPPAY00';
      if (habits.refuses) return 'ZPUNP00';
      commit(habits.ends);
      return '201';
    },
    retry: () => {
      if (states.at(-1)?.state !== 'failed') return 'ZPPRY00';
      commit(habits.retried?.[retries] ?? habits.retried?.at(-1) ?? 'settled');
      retries += 1;
      return '201';
    },
    reverse: () => {
      enter('failed');
    },
    takenAtMs: () => {
      const isTaken = states.length > 0 && states.at(-1)?.state !== 'failed';
      return isTaken ? states.findLast(({ state }) => state === 'created')?.atMs : undefined;
    },
    shown: (lagMs = 0) => {
      const upToMs = agenda.nowMs() - lagMs;
      return states.findLast(({ atMs }) => atMs <= upToMs)?.state;
    },
  };
}

export interface PaymentCaller {
  network: Line;
  localNow: () => Instant;
  provider: (uid: string) => PaymentProvider;
  orderOf: (uid: string) => PaymentOrder;
}

export function paymentAnswersOf({ network, localNow, provider, orderOf }: PaymentCaller): Answers {
  const fetched = (uid: string, state: string): Fetched<PaymentSnapshot> => ({
    fetchedAt: localNow(),
    snapshot: { uid, state, order: orderOf(uid), ...(state === 'failed' && { failure: RETRYABLE }) },
    history: [],
  });
  const judged = (uid: string, answer: Answered): Attempt<Fetched<PaymentSnapshot>> => {
    if (answer === '201') return { ok: fetched(uid, 'created') };
    return { stop: { code: 'rejected', providerCodes: [answer], means: errorRow(answer)?.means } };
  };
  const read = <R>(uid: string, judge: (got: string | undefined) => Attempt<R>): Call<R> =>
    asking(network, (lagMs) => provider(uid).shown(lagMs), judge);
  const FREE: Attempt<void> = { ok: undefined };
  const NOT_FOUND: Attempt<never> = { again: 'not_found' };
  return {
    submitPayment: ({ uid }) =>
      asking(
        network,
        () => provider(uid).submit(),
        (answer) => judged(uid, answer),
        true,
      ),
    retryPayment: ({ uid }) =>
      asking(
        network,
        () => provider(uid).retry(),
        (answer) => {
          const attempt = judged(uid, answer);
          return 'ok' in attempt ? { ok: 'accepted' as const } : attempt;
        },
        true,
      ),
    reportProgress: () => (done) => {
      done({ ok: [] });
    },
    reportPayment: () => (done) => {
      done(FREE);
    },
    awaitResumption: () => (done) => {
      done(
        network.isStopped()
          ? { again: 'nothing_new', afterMs: (attempt) => waitMs('stop', attempt, 0.5) }
          : FREE,
      );
    },
    findPayment: ({ uid }) => read(uid, (got) => ({ ok: got === undefined ? null : fetched(uid, got) })),
    lookUpPayment: ({ uid }) =>
      read(uid, (got) => (got === undefined ? NOT_FOUND : { ok: fetched(uid, got) })),
    watchPayment: ({ uid, snapshotState, snapshotStateUntil, pollIntervals }) =>
      read(uid, (got) =>
        got === undefined ||
        (showsTheSame(got, snapshotState) &&
          !(snapshotStateUntil !== undefined && localNow() >= snapshotStateUntil))
          ? { again: 'nothing_new', afterMs: (attempt) => waitMs(pollIntervals, attempt, 0.5) }
          : { ok: fetched(uid, got) },
      ),
    adoptPayment: ({ uid, connectionId = 'acme' }) =>
      read(uid, (got) =>
        got === undefined
          ? { again: 'nothing_new', afterMs: (attempt) => waitMs('adoption', attempt, 0.5) }
          : { ok: { ...fetched(uid, got), owner: connectionId } },
      ),
  };
}

const RETRYABLE = { code: 'AM04', retryable: true };

export const asking =
  <T, R>(
    network: Line,
    act: (lagMs: number) => T,
    judge: (got: T) => Attempt<R>,
    isCommand = false,
  ): Call<R> =>
  (done) => {
    const answered = (answer: Answer<T>): void => {
      if (answer === 'lost') done({ again: 'unavailable' });
      else if ('failed' in answer) done(answer.failed);
      else done(judge(answer.got));
    };
    network.request(act, answered, isCommand);
  };
