// The worker process: carries out workflows and activities, and keeps nothing that a restart could lose.
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { Client } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { createAccess } from '../activities/access.js';
import { createActivities } from '../activities/index.js';
import { createOAuth } from '../payments-api/oauth.js';
import { createPaymentsApi } from '../payments-api/client.js';
import { readConfig } from './config.js';
import { ensureSearchAttributes } from './search-attributes.js';
import { workflowCode } from './workflow-code.js';
import type { WorkerConfig } from './config.js';

const config = readConfig();
if ('problems' in config) {
  for (const problem of config.problems) console.error(`worker: ${problem}`);
  process.exit(1);
}

installRuntime(config);
const { connectionOptions, namespace } = loadClientConnectConfig();
const connection = await NativeConnection.connect(connectionOptions);
const temporal = new Client({ connection, namespace: namespace ?? 'default' });
await ensureSearchAttributes(temporal);
const worker = await Worker.create({
  workflowBundle: await workflowCode(),
  connection,
  namespace: namespace ?? 'default',
  taskQueue: config.TASK_QUEUE,
  activities: activitiesFor(config, temporal),
  maxCachedWorkflows: config.MAX_CACHED_WORKFLOWS,
  shutdownGraceTime: '30s',
  shutdownForceTime: '60s',
});
console.log(`worker polling task queue ${config.TASK_QUEUE}`);
await worker.run();
await connection.close();

function installRuntime({ METRICS_HOST, METRICS_PORT }: WorkerConfig): void {
  const metrics = {
    prometheus: {
      bindAddress: `${METRICS_HOST}:${METRICS_PORT}`,
      countersTotalSuffix: true,
      useSecondsForDurations: true,
    },
  };
  Runtime.install({
    logger: new DefaultLogger('WARN'),
    shutdownSignals: ['SIGTERM', 'SIGINT'],
    telemetryOptions: METRICS_PORT === 0 ? {} : { metrics },
  });
}

function activitiesFor(settings: WorkerConfig, client: Client) {
  const keyring = settings.ENCRYPTION_KEYS;
  const now = () => Date.now();
  return createActivities({
    keyring,
    now,
    temporal: client,
    withAccess: createAccess({ temporal: client, keyring, now }),
    payments: createPaymentsApi({
      baseUrl: settings.PAYMENTS_API_URL,
      version: settings.PAYMENTS_API_VERSION,
      versionHeader: settings.PAYMENTS_VERSION_HEADER,
    }),
    oauth: createOAuth({
      authUrl: settings.PAYMENTS_AUTH_URL,
      clientId: settings.OAUTH_CLIENT_ID,
      clientSecret: settings.OAUTH_CLIENT_SECRET,
      redirectUri: settings.OAUTH_REDIRECT_URI,
    }),
  });
}
