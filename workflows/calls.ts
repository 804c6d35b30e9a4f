// The calls that stories make, and how each may be retried: reads for ever, a payment's submission once.
import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';

const { TRY_CANCEL } = ActivityCancellationType;

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
export const { actOnAgreement } = proxyActivities<Activities>({
  ...UNTIL_ANSWERED,
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
/** A token call has a minute (design 5.1), its answer's way home included. */
const TOKEN_CALL = { ...ONCE, startToCloseTimeout: '60s' } as const;

export const { submitPayment } = proxyActivities<Activities>({ ...ONCE, summary: 'submit, once' });
export const { exchangeCode, refreshTokens } = proxyActivities<Activities>({
  ...TOKEN_CALL,
  summary: 'talk to the authorisation server, once',
});
export const { wakeWaiting } = proxyActivities<Activities>({
  ...UNTIL_ANSWERED,
  summary: 'wake those who wait for consent',
});
