// What every command gets: the API, the streams, and how to print.
import { Option, type Command } from 'commander';
import { openApi, type Api } from './api.js';
import { usage } from './failure.js';
import { targetOf, type TargetFlags } from './profile.js';
import type { Locale } from './format.js';
import type { Io } from './io.js';

export interface Context {
  io: Io;
  flags: TargetFlags;
  /** JSON for programs instead of text for people. */
  isJson: boolean;
  locale: Locale;
  /** For texts, also without a terminal. */
  textWidth: number;
  /** @throws Failure if the URL or the key is missing. */
  api: () => Promise<Api>;
}

const USUAL_WIDTH = 100;
const LEAST_WIDTH = 40;

interface GlobalFlags extends TargetFlags {
  json?: boolean;
}

/** Added to every command. There is no option for the key itself, because others on the machine can read arguments. */
export const globalOptions = (command: Command): Command =>
  command
    .option('--url <url>', 'the base URL of the API (PAYTO_URL)')
    .option('--key-file <file>', 'a file with the API key (or PAYTO_API_KEY)')
    .option('--profile <name>', 'a profile of `payto login` (PAYTO_PROFILE)')
    .option('--json', 'print JSON: one document, or one line for each item of a list')
    .addOption(new Option('--key <key>').hideHelp().argParser(refuseKey));

function refuseKey(): never {
  throw usage('an argument is visible to everyone on this machine: set PAYTO_API_KEY, or give --key-file');
}

export function contextOf(command: Command, io: Io): Context {
  const flags = command.optsWithGlobals<GlobalFlags>();
  return {
    ...{ io, flags, isJson: flags.json === true, locale: { timeZone: io.timeZone } },
    textWidth: Math.max(io.columns ?? USUAL_WIDTH, LEAST_WIDTH),
    api: async () => openApi(await targetOf(flags, io), io.signal),
  };
}

/** One JSON document, or one line of a list. */
export const printJson = ({ io }: Context, value: unknown): Promise<void> =>
  io.out(`${JSON.stringify(value)}\n`);

export const printLines = ({ io }: Context, lines: readonly string[]): Promise<void> =>
  io.out(lines.map((line) => `${line}\n`).join(''));
