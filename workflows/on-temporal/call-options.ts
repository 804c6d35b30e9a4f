// Timeouts and retry policy of each activity. Reads retry without limit. Calls that must not be sent twice get one attempt.
import { RECORD_FAILURES } from '../../domain/records/batch.js';
import type { ActivityOptions, LocalActivityOptions } from '@temporalio/common';
import type { Activities } from '../../activities/index.js';
import type { Queue } from '../contracts/every-workflow.js';

/** For reads and idempotent calls: retry with backoff until there is an answer. */
const UNTIL_ANSWERED = {
  startToCloseTimeout: '90s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '10m' },
  cancellationType: 'TRY_CANCEL',
} as const;

/**
 * A handler waits for the answer of another run. That run may never answer: its release has no worker, or its history cannot be replayed. The
 * limit is shorter than the time that the API waits for an update, so that its caller gets a clear answer.
 */
const OF_ANOTHER_RUN = {
  ...UNTIL_ANSWERED,
  startToCloseTimeout: '4s',
  scheduleToCloseTimeout: '8s',
  retry: { ...UNTIL_ANSWERED.retry, maximumInterval: '2s' },
} as const;

/** For calls that could pay twice or spend a single-use token: one attempt, no retry. */
const ONCE = {
  ...UNTIL_ANSWERED,
  retry: { maximumAttempts: 1 },
  // A cancelled call counts as ended only when its attempt has ended.
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
} as const;

/**
 * If the worker dies, missing heartbeats reveal it, and we soon look the uid up at the provider. A slow worker that is mistaken for dead does no
 * harm: its call ends long before we conclude that the provider does not have the uid.
 */
const SUBMISSION = {
  ...ONCE,
  heartbeatTimeout: '10s',
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
} as const;

/** As `UNTIL_ANSWERED`. The heartbeat timeout makes Temporal retry within seconds after a worker dies. */
const READ = { ...UNTIL_ANSWERED, heartbeatTimeout: '10s', summary: 'Read from the provider' } as const;
const WATCH = { ...READ, summary: 'Poll, in case a notification is lost' } as const;
/** Searches for a resource that a notification named, for one day and possibly on thousands of connections. Heartbeats record its progress. */
const ADOPT = {
  ...UNTIL_ANSWERED,
  startToCloseTimeout: '30m',
  heartbeatTimeout: '10s',
  scheduleToCloseTimeout: '24h',
  summary: 'Search for the resource that a notification named',
} as const;

/**
 * A token call may take one minute, including the delivery of its answer (docs/custody.md#the-life-of-a-token). Missing heartbeats reveal a dead
 * worker. A shorter timeout could mistake a slow worker for dead, and the same refresh token would be spent twice.
 */
const TOKEN_CALL = {
  ...ONCE,
  startToCloseTimeout: '60s',
  heartbeatTimeout: '10s',
  summary: 'Call the authorisation server once',
} as const;

/** Reads thousands of resources. Heartbeats record its progress, and the next attempt resumes from there. */
const SWEEP = { ...UNTIL_ANSWERED, startToCloseTimeout: '2h', heartbeatTimeout: '30s' } as const;

export const ACTIVITY_OPTIONS: Readonly<Record<keyof Activities, ActivityOptions>> = {
  resolveAlias: { ...UNTIL_ANSWERED, summary: 'Resolve a PayID' },
  createAgreement: { ...SUBMISSION, summary: 'Create the agreement at the provider (single attempt)' },
  submitPayment: { ...SUBMISSION, summary: 'Submit the payment (single attempt)' },
  submitRefund: { ...SUBMISSION, summary: 'Submit the refund (single attempt)' },
  createClient: { ...SUBMISSION, summary: 'Register the client (single attempt)' },
  createCounterparty: { ...SUBMISSION, summary: 'Register the counterparty (single attempt)' },
  /** Each try has its own uid, so the workflow starts the next one. */
  verifyAccount: { ...SUBMISSION, summary: 'Verify an account (single attempt under this uid)' },
  retryPayment: { ...SUBMISSION, summary: 'Retry the payment (single attempt)' },
  findAgreement: READ,
  findClient: READ,
  findPayment: READ,
  findRefund: READ,
  lookUpAgreement: READ,
  lookUpClient: READ,
  lookUpPayment: READ,
  lookUpRefund: READ,
  watchAgreement: WATCH,
  watchClient: { ...WATCH, summary: 'Poll the PayTo service status (no event reports it)' },
  watchPayment: WATCH,
  watchRefund: WATCH,
  /** Another workflow answers this as soon as a worker is free. */
  askAgreement: {
    ...UNTIL_ANSWERED,
    startToCloseTimeout: '10s',
    retry: { ...UNTIL_ANSWERED.retry, maximumInterval: '1m' },
    summary: 'Ask the agreement whether the payment may still be sent',
  },
  /** Reads only from Temporal, and takes seconds (activities/temporal/stops.ts). */
  awaitResumption: {
    ...UNTIL_ANSWERED,
    startToCloseTimeout: '10s',
    summary: 'Poll until payments are no longer stopped',
  },
  followIfThere: {
    ...{ ...READ, scheduleToCloseTimeout: '24h' },
    summary: 'Ask the connection for the resource that an event named',
  },
  adoptAgreement: ADOPT,
  adoptPayment: ADOPT,
  adoptRefund: ADOPT,
  changeClient: {
    ...UNTIL_ANSWERED,
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    summary: 'Change the client at the provider',
  },
  reportRefund: {
    ...UNTIL_ANSWERED,
    startToCloseTimeout: '20s',
    summary: 'Report the outcome to the payment',
  },
  reportPayment: {
    ...UNTIL_ANSWERED,
    startToCloseTimeout: '20s',
    summary: 'Report the outcome to the agreement, which has ended',
  },
  /** Limited in time, because it blocks other commands for the agreement. A cancelled call is not retried, but its running attempt is waited for. */
  sendCommand: {
    ...UNTIL_ANSWERED,
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    scheduleToCloseTimeout: '10m',
    summary: 'Send a command to the provider',
  },
  claimPayment: { ...OF_ANOTHER_RUN, summary: 'Claim the uid, or find the agreement that has it' },
  claimRefund: { ...OF_ANOTHER_RUN, summary: 'Claim the uid, or find the payment that has it' },
  startPart: UNTIL_ANSWERED,
  reportProgress: UNTIL_ANSWERED,
  signalRun: UNTIL_ANSWERED,
  recordNow: UNTIL_ANSWERED,
  record: {
    ...UNTIL_ANSWERED,
    startToCloseTimeout: '30s',
    retry: { ...UNTIL_ANSWERED.retry, maximumInterval: '5m' },
    summary: 'Store changes in the records',
  },
  /** Compares, starts, and requests reports. Every action is idempotent by uid, so a retry may repeat it. */
  readPart: {
    ...UNTIL_ANSWERED,
    startToCloseTimeout: '60s',
    summary: 'Compare a part of the onboarding with its request, or start it',
  },
  exchangeCode: TOKEN_CALL,
  checkAccount: { ...UNTIL_ANSWERED, summary: 'Check which account has consented' },
  refreshTokens: TOKEN_CALL,
  /** Signalling ten thousand workflows took 158 s on two busy cores. Heartbeats record its progress. */
  resumeBlocked: {
    ...UNTIL_ANSWERED,
    startToCloseTimeout: '30m',
    heartbeatTimeout: '15s',
    summary: 'Resume workflows that wait for consent',
  },
  sweepAgreements: { ...SWEEP, summary: "Compare the provider's list of agreements with ours" },
  sweepPayments: { ...SWEEP, summary: "Compare the provider's list of payments with ours" },
  sweepRefunds: { ...SWEEP, summary: "Compare the provider's list of refunds with ours" },
  startFloatAccounts: { ...SWEEP, summary: 'Find the float accounts of the connection' },
  followFloatAccount: { ...SWEEP, summary: 'Wait for new entries, and store them' },
  fetchSettlement: { ...SWEEP, summary: 'Fetch the settlement reports that are due' },
  confirmCredit: { ...UNTIL_ANSWERED, summary: 'Wait for the entry of the account that confirms the credit' },
  /** At most twenty rows. Heartbeats record its progress. */
  startRows: {
    ...UNTIL_ANSWERED,
    startToCloseTimeout: '30m',
    heartbeatTimeout: '30s',
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    summary: 'Start the next rows of the batch',
  },
  watchRows: {
    ...UNTIL_ANSWERED,
    startToCloseTimeout: '5m',
    heartbeatTimeout: '30s',
    summary: 'Wait for the outcomes of batch rows',
  },
  auditDeliveries: {
    ...UNTIL_ANSWERED,
    startToCloseTimeout: '2h',
    heartbeatTimeout: '30s',
    summary: "Read the provider's log of webhook deliveries",
  },
  ensureSweep: { ...UNTIL_ANSWERED, summary: 'Ensure that sweep, audit and settlement are scheduled' },
};

/** A quick, idempotent call to Temporal. */
const LOCAL = { startToCloseTimeout: '5s', retry: { maximumInterval: '1m' } } as const;

/**
 * The local activities: each is one history event within the current workflow task, and holds the task's other commands until it ends. Never make
 * one depend on another workflow's task. Tasks that wait for tasks would occupy all slots of a worker.
 */
export const LOCAL_OPTIONS: Readonly<Partial<Record<keyof Activities, LocalActivityOptions>>> = {
  startPart: LOCAL,
  reportProgress: LOCAL,
  signalRun: LOCAL,
  /** One try of less than two seconds at the database, because a payment may wait for it. Only its signal is retried. */
  recordNow: {
    startToCloseTimeout: '7s',
    retry: { maximumAttempts: 3, initialInterval: '200ms', nonRetryableErrorTypes: [...RECORD_FAILURES] },
  },
};

/** Separate queues for money and tokens, for reads, and for bulk reads. No kind of call can then take the slots of another. */
export const QUEUE_OF: Readonly<Record<keyof Activities, Queue>> = {
  resolveAlias: 'reads',
  createAgreement: 'money',
  submitPayment: 'money',
  submitRefund: 'money',
  reportRefund: 'money',
  reportPayment: 'money',
  claimPayment: 'money',
  claimRefund: 'money',
  createClient: 'money',
  changeClient: 'money',
  createCounterparty: 'money',
  verifyAccount: 'reads',
  retryPayment: 'money',
  sendCommand: 'money',
  startPart: 'money',
  reportProgress: 'money',
  signalRun: 'money',
  recordNow: 'money',
  record: 'reads',
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
  followIfThere: 'reads',
  resumeBlocked: 'sweeps',
  sweepAgreements: 'sweeps',
  sweepPayments: 'sweeps',
  sweepRefunds: 'sweeps',
  startFloatAccounts: 'sweeps',
  followFloatAccount: 'sweeps',
  confirmCredit: 'reads',
  fetchSettlement: 'sweeps',
  startRows: 'sweeps',
  watchRows: 'sweeps',
  auditDeliveries: 'sweeps',
  ensureSweep: 'sweeps',
};
