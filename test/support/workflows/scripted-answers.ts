// The calls of stories in virtual time, answered by the activities that a test scripts: at once, or when the test lets them.
import { ActivityFailure, ApplicationFailure, RetryState, defaultPayloadConverter } from '@temporalio/common';
import { CALL_OPTIONS } from '../../../workflows/entity/calls.js';
import { callFailureOf } from '../../../workflows/entity/failure.js';
import { msOf } from '../virtual-runtime.js';
import type { Activities } from '../../../activities/index.js';
import type { Instant } from '../../../domain/fact.js';
import type { Answers, Attempt, Call } from '../virtual-runtime.js';

/** What Temporal makes of it on its way. */
export const overJson = <T>(value: T): T =>
  defaultPayloadConverter.fromPayload(defaultPayloadConverter.toPayload(value));

/** @param calls every attempt of an activity, by name: noted here. */
export function answersOf(activities: Activities, now: () => Instant, calls: string[]): Answers {
  const via =
    <A, R>(name: keyof Activities, activity: (args: A) => Promise<R>) =>
    (args: A): Call<R> =>
    (done) => {
      calls.push(name);
      const fetchedAt = now();
      activity(overJson(args)).then(
        (answer) => {
          done({ ok: overJson(fetchedThen(answer, fetchedAt)) });
        },
        (error: unknown) => {
          done(attemptOf(name, error));
        },
      );
    };
  return {
    adoptAgreement: via('adoptAgreement', activities.adoptAgreement),
    adoptPayment: via('adoptPayment', activities.adoptPayment),
    adoptRefund: via('adoptRefund', activities.adoptRefund),
    awaitLifting: via('awaitLifting', activities.awaitLifting),
    beginRows: via('beginRows', activities.beginRows),
    changeClient: via('changeClient', activities.changeClient),
    createAgreement: via('createAgreement', activities.createAgreement),
    createClient: via('createClient', activities.createClient),
    createCounterparty: via('createCounterparty', activities.createCounterparty),
    verifyAccount: via('verifyAccount', activities.verifyAccount),
    ensureSweep: via('ensureSweep', activities.ensureSweep),
    exchangeCode: via('exchangeCode', activities.exchangeCode),
    findAgreement: via('findAgreement', activities.findAgreement),
    findClient: via('findClient', activities.findClient),
    findPayment: via('findPayment', activities.findPayment),
    findRefund: via('findRefund', activities.findRefund),
    lookUpAgreement: via('lookUpAgreement', activities.lookUpAgreement),
    lookUpClient: via('lookUpClient', activities.lookUpClient),
    lookUpPayment: via('lookUpPayment', activities.lookUpPayment),
    lookUpRefund: via('lookUpRefund', activities.lookUpRefund),
    onboard: via('onboard', activities.onboard),
    reportRefund: via('reportRefund', activities.reportRefund),
    refreshTokens: via('refreshTokens', activities.refreshTokens),
    retryPayment: via('retryPayment', activities.retryPayment),
    resumeBlocked: via('resumeBlocked', activities.resumeBlocked),
    sendCommand: via('sendCommand', activities.sendCommand),
    submitPayment: via('submitPayment', activities.submitPayment),
    submitRefund: via('submitRefund', activities.submitRefund),
    watchAgreement: via('watchAgreement', activities.watchAgreement),
    watchClient: via('watchClient', activities.watchClient),
    watchPayment: via('watchPayment', activities.watchPayment),
    watchRefund: via('watchRefund', activities.watchRefund),
    watchRows: via('watchRows', activities.watchRows),
  };
}

/** A snapshot that a script gave bears the real time; it is as old as its request. */
const fetchedThen = <R>(answer: R, fetchedAt: Instant): R =>
  typeof answer === 'object' && answer !== null && 'fetchedAt' in answer ? { ...answer, fetchedAt } : answer;

function attemptOf(name: keyof Activities, error: unknown): Attempt<never> {
  const cause = error instanceof Error ? error : new Error(String(error));
  const isFinal = cause instanceof ApplicationFailure && cause.nonRetryable === true;
  const evidence = callFailureOf(
    new ActivityFailure('', name, '1', RetryState.NON_RETRYABLE_FAILURE, '', cause),
  );
  if (isFinal || CALL_OPTIONS[name].retry?.maximumAttempts === 1) return { stop: evidence };
  if (!(cause instanceof ApplicationFailure)) return { again: 'Error' };
  const { type, nextRetryDelay } = cause;
  const pauseMs = typeof nextRetryDelay === 'number' ? nextRetryDelay : msOf(nextRetryDelay ?? '');
  return { again: type ?? 'Error', evidence, ...(!Number.isNaN(pauseMs) && { afterMs: () => pauseMs }) };
}
