// `npm run demo`: the main job on real input in one command; exits 0 only when the provider's books and ours agree.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readForeignVariables } from './config.js';
import { createCrew, Interrupted, type Crew } from './crew.js';
import { freshWiring } from './fresh-wiring.js';
import { onInterrupt } from './interrupt.js';
import { perform } from './demo/perform.js';
import { jsonReport, textReport, type Findings, type JsonReport } from './demo/report.js';
import type { Tell } from './demo/scene.js';
import { bringUp, type Stack } from './stack.js';

const INTERRUPTED = 130;

const USAGE = `npm run demo -- [options]

Brings everything up on free ports and in a temporary folder, carries three agreements from consent to their end,
checks the provider's ledger against the workflows, and exits 0 when both agree.

  --json   one JSON document on standard output; the steps go to standard error (npm run -s demo -- --json)
  --keep   leave all up until Ctrl-C, so that the links can be followed
  --help   this text`;

const out = (line: string): void => void process.stdout.write(`${line}\n`);
const err = (line: string): void => void process.stderr.write(`${line}\n`);

interface Options {
  isJson: boolean;
  isKept: boolean;
  wantsHelp: boolean;
}

function parseWords(): Options {
  const options = {
    json: { type: 'boolean' },
    keep: { type: 'boolean' },
    help: { type: 'boolean' },
  } as const;
  const { values } = parseArgs({ options });
  return { isJson: values.json === true, isKept: values.keep === true, wantsHelp: values.help === true };
}

/** `+ 3.2 s  agreement demo-1  payer accepted → active  http://…` */
const teller =
  (say: (line: string) => void): Tell =>
  (about, what, link) => {
    const seconds = (performance.now() / 1000).toFixed(1).padStart(4);
    say(`+ ${seconds} s  ${about.padEnd(22)}  ${what}${link ? `  ${link}` : ''}`);
  };

/** Whether the books agree. */
async function run(crew: Crew, folder: string, { isJson, isKept }: Options): Promise<boolean> {
  const print = isJson ? err : out;
  const tell = teller((line) => void (crew.signal.aborted || print(line)));
  const say = (line: string): void => tell('everything', line);
  const stack = await bringUp(await freshWiring(folder, readForeignVariables()), {
    crew,
    say,
    onLine: () => undefined,
  });
  tell('everything', 'is up', stack.temporalUiUrl);
  const findings = await crew
    .guard(perform(stack, tell, crew.signal))
    .catch((error: unknown) => failed(error, isJson));
  if (findings !== undefined) show(findings, isJson);
  if (isKept) await linger(crew, stack);
  return findings !== undefined && jsonReport(findings).ok;
}

const show = (findings: Findings, isJson: boolean): void =>
  out(isJson ? JSON.stringify(jsonReport(findings), null, 2) : `\n${textReport(findings)}`);

/** Says why, in the form that was asked for. */
function failed(error: unknown, isJson: boolean): undefined {
  if (error instanceof Interrupted) throw error;
  const difference = error instanceof Error ? error.message : String(error);
  if (isJson) out(JSON.stringify({ ok: false, differences: [difference] } satisfies JsonReport, null, 2));
  err(`The demo failed. ${difference}`);
  err(
    'npm run demo -- --keep leaves everything up, so that its workflows can be looked at in the Temporal UI.',
  );
}

/** Until Ctrl-C. */
async function linger(crew: Crew, stack: Stack): Promise<void> {
  const { apiUrl, apiKey, sandboxUrl, temporalUiUrl, signInUrl } = stack;
  err(
    `Kept up until Ctrl-C: Temporal UI ${temporalUiUrl ?? ''}, API ${apiUrl}/docs, sandbox ${sandboxUrl ?? ''}`,
  );
  err(`To read in the UI what is sealed, sign in at ${signInUrl} with ${apiKey}`);
  await crew.trouble().catch((error: unknown) => {
    if (!(error instanceof Interrupted)) throw error;
  });
}

async function main(): Promise<number> {
  const options = parseWords();
  if (options.wantsHelp) {
    out(USAGE);
    return 0;
  }
  const folder = await mkdtemp(join(tmpdir(), 'payto-demo-'));
  const crew = createCrew(err, { isTerse: true });
  onInterrupt({
    first: () => crew.interrupt(),
    second: () => {
      crew.kill();
      process.exit(INTERRUPTED);
    },
  });
  try {
    return (await run(crew, folder, options)) ? 0 : 1;
  } catch (error) {
    if (error instanceof Interrupted) return INTERRUPTED;
    failed(error, options.isJson);
    return 1;
  } finally {
    await crew.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    err(error instanceof Error ? error.message : String(error));
    process.exit(1);
  },
);
