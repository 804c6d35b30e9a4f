// Structured logs that cannot leak: only the fields named here are ever written.
import { pino, type DestinationStream } from 'pino';

// prettier-ignore
/** All text fields of a line besides its event. No bodies, headers, uids of people, or tokens. */
const TEXTS = [
  'request_id', 'provider_request_id', 'method',
  'route', // The pattern, never the requested path.
  'code', 'error_class',
  'action', 'outcome', // Of the operators' audit log: an operation and a code.
  'error_code', // The code of the system or the library: ECONNRESET, or a gRPC status by number.
  'thrown_at', // Places in our code, without the error's message.
  'event_id', // Of an event of a resource: a hash.
  'api_key_id', // The id of the key in API_KEYS.
  'principal', // The owner of the key.
  'variable', 'problem', // Of a file of settings: the variable that names it, and what was expected instead.
  // Built from values in which callers must not put personal data:
  'workflow_id', 'run_id', 'workflow_type', 'activity_type', 'task_queue', 'connection_id',
] as const;

// prettier-ignore
/** All numeric fields. */
const NUMBERS = [
  'status', 'duration_ms', 'attempt',
  'payloads', 'unopened', // The payloads that an operator decoded, and those that could not be opened.
  'count', // The number of items named by the event.
] as const;
const FIELDS = [...TEXTS, ...NUMBERS];

export type LogFields = { [Field in (typeof TEXTS)[number]]?: string | undefined } & {
  [Field in (typeof NUMBERS)[number]]?: number | undefined;
};

type Write = (event: string, fields?: LogFields) => void;
export interface Logger {
  info: Write;
  warn: Write;
  error: Write;
}

/** @param destination defaults to standard output. */
export function createLogger(name: string, destination?: DestinationStream): Logger {
  const options = { base: { name }, messageKey: 'event', timestamp: pino.stdTimeFunctions.isoTime };
  const out = destination === undefined ? pino(options) : pino(options, destination);
  const write =
    (level: keyof Logger): Write =>
    (event, fields = {}) =>
      out[level](allowed(fields), event);
  return { info: write('info'), warn: write('warn'), error: write('error') };
}

function allowed(fields: LogFields): LogFields {
  return Object.fromEntries(FIELDS.map((field) => [field, fields[field]]));
}

/** The loggable part of an error: class, code and places in the code. Not the message, which may quote data. */
export function traceOf(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error_class: typeof error };
  const places = placesOf(error).filter((line) => /^\s+at /.test(line));
  const thrown_at = places.slice(0, 5).map((line) => line.trim());
  return { error_class: error.constructor.name, error_code: codeOf(error), thrown_at: thrown_at.join(' < ') };
}

/**
 * Logs uncaught exceptions and rejections, and ends the process with exit code 1, because its state is unknown.
 * Node itself would print the message, including any data in it.
 */
export function stopOnUnforeseen(log: Logger): void {
  const stop = (error: unknown): void => {
    log.error('unhandled error, stopping the process', traceOf(error));
    process.exit(1);
  };
  process.on('uncaughtException', stop).on('unhandledRejection', stop);
}

/** The lines of a stack after the message, because the message may contain similar lines. */
function placesOf({ stack = '', message }: Error): string[] {
  const from = message === '' ? 0 : stack.indexOf(message);
  return (from < 0 ? '' : stack.slice(from + message.length)).split('\n');
}

/** Codes from machines and closed lists: ECONNRESET, 14, not_authentic. Text typed by a person has other forms. */
const CODE = /^(?:[A-Z][A-Z0-9_]{0,40}|\d{1,10}|[a-z]{1,20}(?:_[a-z]{1,20}){0,4})$/;

/** The first code in the chain of causes. Temporal's failures name theirs `type`. */
function codeOf(error: Error): string | undefined {
  for (let met: unknown = error; met instanceof Error; met = met.cause) {
    for (const name of ['code', 'type']) {
      const code: unknown = Reflect.get(met, name);
      if ((typeof code === 'number' || typeof code === 'string') && CODE.test(String(code)))
        return String(code);
    }
  }
  return undefined;
}
