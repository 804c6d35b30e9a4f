// How a command ends: the exit codes, and the error that belongs to each.
import { CommanderError } from 'commander';
import { ApiProblem } from '../../client/create.js';
import { OutputClosed } from './io.js';

export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  noAccess: 4,
  unreachable: 5,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** For `--help` and docs/operating.md. */
export const EXIT_MEANINGS: readonly (readonly [ExitCode, string])[] = [
  [EXIT.ok, 'done'],
  [EXIT.failed, 'refused or failed; the message says why'],
  [EXIT.usage, 'wrong arguments or settings; nothing was sent'],
  [EXIT.notFound, 'it does not exist, has expired, or the key must not see it'],
  [EXIT.noAccess, 'the key is wrong, lacks a scope, or an approval is missing'],
  [EXIT.unreachable, 'no answer from the API, or it is busy: repeat the command'],
  [EXIT.interrupted, 'ended by Ctrl-C'],
];

/** A failure with its exit code and a message for a person. */
export class Failure extends Error {
  override readonly name = 'Failure';
  constructor(
    readonly exitCode: ExitCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export const usage = (message: string): Failure => new Failure(EXIT.usage, message);

/** The exit code of an error, and what to print. An empty message prints nothing. */
export function endOf(error: unknown, wasInterrupted: boolean): { exitCode: ExitCode; message: string } {
  // Commander has printed its message.
  if (error instanceof CommanderError)
    return { exitCode: error.exitCode === 0 ? EXIT.ok : EXIT.usage, message: '' };
  if (error instanceof OutputClosed) return { exitCode: EXIT.ok, message: '' };
  if (wasInterrupted) return { exitCode: EXIT.interrupted, message: 'Interrupted.' };
  if (error instanceof Failure) return { exitCode: error.exitCode, message: error.message };
  if (error instanceof ApiProblem)
    return { exitCode: exitCodeOf(error.status), message: problemInWords(error) };
  const isNetwork = error instanceof TypeError && error.cause instanceof Error;
  if (isNetwork)
    return { exitCode: EXIT.unreachable, message: `The API cannot be reached: ${causeOf(error)}` };
  return { exitCode: EXIT.failed, message: error instanceof Error ? error.message : String(error) };
}

function exitCodeOf(status: number): ExitCode {
  if (status === 401 || status === 403) return EXIT.noAccess;
  if (status === 404 || status === 410) return EXIT.notFound;
  return status === 429 || status >= 503 ? EXIT.unreachable : EXIT.failed;
}

interface Details {
  detail?: string;
  errors?: { pointer?: string; parameter?: string; header?: string; detail: string }[];
}

/** What the API refused, with each field, and the id to report. */
export function problemInWords({ status, code, requestId, cause, message }: ApiProblem): string {
  if (code === undefined) return message;
  const { detail = message, errors = [] } = cause as Details;
  return [
    `Refused with ${status} ${code}: ${detail}`,
    ...errors.map((one) => `  ${one.pointer ?? one.parameter ?? one.header ?? 'request'}: ${one.detail}`),
    ...(code === 'approval_required' || code === 'approval_given' ? [APPROVAL] : []),
    `Request id: ${requestId ?? 'none'}`,
  ].join('\n');
}

const APPROVAL = 'Repeat the command with --approval and the id above: first another principal, then you.';

/** The innermost message. A refused connection may have one for each address. */
function causeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return causeOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : causeOf(error.cause);
}
