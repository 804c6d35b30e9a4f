// One run of the command line: arguments and streams in, exit code out.
import { Command } from 'commander';
import { DOCUMENT_VERSION } from '../../client/create.js';
import { explained, openApi } from './api.js';
import { globalOptions } from './context.js';
import { addAttention } from './commands/attention.js';
import { addBatch } from './commands/batch.js';
import { addCompletion } from './commands/completion.js';
import { addList } from './commands/list.js';
import { addListen } from './commands/listen.js';
import { addLogin } from './commands/login.js';
import { addResourceActs } from './commands/resource-acts.js';
import { addShow } from './commands/show.js';
import { addStop } from './commands/stop.js';
import { addTimeline } from './commands/timeline.js';
import { addTrigger } from './commands/trigger.js';
import { EXIT, EXIT_MEANINGS, endOf, type ExitCode } from './failure.js';
import { targetOf, type TargetFlags } from './profile.js';
import type { Io } from './io.js';

const ADDS = [
  ...[addList, addShow, addTimeline, addAttention, addResourceActs, addBatch, addStop],
  ...[addListen, addTrigger, addLogin, addCompletion],
];

/** Runs a command. @param argv without the program's name. @returns the exit code; every error is printed. */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  const program = createProgram(io);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    const { exitCode, message } = endOf(await withReason(error, program, io), io.signal.aborted);
    if (message !== '') io.note(message);
    return exitCode;
  }
}

function createProgram(io: Io): Command {
  const program = globalOptions(new Command('payto'))
    .description('The command line of the PayTo agreements API, for operators and backends.')
    .version(DOCUMENT_VERSION, '--version', 'print the version of the API document')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      // Help is a result. Its writing is awaited by the process at its end.
      writeOut: (text) => void io.out(text).catch(() => undefined),
      writeErr: (text) => io.note(text.trimEnd()),
      getOutHelpWidth: () => io.columns ?? 100,
      getErrHelpWidth: () => io.columns ?? 100,
    })
    .addHelpText(
      'after',
      `\nExit codes:\n${EXIT_MEANINGS.map(([code, meaning]) => `  ${String(code).padEnd(5)}${meaning}`).join('\n')}`,
    );
  for (const add of ADDS) add(program, io);
  for (const command of program.commands)
    command.configureHelp({ showGlobalOptions: true }).exitOverride().copyInheritedSettings(program);
  return program;
}

/** An unexpected answer may come from an API of another version. */
async function withReason(error: unknown, program: Command, io: Io): Promise<unknown> {
  try {
    const target = await targetOf(program.opts<TargetFlags>(), io);
    return await explained(error, openApi(target, io.signal));
  } catch {
    // Without a target, nothing was sent.
    return error;
  }
}
