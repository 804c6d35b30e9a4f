// The calls that stories make, and how each may be retried: reads for ever, a payment's submission once.
import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.js';

const { TRY_CANCEL, WAIT_CANCELLATION_COMPLETED } = ActivityCancellationType;

/** Reads and harmless repeats: again and again, ever more slowly, until someone answers. */
const UNTIL_ANSWERED = {
  startToCloseTimeout: '90s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '10m' },
  cancellationType: TRY_CANCEL,
} as const;

/** One attempt, and no second one that could pay twice or burn a single-use token. */
const ONCE = {
  startToCloseTimeout: '90s',
  retry: { maximumAttempts: 1 },
  cancellationType: TRY_CANCEL,
} as const;

export const { createAgreement } = proxyActivities<Activities>({
  ...UNTIL_ANSWERED,
  summary: 'create at the provider',
});
/**
 * Not without end: while a command is on its way, nothing else of its agreement is asked for. One that is called off is not
 * tried again, and has ended only when the attempt that was under way has.
 */
export const { actOnAgreement } = proxyActivities<Activities>({
  ...UNTIL_ANSWERED,
  cancellationType: WAIT_CANCELLATION_COMPLETED,
  scheduleToCloseTimeout: '10m',
  summary: 'pass a command on to the provider',
});
export const { lookUpAgreement, lookUpPayment, findPayment } = proxyActivities<Activities>({
  ...UNTIL_ANSWERED,
  summary: 'read from the provider',
});
export const { watchAgreement, watchPayment } = proxyActivities<Activities>({
  ...UNTIL_ANSWERED,
  summary: 'ask again and again, in case a notification is lost',
});
/** An agreement or payment that the provider told of is asked for during one day. */
export const { adoptAgreement, adoptPayment } = proxyActivities<Activities>({
  ...UNTIL_ANSWERED,
  scheduleToCloseTimeout: '24h',
  summary: 'find what the provider told of',
});
/** Somebody holds the line: what the provider has decided is passed on at once, and soon that it does not answer. */
export const { readAgreementHistory } = proxyActivities<Activities>({
  startToCloseTimeout: '20s',
  scheduleToCloseTimeout: '20s',
  retry: {
    initialInterval: '1s',
    backoffCoefficient: 2,
    maximumAttempts: 4,
    nonRetryableErrorTypes: ['rejected', 'not_found', 'conflict', 'client_refused'],
  },
  cancellationType: TRY_CANCEL,
  summary: 'read the history that the provider keeps',
});
/**
 * A token call has a minute (design 5.1), its answer's way home included. A worker that dies meanwhile is noticed by its
 * silence. Not in less: taking one that is only slow for dead would spend the same refresh token a second time.
 */
const TOKEN_CALL = { ...ONCE, startToCloseTimeout: '60s', heartbeatTimeout: '10s' } as const;

export const { submitPayment } = proxyActivities<Activities>({ ...ONCE, summary: 'submit, once' });
export const { exchangeCode, refreshTokens } = proxyActivities<Activities>({
  ...TOKEN_CALL,
  summary: 'talk to the authorisation server, once',
});
/** To tell ten thousand took 158 s on two busy cores; its heartbeats say how far it has come. */
export const { wakeWaiting } = proxyActivities<Activities>({
  ...UNTIL_ANSWERED,
  startToCloseTimeout: '30m',
  heartbeatTimeout: '15s',
  summary: 'wake those who wait for consent',
});
/** A sweep reads thousands; its heartbeats say how far it has come, and the next attempt goes on from there. */
export const { sweepAgreements } = proxyActivities<Activities>({
  ...UNTIL_ANSWERED,
  startToCloseTimeout: '2h',
  heartbeatTimeout: '30s',
  summary: "compare the provider's list with ours",
});
export const { ensureSweep } = proxyActivities<Activities>({
  ...UNTIL_ANSWERED,
  summary: 'see that the sweep is scheduled',
});
