// Passes warnings and errors of Temporal's SDK to our logger, without the data that they may quote.
import type { Logger as SdkLogger } from '@temporalio/worker';
import { traceOf, type LogFields, type Logger } from '../telemetry/logger.js';

/** In characters; about the length of the SDK's longest advice. */
const LONGEST = 200;

type Meta = Readonly<Record<string, unknown>>;

/** Lower levels report the progress of each run, which its history shows. */
const LEVELS: Readonly<Record<string, 'warn' | 'error'>> = { WARN: 'warn', ERROR: 'error' };

/** Most of our workers intentionally have no workflows, and each would log this warning at its start. */
const EXPECTED = 'No workflows registered, not polling for workflow tasks';

/** The SDK's own components. All others are workflow and activity code, which may log anything. */
const ITS_OWN = new Set<unknown>(['core', 'worker']);

/** Our fields, each with the SDK's names, which differ between its components. */
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
    if (method === undefined || message === EXPECTED) return;
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

/**
 * The SDK's own words. It quotes errors and values after a colon, a quotation mark or a brace. Quotes may contain personal data
 * in clear: an error of JSON.parse quotes its input.
 */
function eventOf(message: string, { sdkComponent = 'worker' }: Meta): string {
  if (!ITS_OWN.has(sdkComponent)) return 'log line of a workflow or activity';
  const [words = ''] = message.split(/[:"{\n]/, 1);
  return words.trim().slice(0, LONGEST) || 'log line of the SDK';
}

function fieldsOf(meta: Meta): LogFields {
  const met = FIELDS.flatMap(([field, ...names]) => {
    const value = names.map((name) => meta[name]).find((candidate) => candidate !== undefined);
    return typeof value === 'string' || typeof value === 'number' ? [[field, value] as const] : [];
  });
  const fields: LogFields = Object.fromEntries(met);
  return fields;
}

/** The trace of a thrown error. Of an error text from the native core, only the gRPC status name. */
function errorOf({ error, err = error, failure = err }: Meta): LogFields {
  if (err instanceof Error) return traceOf(err);
  const status = /\bcode: ([A-Z][A-Za-z]{1,30})\b/.exec(typeof failure === 'string' ? failure : '')?.[1];
  return status === undefined ? {} : { error_code: status };
}
