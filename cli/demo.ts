// `npm run demo`: runs the product end to end. Exits with 0 only if the provider's ledger and the workflows agree.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readForeignVariables } from './config.js';
import {
  createProcessGroup,
  Interrupted,
  INTERRUPTED,
  onInterrupt,
  type ProcessGroup,
} from './stack/process-group.js';
import { perform } from './demo/perform.js';
import { openEndpoint } from './demo/events.js';
import { FLOAT_SETTINGS, performFloat } from './demo/float/perform.js';
import { performOnboarding } from './demo/onboarding.js';
import { performPayments } from './demo/payments/perform.js';
import { paymentsReport } from './demo/payments/report.js';
import { reportOf, type JsonReport, type Report } from './demo/report.js';
import type { LogStep } from './demo/scene.js';
import { bringUp, type Stack } from './stack/bring-up.js';
import { freshWiring } from './stack/wiring.js';

const USAGE = `npm run demo -- [agreements | payments | onboarding | float] [options]

Starts everything on free ports with a temporary data folder, runs three agreements from consent to their end, and
compares the provider's ledger with the workflows. At the end it prints the events that an endpoint has received. Exits
with 0 if all agree.

  payments     three months of a payment plan: one payment is partly refunded, one is retried, one is stopped
  onboarding   one request with a client, its counterparty, an agreement and the first payment
  float        a week of a float account: payments, a refund, unmatched credits, and what the settlement reports lack

  --json   print one JSON document on standard output, and the steps on standard error (npm run -s demo -- --json)
  --keep   leave everything running until Ctrl-C, to inspect the links
  --help   show this text`;

const out = (line: string): void => void process.stdout.write(`${line}\n`);
const err = (line: string): void => void process.stderr.write(`${line}\n`);

type Plot = (stack: Stack, logStep: LogStep, signal: AbortSignal) => Promise<Report>;

const PLOTS: Readonly<Record<string, Plot>> = {
  agreements: async (...given) => reportOf(await perform(...given)),
  payments: async (...given) => paymentsReport(await performPayments(...given)),
  onboarding: performOnboarding,
  float: performFloat,
};

/** Settings that a plot needs. */
const SETTINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = { float: FLOAT_SETTINGS };

interface Options {
  plot: Plot;
  settings: Readonly<Record<string, string>>;
  isJson: boolean;
  isStored: boolean;
  wantsHelp: boolean;
}

function parseOptions(): Options {
  const options = {
    json: { type: 'boolean' },
    keep: { type: 'boolean' },
    help: { type: 'boolean' },
  } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [name = 'agreements', ...more] = positionals;
  const plot = PLOTS[name];
  if (plot === undefined || more.length > 0)
    throw new Error(
      `expected ${Object.keys(PLOTS).join(' or ')}, found ${positionals.join(' ')}; see --help`,
    );
  return {
    plot,
    settings: SETTINGS[name] ?? {},
    isJson: values.json === true,
    isStored: values.keep === true,
    wantsHelp: values.help === true,
  };
}

/** `+ 3.2 s  agreement demo-1  payer accepted → active  http://…` */
const stepLogger =
  (print: (line: string) => void): LogStep =>
  (about, what, link) => {
    const seconds = (performance.now() / 1000).toFixed(1).padStart(4);
    print(`+ ${seconds} s  ${about.padEnd(22)}  ${what}${link ? `  ${link}` : ''}`);
  };

/** Returns true if the ledger and the workflows agree. */
async function run(
  group: ProcessGroup,
  folder: string,
  { plot, settings, isJson, isStored: isKept }: Options,
): Promise<boolean> {
  const toTerminal = isJson ? err : out;
  const logStep = stepLogger((line) => void (group.signal.aborted || toTerminal(line)));
  const stack = await bringUp(await freshWiring(folder, { ...readForeignVariables(), ...settings }), {
    group,
    print: (line) => logStep('everything', line),
    onLine: () => undefined,
  });
  logStep('everything', 'is running', stack.temporalUiUrl);
  const endpoint = await openEndpoint(stack);
  const played = async (): Promise<Report> => endpoint.reportTo(await plot(stack, logStep, group.signal));
  const report = await group
    .guard(played())
    .catch((error: unknown) => failed(error, isJson))
    .finally(endpoint.close);
  if (report !== undefined) out(isJson ? JSON.stringify(report.json, null, 2) : `\n${report.text}`);
  if (isKept) await linger(group, stack);
  return report?.json.ok === true;
}

/** Reports the failure in the requested format. */
function failed(error: unknown, isJson: boolean): undefined {
  if (error instanceof Interrupted) throw error;
  const difference = error instanceof Error ? error.message : String(error);
  if (isJson) out(JSON.stringify({ ok: false, differences: [difference] } satisfies JsonReport, null, 2));
  err(`The demo failed. ${difference}`);
  err('Run npm run demo -- --keep to leave everything running and inspect the workflows in the Temporal UI.');
}

/** Waits until Ctrl-C. */
async function linger(group: ProcessGroup, stack: Stack): Promise<void> {
  const { apiUrl, apiKey, sandboxUrl, temporalUiUrl, signInUrl } = stack;
  err(
    `Running until Ctrl-C: Temporal UI ${temporalUiUrl ?? ''}, API ${apiUrl}/docs, sandbox ${sandboxUrl ?? ''}`,
  );
  err(`To decrypt payloads in the UI, sign in at ${signInUrl} with ${apiKey}`);
  await group.trouble().catch((error: unknown) => {
    if (!(error instanceof Interrupted)) throw error;
  });
}

async function main(): Promise<number> {
  const options = parseOptions();
  if (options.wantsHelp) {
    out(USAGE);
    return 0;
  }
  const folder = await mkdtemp(join(tmpdir(), 'payto-demo-'));
  const group = createProcessGroup(err, { isTerse: true });
  onInterrupt(group);
  try {
    return (await run(group, folder, options)) ? 0 : 1;
  } catch (error) {
    if (error instanceof Interrupted) return INTERRUPTED;
    failed(error, options.isJson);
    return 1;
  } finally {
    await group.stop();
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
