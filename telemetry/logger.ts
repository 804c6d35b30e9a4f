// Structured logs that cannot leak: of all that a caller hands in, only the fields named here are ever written.
import { pino } from 'pino';
import type { DestinationStream } from 'pino';

// prettier-ignore
/** All texts that a line may have besides its event. No bodies, headers, uids of people, or tokens. */
const TEXTS = [
  'request_id', 'provider_request_id', 'method',
  'route', // its pattern, never the path that was asked for
  'code', 'error_class',
  'error_code', // what the system or the library beneath calls it: ECONNRESET, or a gRPC status by number
  'thrown_at', // places in our code, without the error's message
  'api_key_id', // which of API_KEYS was used, by its id
  'principal', // whose key it was
  // Made of what a caller may not put personal data into:
  'workflow_id', 'run_id', 'workflow_type', 'activity_type', 'task_queue', 'connection_id',
] as const;

// prettier-ignore
/** All numbers. */
const NUMBERS = [
  'status', 'duration_ms', 'attempt',
  'payloads', 'unopened', // how many an operator had decoded, and how many of them could not be opened
  'count', // of things of one kind, which the event names
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
  return Object.fromEntries(FIELDS.map((field) => [field, fields[field]]));
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
