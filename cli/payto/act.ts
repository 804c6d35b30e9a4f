// What all commands that change something share: they print the effect, ask, send, and print the result.
import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { printJson, printLines, type Context } from './context.js';
import { EXIT, Failure, endOf, usage } from './failure.js';
import { printable, wrapped } from './format.js';

export interface ActFlags {
  reason?: string;
  approval?: string;
  idempotencyKey?: string;
  yes?: boolean;
}

/** The option that leaves out the question. */
export const withYes = (command: Command): Command => command.option('--yes', 'do not ask for confirmation');

/** The API stores the reason with the principal of the key. */
export const withReason = (command: Command): Command =>
  command.requiredOption('--reason <text>', 'why; stored with your principal');

export const withApproval = (command: Command): Command =>
  command.option('--approval <id>', 'of the answer approval_required, with dual control');

/** A repeat with the same key is the same request. */
export const withKey = (command: Command): Command =>
  command.option('--idempotency-key <key>', 'of an earlier try without an answer (default: a new one)');

interface Act<Answer> {
  /** What changes, as a sentence. */
  effect: string;
  flags: ActFlags;
  send: (headers: Headers) => Promise<Answer>;
  /** Prints what is there now. */
  result: (answer: Answer) => string[];
}

interface Headers {
  'Idempotency-Key': string;
  Approval?: string;
}

/** @throws Failure if the person declines, or the error of the API. */
export async function act<Answer>(
  context: Context,
  { effect, flags, send, result }: Act<Answer>,
): Promise<void> {
  const { io, isJson, textWidth } = context;
  for (const line of wrapped(printable(effect), textWidth)) io.note(line);
  await confirm(context, flags);
  const key = flags.idempotencyKey ?? randomUUID();
  const headers = {
    'Idempotency-Key': key,
    ...(flags.approval !== undefined && { Approval: flags.approval }),
  };
  const answer = await send(headers).catch((error: unknown) => {
    const { exitCode } = endOf(error, io.signal.aborted);
    if (exitCode === EXIT.unreachable || exitCode === EXIT.interrupted)
      io.note(
        `It is unknown whether the API carried this out. Repeat the command with --idempotency-key ${key}: it is carried out at most once.`,
      );
    throw error;
  });
  if (isJson) return printJson(context, answer);
  return printLines(context, result(answer));
}

/** Without a terminal no person can answer, so a script needs no `--yes`. */
export async function confirm({ io }: Context, { yes }: ActFlags): Promise<void> {
  if (yes === true || !io.isInteractive) return;
  const answer = await io.ask('Continue? [y/N] ');
  if (!/^y(es)?$/i.test(answer.trim())) throw new Failure(EXIT.failed, 'Nothing was changed.');
}

/** @throws Failure for a kind without this command. */
export function pathFor<Path>(table: Readonly<Record<string, Path>>, kind: string, what: string): Path {
  const path = table[kind];
  if (path !== undefined) return path;
  throw usage(`expected ${Object.keys(table).join(', ')}: a ${kind} has no ${what}`);
}
