// Structured logs that cannot leak: of whatever a caller hands in, only the fields named here are ever written.
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
}

const ALLOWED = [
  'request_id', 'method', 'route', 'status', 'duration_ms', 'code', 'error_class', 'error_code', 'thrown_at',
] as const satisfies readonly (keyof LogFields)[]; // prettier-ignore

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
  const places = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  const thrown_at = places.slice(0, 5).map((line) => line.trim());
  return { error_class: error.constructor.name, error_code: codeOf(error), thrown_at: thrown_at.join(' < ') };
}

/** The first code in the chain of causes that is a number or a word in capitals, as machines give them. */
function codeOf(error: Error): string | undefined {
  for (let met: unknown = error; met instanceof Error; met = met.cause) {
    const code: unknown = Reflect.get(met, 'code');
    if (typeof code === 'number' || (typeof code === 'string' && /^[A-Z][A-Z0-9_]{0,40}$/.test(code)))
      return String(code);
  }
  return undefined;
}
