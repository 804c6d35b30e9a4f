// What Temporal's library logs goes through our logger, so that it cannot log what it should not: it writes all that an
// error's message quotes, and would write what was thrown at it, stack and all.
// In:  worker/main.ts gives it to the library's runtime. Out: telemetry/logger.ts.
import type { Logger as SdkLogger } from '@temporalio/worker';
import { traceOf } from '../telemetry/logger.js';
import { beginningOf } from './sdk-events.js';
import type { LogFields, Logger } from '../telemetry/logger.js';

type Meta = Readonly<Record<string, unknown>>;

/** Less than a warning is how each run goes, which its history shows. */
const LEVELS: Readonly<Record<string, 'warn' | 'error'>> = { WARN: 'warn', ERROR: 'error' };

/** The library's own parts. All others are code that runs in workflows and activities, free to log anything. */
const ITS_OWN = new Set<unknown>(['core', 'worker']);

/** By the library's names; its parts have names of their own for one thing. */
const FIELDS: readonly (readonly [keyof LogFields, ...string[]])[] = [
  ['workflow_id', 'workflowId', 'workflow_id'],
  ['run_id', 'runId', 'workflowRunId', 'run_id'],
  ['workflow_type', 'workflowType', 'workflow_type'],
  ['activity_type', 'activityType', 'activity_type'],
  ['task_queue', 'taskQueue', 'task_queue'],
  ['attempt', 'attempt'],
];

export function sdkLogger(log: Logger): SdkLogger {
  const write = (level: string, message: string, meta: Meta = {}): void => {
    const method = LEVELS[level];
    if (method === undefined) return;
    log[method](eventOf(message, meta), { ...fieldsOf(meta), ...errorOf(meta) });
  };
  return {
    log: write,
    trace: () => undefined,
    debug: () => undefined,
    info: () => undefined,
    warn: (message, meta) => write('WARN', message, meta),
    error: (message, meta) => write('ERROR', message, meta),
  };
}

/** Its own words, where they are known to be its own: behind them stands what it met. */
function eventOf(message: string, { sdkComponent = 'worker' }: Meta): string {
  if (!ITS_OWN.has(sdkComponent)) return 'a workflow or activity wrote a line';
  return beginningOf(message) ?? 'the library wrote a line';
}

function fieldsOf(meta: Meta): LogFields {
  const met = FIELDS.flatMap(([field, ...names]) => {
    const value = names.map((name) => meta[name]).find((candidate) => candidate !== undefined);
    return typeof value === 'string' || typeof value === 'number' ? [[field, value] as const] : [];
  });
  const fields: LogFields = Object.fromEntries(met);
  return fields;
}

/** Thrown, or, by its native half, written out: of that the name of gRPC's status alone. */
function errorOf({ error, err = error, failure = err }: Meta): LogFields {
  if (err instanceof Error) return traceOf(err);
  const status = /\bcode: ([A-Z][A-Za-z]{1,30})\b/.exec(typeof failure === 'string' ? failure : '')?.[1];
  return status === undefined ? {} : { error_code: status };
}
