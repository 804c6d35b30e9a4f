// Structured logs that cannot leak: of all that a caller hands in, only the fields named here are ever written.
import { pino } from 'pino';
import type { DestinationStream } from 'pino';

/** Everything that a line may say besides its event. No bodies, headers, uids of people, or tokens. */
export interface LogFields {
  request_id?: string | undefined;
  method?: string | undefined;
  /** The pattern of the route, never the path that was asked for. */
  route?: string | undefined;
  status?: number | undefined;
  duration_ms?: number | undefined;
  code?: string | undefined;
  error_class?: string | undefined;
  /** What the system or the library beneath calls it: ECONNRESET, or a gRPC status by number. */
  error_code?: string | undefined;
  /** Where an error was thrown: places in our code, without its message. */
  thrown_at?: string | undefined;
  /** Which of API_KEYS was used, by its name. */
  api_key_id?: string | undefined;
  /** How many payloads an operator had decoded, and how many of them could not be opened. */
  payloads?: number | undefined;
  unopened?: number | undefined;
  /** Ids and names are no personal data: they are made of what a caller may not put any into. */
  workflow_id?: string | undefined;
  run_id?: string | undefined;
  workflow_type?: string | undefined;
  activity_type?: string | undefined;
  task_queue?: string | undefined;
  connection_id?: string | undefined;
  attempt?: number | undefined;
  /** Of things of one kind, which the event names. */
  count?: number | undefined;
}

// prettier-ignore
const ALLOWED = [
  'request_id', 'method', 'route', 'status', 'duration_ms', 'code', 'error_class', 'error_code', 'thrown_at',
  'api_key_id', 'payloads', 'unopened', 'workflow_id', 'run_id', 'workflow_type', 'activity_type', 'task_queue',
  'connection_id', 'attempt', 'count',
] as const satisfies readonly (keyof LogFields)[];

type Write = (event: string, fields?: LogFields) => void;
export interface Logger {
  info: Write;
  warn: Write;
  error: Write;
}

/** @param destination standard output when left out. */
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
  return Object.fromEntries(ALLOWED.map((field) => [field, fields[field]]));
}

/** What may be logged of an error: its class, its code and the places it passed; not its message, which may quote data. */
export function traceOf(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error_class: typeof error };
  const places = placesOf(error).filter((line) => /^\s+at /.test(line));
  const thrown_at = places.slice(0, 5).map((line) => line.trim());
  return { error_class: error.constructor.name, error_code: codeOf(error), thrown_at: thrown_at.join(' < ') };
}

/**
 * Logs what is thrown where no code catches it, rejections included, and ends the process with exit code 1: it is in no known
 * state. Node itself would print the message, and what that quotes.
 */
export function stopOnUnforeseen(log: Logger): void {
  const stop = (error: unknown): void => {
    log.error('unforeseen error, the process stops', traceOf(error));
    process.exit(1);
  };
  process.on('uncaughtException', stop).on('unhandledRejection', stop);
}

/** The lines of a stack behind the message, which may have lines of its own that look the same. */
function placesOf({ stack = '', message }: Error): string[] {
  const from = message === '' ? 0 : stack.indexOf(message);
  return (from < 0 ? '' : stack.slice(from + message.length)).split('\n');
}

/** As machines and closed lists have them: ECONNRESET, 14, not_authentic. What a person typed has other forms. */
const CODE = /^(?:[A-Z][A-Z0-9_]{0,40}|\d{1,10}|[a-z]{1,20}(?:_[a-z]{1,20}){0,4})$/;

/** The first in the chain of causes that has the form of one; Temporal's failures call theirs a type. */
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
