// How each activity is called: its queue, timeouts and retry policy. Reads retry without limit. Calls that must not be sent twice get one attempt.
import { namedReads } from '../contracts/reads.js';
import type { ActivityOptions, LocalActivityOptions } from '@temporalio/common';
import type { Activities } from '../../activities/index.js';
import type { Queue } from '../contracts/every-workflow.js';

/** Separate queues for money and tokens, for reads, for bulk reads, for the records, and for webhooks. No kind of call can then take the slots of another. */
type CallOptions =
  | { queue: Queue; options: ActivityOptions; isLocal?: undefined }
  | { options: LocalActivityOptions; isLocal: true };

const on =
  (queue: Queue) =>
  (options: ActivityOptions): CallOptions => ({ queue, options });
const money = on('money');
const reads = on('reads');
const sweeps = on('sweeps');
const records = on('records');
const events = on('events');

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

const REPORT = { ...UNTIL_ANSWERED, startToCloseTimeout: '20s' } as const;

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
const SUBMISSION = { ...ONCE, heartbeatTimeout: '10s' } as const;

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

/**
 * A local activity: a quick, idempotent call to Temporal. It is one history event within the current workflow task, and holds the task's other
 * commands until it ends. Never make one depend on another workflow's task. Tasks that wait for tasks would occupy all slots of a worker.
 */
const LOCAL = {
  isLocal: true,
  options: { startToCloseTimeout: '5s', retry: { maximumInterval: '1m' } },
} as const;

/** The reads of a resource that events name. */
const EVENT_READS = { find: reads(READ), lookUp: reads(READ), watch: reads(WATCH), adopt: reads(ADOPT) };

export const CALL_OPTIONS: Readonly<Record<keyof Activities, CallOptions>> = {
  ...namedReads('agreement', EVENT_READS),
  ...namedReads('payment', EVENT_READS),
  ...namedReads('refund', EVENT_READS),
  ...namedReads('client', {
    find: reads(READ),
    lookUp: reads(READ),
    watch: reads({ ...WATCH, summary: 'Poll the PayTo service status (no event reports it)' }),
  }),
  resolveAlias: reads({ ...UNTIL_ANSWERED, summary: 'Resolve a PayID' }),
  createAgreement: money({ ...SUBMISSION, summary: 'Create the agreement at the provider (single attempt)' }),
  submitPayment: money({ ...SUBMISSION, summary: 'Submit the payment (single attempt)' }),
  submitRefund: money({ ...SUBMISSION, summary: 'Submit the refund (single attempt)' }),
  createClient: money({ ...SUBMISSION, summary: 'Register the client (single attempt)' }),
  createCounterparty: money({ ...SUBMISSION, summary: 'Register the counterparty (single attempt)' }),
  /** Each try has its own uid, so the workflow starts the next one. */
  verifyAccount: reads({ ...SUBMISSION, summary: 'Verify an account (single attempt under this uid)' }),
  retryPayment: money({ ...SUBMISSION, summary: 'Retry the payment (single attempt)' }),
  /** Another workflow answers this as soon as a worker is free. */
  askAgreement: reads({
    ...UNTIL_ANSWERED,
    startToCloseTimeout: '10s',
    retry: { ...UNTIL_ANSWERED.retry, maximumInterval: '1m' },
    summary: 'Ask the agreement whether the payment may still be sent',
  }),
  listRefunds: reads({ ...READ, summary: 'List the refunds of the payment' }),
  /** Reads only from Temporal, and takes seconds (activities/temporal/stops.ts). */
  awaitResumption: reads({
    ...UNTIL_ANSWERED,
    startToCloseTimeout: '10s',
    summary: 'Poll until payments are no longer stopped',
  }),
  followIfThere: reads({
    ...READ,
    scheduleToCloseTimeout: '24h',
    summary: 'Ask the connection for the resource that an event named',
  }),
  changeClient: money({
    ...UNTIL_ANSWERED,
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    summary: 'Change the client at the provider',
  }),
  reportRefund: money({ ...REPORT, summary: 'Report the outcome to the payment' }),
  reportPayment: money({ ...REPORT, summary: 'Report the outcome to the agreement, which has ended' }),
  /** Limited in time, because it blocks other commands for the agreement. A cancelled call is not retried, but its running attempt is waited for. */
  sendCommand: money({
    ...UNTIL_ANSWERED,
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    scheduleToCloseTimeout: '10m',
    summary: 'Send a command to the provider',
  }),
  claimPayment: money({ ...OF_ANOTHER_RUN, summary: 'Claim the uid, or find the agreement that has it' }),
  claimRefund: money({ ...OF_ANOTHER_RUN, summary: 'Claim the uid, or find the payment that has it' }),
  startPart: LOCAL,
  reportProgress: LOCAL,
  signalRun: LOCAL,
  /** While the database is away, an attempt waits for it, and all others wait in Temporal's queue. */
  record: records({
    ...UNTIL_ANSWERED,
    startToCloseTimeout: '12h',
    heartbeatTimeout: '30s',
    summary: 'Store changes in the records once PostgreSQL answers',
  }),
  /** Compares, starts, and requests reports. Every action is idempotent by uid, so a retry may repeat it. */
  readPart: money({
    ...UNTIL_ANSWERED,
    startToCloseTimeout: '60s',
    summary: 'Compare a part of the onboarding with its request, or start it',
  }),
  exchangeCode: money(TOKEN_CALL),
  checkAccount: reads({ ...UNTIL_ANSWERED, summary: 'Check which account has consented' }),
  refreshTokens: money(TOKEN_CALL),
  /** Signalling ten thousand workflows took 158 s on two busy cores. Heartbeats record its progress. */
  resumeBlocked: sweeps({
    ...UNTIL_ANSWERED,
    startToCloseTimeout: '30m',
    heartbeatTimeout: '15s',
    summary: 'Resume workflows that wait for consent',
  }),
  sweepList: sweeps({ ...SWEEP, summary: "Compare a list of the provider's with ours" }),
  startFloatAccounts: sweeps({ ...SWEEP, summary: 'Find the float accounts of the connection' }),
  followFloatAccount: sweeps({ ...SWEEP, summary: 'Wait for new entries, and store them' }),
  fetchSettlement: sweeps({ ...SWEEP, summary: 'Fetch the settlement reports that are due' }),
  auditDeliveries: sweeps({ ...SWEEP, summary: "Read the provider's log of webhook deliveries" }),
  confirmCredit: reads({
    ...UNTIL_ANSWERED,
    summary: 'Wait for the entry of the account that confirms the credit',
  }),
  /** As `record`. The workflow does nothing before it has the answer. */
  readRecord: records({
    ...UNTIL_ANSWERED,
    startToCloseTimeout: '12h',
    heartbeatTimeout: '30s',
    summary: 'Read what the records have, once PostgreSQL answers',
  }),
  /** As `record`. */
  copyKey: records({
    ...UNTIL_ANSWERED,
    startToCloseTimeout: '12h',
    heartbeatTimeout: '30s',
    summary: 'Copy the key into the records once PostgreSQL answers',
  }),
  keepGone: reads({ ...UNTIL_ANSWERED, summary: 'Store the event for an operator: its records are gone' }),
  /** At most twenty rows. Heartbeats record its progress. */
  startRows: sweeps({
    ...UNTIL_ANSWERED,
    startToCloseTimeout: '30m',
    heartbeatTimeout: '30s',
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    summary: 'Start the next rows of the batch',
  }),
  watchRows: sweeps({
    ...UNTIL_ANSWERED,
    startToCloseTimeout: '5m',
    heartbeatTimeout: '30s',
    summary: 'Wait for the outcomes of batch rows',
  }),
  /** Ends after five minutes. An attempt on a dead worker is replaced within seconds. */
  deliverWebhooks: events({
    ...UNTIL_ANSWERED,
    startToCloseTimeout: '10m',
    heartbeatTimeout: '10s',
    retry: { ...UNTIL_ANSWERED.retry, maximumInterval: '10s' },
    summary: 'Deliver events to the endpoint',
  }),
  sendWebhookOnce: events({
    ...ONCE,
    scheduleToCloseTimeout: '20s',
    heartbeatTimeout: '10s',
    summary: 'Send one event now (single attempt)',
  }),
  ensureSweep: sweeps({
    ...UNTIL_ANSWERED,
    summary: 'Ensure that sweep, audit and settlement are scheduled',
  }),
};
