// The worker process: runs workflows and activities. It has no state that a restart could lose.
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import {
  NativeConnection,
  Runtime,
  TransportError,
  Worker,
  type InjectedSinks,
  type WorkerOptions,
} from '@temporalio/worker';
import { holidaysWarning } from '../domain/time/business-days.js';
import { sydneyDayOf } from '../domain/time/sydney.js';
import { highRiskOf } from '../domain/client/high-risk.schema.js';
import { createAccess } from '../activities/tokens/access.js';
import { createActivities } from '../activities/index.js';
import { createReadStop, stopsIn } from '../activities/temporal/stops.js';
import { createBudget } from '../payments-api/rate/budget.js';
import { createOAuth } from '../payments-api/oauth.js';
import { createPaymentsApi } from '../payments-api/client.js';
import { openRecords, type RecordsDatabase } from '../records/database.js';
import { createCreditEntries } from '../records/credit-entries.js';
import { createFloatEntries } from '../records/float-entries.js';
import { createInitiatorRows } from '../records/initiators.js';
import { keysProblem } from '../records/keys.js';
import { keepProgress } from '../records/progress.js';
import { schemaProblem } from '../records/schema-version.js';
import { createSettlementReports } from '../records/settlement.js';
import { createSweptRows } from '../records/swept.js';
import { watchDatabase } from '../records/guard.js';
import { openRecordWriter, type OpenedWriter } from '../records/write.js';
import { dataConverterFor } from '../sealing/data-converter.js';
import { createLogger, stopOnUnforeseen, traceOf } from '../telemetry/logger.js';
import { EXIT_CONFIG, settingsOrStop } from '../settings/read.js';
import { stopWith } from './command.js';
import { readConfig, type WorkerConfig } from './config.js';
import { runsThatFit } from './cached-runs.js';
import { makeCurrent, releaseOf, versioningOf } from './deployment.js';
import { reasonOf } from './reason.js';
import { recordSinks } from './record-sink.js';
import { sdkLogger } from './sdk-logger.js';
import { MissingSearchAttributes, ensureSearchAttributes } from './search-attributes.js';
import { keepSweeps, scheduledSettings } from './sweeps.js';
import { openWebhooks, type OpenedWebhooks } from './webhooks.js';
import { workflowCode } from './workflow-code.js';
import { taskQueueOf, type RecordSinks } from '../workflows/contracts/every-workflow.js';

/** Temporal may start after us. After this time the process ends, and compose restarts it. */
const WAIT_FOR_TEMPORAL_MS = 60_000;
const LOG_EVERY_MS = 5000;
const TRY_EVERY_MS = 500;
/** Few, because each waits for the same database. */
const RECORD_SLOTS = 10;
/** One for each endpoint, and for events that are sent besides. Each waits most of the time. */
const EVENT_SLOTS = 200;

const log = createLogger('worker');
stopOnUnforeseen(log);
warnOfHolidays();

function warnOfHolidays(): void {
  const warning = holidaysWarning(sydneyDayOf(new Date().toISOString()));
  if (warning !== undefined) log.warn(warning);
}

async function run(config: WorkerConfig): Promise<void> {
  installRuntime(config);
  const connection = await connect(config);
  const { namespace, address } = config.temporal;
  const dataConverter = dataConverterFor({
    keyring: config.ENCRYPTION_KEYS,
    namespace,
    clearPayloads: config.PAYLOADS_IN_CLEAR,
  });
  const temporal = new Client({ connection, namespace, dataConverter });
  await register(temporal, address);
  const records = await connectRecords(config);
  const writer = openRecordWriter(config.RECORDS_URL, config.ENCRYPTION_KEYS, watchedDatabase());
  const webhooks = openWebhooks(config, records.db, log);
  const release = releaseOf(config);
  const common: WorkerOptions = {
    ...versioningOf(release),
    connection,
    namespace,
    dataConverter,
    taskQueue: config.TASK_QUEUE,
    activities: activitiesFor(config, temporal, {
      ...records,
      writer: { ...writer, write: writer.writeLate },
      webhooks,
    }),
    shutdownGraceTime: '30s',
    shutdownForceTime: '60s',
    // After this another worker gets a dead worker's runs, well before callers' updates time out after ten seconds.
    stickyQueueScheduleToStartTimeout: '5s',
    // A delayed heartbeat makes a slow call look like a dead worker.
    maxHeartbeatThrottleInterval: '1s',
  };
  const workers = await createWorkers(config, common, recordSinks(writer, temporal));
  const { TASK_QUEUE: taskQueue } = config;
  console.log(
    `worker polling task queue ${taskQueue}${release === undefined ? '' : ` with release ${release.buildId}`}`,
  );
  const stopping = new AbortController();
  const starting = { temporal, signal: stopping.signal, log };
  // Runs start on a release once it is current, so only the worker with workflows makes it current.
  const carries = config.WORKER_QUEUES.includes('money') ? release : undefined;
  const besides = [
    keepSweeps({ ...starting, taskQueue, plans: plansOf(config) }),
    makeCurrent({ ...starting, release: carries }),
    ...(config.WORKER_QUEUES.includes('money') ? [showProgress(writer, stopping.signal)] : []),
  ];
  await Promise.all(workers.map((worker) => worker.run()));
  stopping.abort();
  await Promise.all(besides);
  await connection.close();
  for (const { close } of [writer, webhooks, records]) await close();
}

/** One worker per queue, so that each queue has its own slots. Workflows run on the money queue. */
async function createWorkers(
  config: WorkerConfig,
  common: WorkerOptions,
  sinks: InjectedSinks<RecordSinks>,
): Promise<Worker[]> {
  const workflows = {
    workflowBundle: await workflowCode(),
    maxCachedWorkflows: config.MAX_CACHED_WORKFLOWS ?? runsThatFit(),
    sinks,
  };
  return Promise.all(
    config.WORKER_QUEUES.map((queue) =>
      Worker.create({
        ...common,
        ...(queue === 'money' && workflows),
        ...(queue === 'records' && { maxConcurrentActivityTaskExecutions: RECORD_SLOTS }),
        ...(queue === 'events' && { maxConcurrentActivityTaskExecutions: EVENT_SLOTS }),
        taskQueue: taskQueueOf(config.TASK_QUEUE, queue),
      }),
    ),
  );
}

function installRuntime({ METRICS_HOST: host, METRICS_PORT: port }: WorkerConfig): void {
  const bindAddress = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  const metrics = {
    prometheus: { bindAddress, countersTotalSuffix: true, useSecondsForDurations: true },
  };
  // The native core would bypass our logger and write to the terminal.
  const logging = { forward: {}, filter: { core: 'WARN', other: 'ERROR' } } as const;
  try {
    Runtime.install({
      logger: sdkLogger(log),
      shutdownSignals: ['SIGTERM', 'SIGINT'],
      telemetryOptions: port === 0 ? { logging } : { logging, metrics },
    });
  } catch (error) {
    const reason = reasonOf(error);
    const isOfPort = /address already in use|permission denied/i.test(reason);
    const problem = isOfPort
      ? `METRICS_PORT: expected a free port on ${host}`
      : 'METRICS_HOST: expected an address of this machine';
    stopWith('worker', `${problem}; ${reason}`, EXIT_CONFIG);
  }
}

/** Waits for Temporal, and prints that it is waiting. */
async function connect(config: WorkerConfig): Promise<NativeConnection> {
  const { address, connectionOptions } = config.temporal;
  let met = 'no answer';
  const saying = setInterval(() => console.log(`waiting for Temporal at ${address}: ${met}`), LOG_EVERY_MS);
  const givingUp = setTimeout(() => stopWith('worker', unreachable(address, met)), WAIT_FOR_TEMPORAL_MS);
  // The runtime handles signals only once there are workers.
  const leave = () => process.exit(0);
  process.once('SIGTERM', leave).once('SIGINT', leave);
  try {
    for (;;) {
      try {
        return await NativeConnection.connect(connectionOptions.reveal());
      } catch (error) {
        met = reasonOf(error);
        if (!(error instanceof TransportError)) stopWith('worker', unreachable(address, met));
      }
      await pause(TRY_EVERY_MS);
    }
  } finally {
    clearInterval(saying);
    clearTimeout(givingUp);
    process.off('SIGTERM', leave).off('SIGINT', leave);
  }
}

const unreachable = (address: string, met: string): string =>
  `TEMPORAL_ADDRESS: expected a Temporal server at ${address}, received ${met}; start it, or correct the address`;

/** Ends the process with a remedy if the namespace does not exist or refuses the registration. */
async function register(temporal: Client, address: string): Promise<void> {
  try {
    await ensureSearchAttributes(temporal);
  } catch (error) {
    const { namespace } = temporal.options;
    const why = error instanceof MissingSearchAttributes ? error.message : reasonOf(error);
    stopWith(
      'worker',
      `TEMPORAL_NAMESPACE: expected ${namespace} at ${address} to have our search attributes; ${why}`,
    );
  }
}

/** Ends the process if the database has another schema, or data that our keys cannot open. Payments never wait for the records, so the worker also starts while they are away. */
async function connectRecords(config: WorkerConfig): Promise<RecordsDatabase> {
  const records = openRecords(config.RECORDS_URL);
  try {
    const problem = await schemaProblem(records.db);
    if (problem !== undefined) stopWith('worker', problem);
    const ofKeys = await keysProblem(records.db, config.ENCRYPTION_KEYS);
    if (ofKeys !== undefined) stopWith('worker', ofKeys, EXIT_CONFIG);
  } catch (error) {
    log.warn('records database unreachable', traceOf(error));
  }
  return records;
}

/** The log says once that the database does not answer, and once that it does again. */
const watchedDatabase = () =>
  watchDatabase({
    now: () => Date.now(),
    onFailure: (error, isAway) =>
      log.warn(isAway ? 'records database away' : 'records database did not answer', traceOf(error)),
    onBack: () => log.warn('records database answers again', {}),
  });

function plansOf(config: WorkerConfig) {
  const settings = scheduledSettings(config);
  return (['sweep', 'audit', 'settlement'] as const).map((does) => ({
    does,
    everyMs: settings[does].everyMs,
  }));
}

const showProgress = ({ moveOn }: OpenedWriter, signal: AbortSignal): Promise<void> =>
  keepProgress(signal, moveOn, (error) => log.warn('records database cannot be written', traceOf(error)));

function activitiesFor(
  settings: WorkerConfig,
  client: Client,
  {
    db,
    writer,
    webhooks,
  }: RecordsDatabase & {
    writer: Pick<OpenedWriter, 'write' | 'remembered' | 'bindKey' | 'flagRow'>;
    webhooks: OpenedWebhooks;
  },
) {
  const { ENCRYPTION_KEYS: keyring, TOKEN_KEYS: tokenKeys } = settings;
  const now = () => Date.now();
  return createActivities({
    tokenKeys,
    now,
    temporal: client,
    taskQueue: settings.TASK_QUEUE,
    ...scheduledSettings(settings),
    highRisk: highRiskOf(settings),
    withAccess: createAccess({ temporal: client, tokenKeys, now }),
    records: {
      ...writer,
      ...createSweptRows(db),
      ...createInitiatorRows({ db, keyring }),
      ...createFloatEntries({ db, keyring }),
      ...createCreditEntries({ db, keyring }),
      ...createSettlementReports({ db, keyring }),
      ...webhooks.rows,
    },
    webhooks: webhooks.settings,
    readStop: createReadStop({ read: stopsIn(client), now }),
    payments: createPaymentsApi({
      baseUrl: settings.PAYMENTS_API_URL,
      version: settings.PAYMENTS_API_VERSION,
      versionHeader: settings.PAYMENTS_VERSION_HEADER,
      budget: createBudget({
        perSecond: settings.PAYMENTS_RATE_PER_SECOND,
        burst: settings.PAYMENTS_RATE_BURST,
      }),
    }),
    oauth: createOAuth({
      authUrl: settings.PAYMENTS_AUTH_URL,
      clientId: settings.OAUTH_CLIENT_ID,
      clientSecret: settings.OAUTH_CLIENT_SECRET.reveal(),
      redirectUri: settings.OAUTH_REDIRECT_URI,
    }),
  });
}

await run(settingsOrStop('worker', readConfig));
