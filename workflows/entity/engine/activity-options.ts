// How each call may be retried, and how long it may take: reads for ever, what must not be sent twice once.
import { HISTORY_REFUSALS } from '../../../domain/facts/timeline.js';
import type { ActivityOptions } from '@temporalio/common';
import type { Activities } from '../../../activities/index.js';
import type { Queue } from '../contract.js';

/** Reads and harmless repeats: again and again, ever more slowly, until there is an answer. */
const UNTIL_ANSWERED = {
  startToCloseTimeout: '90s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '10m' },
  cancellationType: 'TRY_CANCEL',
} as const;

/** One attempt, and no second one that could pay twice or spend a single-use token. */
const ONCE = {
  ...UNTIL_ANSWERED,
  retry: { maximumAttempts: 1 },
  // Cancelled or not, it has ended only when the call has.
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
} as const;

/**
 * A worker that dies meanwhile is noticed by its missing heartbeats, and the provider is asked for the uid soon after. One that is only slow
 * and taken for dead does no harm: its call is over long before the provider has not had the uid for long.
 */
const SUBMISSION = {
  ...ONCE,
  heartbeatTimeout: '10s',
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
} as const;

/** As `UNTIL_ANSWERED`; what a worker that has died was reading is read again soon, and not only when the call's whole time is up. */
const READ = { ...UNTIL_ANSWERED, heartbeatTimeout: '10s', summary: 'read from the provider' } as const;
const WATCH = { ...READ, summary: 'ask again and again, in case a notification is lost' } as const;
/** What a notification named is asked for during one day, on thousands of connections perhaps; its heartbeats say how far it has come. */
const ADOPT = {
  ...UNTIL_ANSWERED,
  startToCloseTimeout: '30m',
  heartbeatTimeout: '10s',
  scheduleToCloseTimeout: '24h',
  summary: 'find what a notification named',
} as const;

/**
 * A token call has a minute, its answer's way home included (docs/custody.md#the-life-of-a-token). A worker that dies meanwhile is noticed by its missing
 * heartbeats. Not in less: a slow worker that is taken for dead would have the same refresh token spent a second time.
 */
const TOKEN_CALL = {
  ...ONCE,
  startToCloseTimeout: '60s',
  heartbeatTimeout: '10s',
  summary: 'call the authorisation server, once',
} as const;

/** It reads thousands; its heartbeats say how far it has come, and the next attempt goes on from there. */
const SWEEP = { ...UNTIL_ANSWERED, startToCloseTimeout: '2h', heartbeatTimeout: '30s' } as const;

export const ACTIVITY_OPTIONS: Readonly<Record<keyof Activities, ActivityOptions>> = {
  resolveAlias: { ...UNTIL_ANSWERED, summary: 'resolve a PayID' },
  createAgreement: { ...SUBMISSION, summary: 'create at the provider, once' },
  submitPayment: { ...SUBMISSION, summary: 'submit, once' },
  submitRefund: { ...SUBMISSION, summary: 'submit, once' },
  createClient: { ...SUBMISSION, summary: 'register at the provider, once' },
  createCounterparty: { ...SUBMISSION, summary: 'register at the provider, once' },
  /** Each try has a uid of its own, so another one is the workflow's to make. */
  verifyAccount: { ...SUBMISSION, summary: 'verify an account, once under this uid' },
  retryPayment: { ...SUBMISSION, summary: 'try again, once' },
  findAgreement: READ,
  findClient: READ,
  findPayment: READ,
  findRefund: READ,
  lookUpAgreement: READ,
  lookUpClient: READ,
  lookUpPayment: READ,
  lookUpRefund: READ,
  watchAgreement: WATCH,
  watchClient: { ...WATCH, summary: 'ask again and again, as no event says what becomes of a service' },
  watchPayment: WATCH,
  watchRefund: WATCH,
  /** Another workflow answers, in a moment where a worker is free. */
  askAgreement: {
    ...UNTIL_ANSWERED,
    startToCloseTimeout: '10s',
    retry: { ...UNTIL_ANSWERED.retry, maximumInterval: '1m' },
    summary: 'ask its agreement whether it may still be sent',
  },
  /** It asks Temporal, and no more than seconds (activities/temporal/stops.ts). */
  awaitResumption: {
    ...UNTIL_ANSWERED,
    startToCloseTimeout: '10s',
    summary: 'ask again and again whether payments may be sent',
  },
  adoptAgreement: ADOPT,
  adoptPayment: ADOPT,
  adoptRefund: ADOPT,
  changeClient: {
    ...UNTIL_ANSWERED,
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    summary: 'change a client at the provider',
  },
  reportRefund: {
    ...UNTIL_ANSWERED,
    startToCloseTimeout: '20s',
    summary: 'report to its payment what became of it',
  },
  reportPayment: {
    ...UNTIL_ANSWERED,
    startToCloseTimeout: '20s',
    summary: 'report to its agreement, which is over, what became of it',
  },
  /**
   * Not without end: while a command is on its way, no other is sent for its agreement. One that is cancelled is not tried again,
   * and has ended only when the attempt that was under way has.
   */
  sendCommand: {
    ...UNTIL_ANSWERED,
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    scheduleToCloseTimeout: '10m',
    summary: 'send a command to the provider',
  },
  /** A caller waits for the answer: a refusal is passed on at once, and silence soon. */
  readAgreementHistory: {
    startToCloseTimeout: '20s',
    scheduleToCloseTimeout: '20s',
    retry: {
      initialInterval: '1s',
      backoffCoefficient: 2,
      maximumAttempts: 4,
      nonRetryableErrorTypes: [...HISTORY_REFUSALS],
    },
    cancellationType: 'TRY_CANCEL',
    summary: 'read the history that the provider keeps',
  },
  findAdmitted: { ...UNTIL_ANSWERED, summary: 'see whose the workflow is that has the uid' },
  startPart: UNTIL_ANSWERED,
  reportProgress: UNTIL_ANSWERED,
  signalRun: UNTIL_ANSWERED,
  /** It compares, starts, and asks for reports: each by the uid, so that an attempt may repeat what the one before did. */
  readPart: {
    ...UNTIL_ANSWERED,
    startToCloseTimeout: '60s',
    summary: 'compare a part of an onboarding with its request, or start it',
  },
  exchangeCode: TOKEN_CALL,
  checkAccount: { ...UNTIL_ANSWERED, summary: 'check which account has consented' },
  refreshTokens: TOKEN_CALL,
  /** To signal ten thousand took 158 s on two busy cores; its heartbeats say how far it has come. */
  resumeBlocked: {
    ...UNTIL_ANSWERED,
    startToCloseTimeout: '30m',
    heartbeatTimeout: '15s',
    summary: 'resume what is blocked for want of consent',
  },
  sweepAgreements: { ...SWEEP, summary: "compare the provider's list of agreements with ours" },
  sweepPayments: { ...SWEEP, summary: "compare the provider's list of payments with ours" },
  /** Twenty at most; its heartbeats say how far it has come. */
  startRows: {
    ...UNTIL_ANSWERED,
    startToCloseTimeout: '30m',
    heartbeatTimeout: '30s',
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    summary: 'start the next rows of a batch',
  },
  watchRows: {
    ...UNTIL_ANSWERED,
    startToCloseTimeout: '5m',
    heartbeatTimeout: '30s',
    summary: 'see what became of rows of a batch',
  },
  auditDeliveries: {
    ...UNTIL_ANSWERED,
    startToCloseTimeout: '2h',
    heartbeatTimeout: '30s',
    summary: "read the provider's log of what it pushed",
  },
  ensureSweep: { ...UNTIL_ANSWERED, summary: 'see that sweep and audit are scheduled' },
};

/** Quick calls of Temporal alone, whose repeats are harmless: made within the workflow task, each is one event. */
export const LOCAL: ReadonlySet<string> = new Set<keyof Activities>([
  'startPart',
  'reportProgress',
  'signalRun',
]);

/** Never a call that needs another workflow's task: tasks that wait for tasks would take all slots of a worker. */
export const LOCAL_OPTIONS = { startToCloseTimeout: '5s', retry: { maximumInterval: '1m' } } as const;

/** So that no one kind of call takes the slots of another: what moves money or tokens, what reads, and what reads by the thousand. */
export const QUEUE_OF: Readonly<Record<keyof Activities, Queue>> = {
  resolveAlias: 'reads',
  createAgreement: 'money',
  submitPayment: 'money',
  submitRefund: 'money',
  reportRefund: 'money',
  reportPayment: 'money',
  findAdmitted: 'money',
  createClient: 'money',
  changeClient: 'money',
  createCounterparty: 'money',
  verifyAccount: 'reads',
  retryPayment: 'money',
  sendCommand: 'money',
  startPart: 'money',
  reportProgress: 'money',
  signalRun: 'money',
  readPart: 'money',
  exchangeCode: 'money',
  checkAccount: 'reads',
  refreshTokens: 'money',
  findAgreement: 'reads',
  findClient: 'reads',
  findPayment: 'reads',
  findRefund: 'reads',
  lookUpAgreement: 'reads',
  lookUpClient: 'reads',
  lookUpPayment: 'reads',
  lookUpRefund: 'reads',
  watchAgreement: 'reads',
  watchClient: 'reads',
  watchPayment: 'reads',
  watchRefund: 'reads',
  askAgreement: 'reads',
  awaitResumption: 'reads',
  adoptAgreement: 'reads',
  adoptPayment: 'reads',
  adoptRefund: 'reads',
  readAgreementHistory: 'reads',
  resumeBlocked: 'sweeps',
  sweepAgreements: 'sweeps',
  sweepPayments: 'sweeps',
  startRows: 'sweeps',
  watchRows: 'sweeps',
  auditDeliveries: 'sweeps',
  ensureSweep: 'sweeps',
};
