// `payto listen`: follows the events, and forwards each to a backend in development as a webhook.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import type { Command } from 'commander';
import type { EventFilter, PaytoEvent } from '../../../client/create.js';
import { contextOf, printJson, printLines, type Context } from '../context.js';
import { usage } from '../failure.js';
import { clockTime } from '../format.js';
import { countOf, instantOf } from '../read-arguments.js';
import type { Io } from '../io.js';

interface ListenFlags {
  since?: string;
  type?: string;
  connection?: string;
  forwardTo?: string;
  secretFile?: string;
  limit?: number;
}

/** Adds the command. */
export function addListen(program: Command, io: Io): void {
  program
    .command('listen')
    .summary('follow the events, and forward them to your backend')
    .description(
      'Prints each event as it happens, and resumes after a lost connection. With --forward-to, it sends each as a signed\n' +
        'webhook, in order, to a backend on this machine. Use a webhook endpoint in production.',
    )
    .option('--since <time>', 'start with the events of this time, such as 2h (ago). Default: now', (text) =>
      instantOf(text),
    )
    .option('--type <types>', 'only these types, such as payment.*,refund.failed')
    .option('--connection <id>', 'only of this connection')
    .option('--forward-to <url>', 'send each event there as a webhook')
    .option('--secret-file <file>', 'the secret for the signatures (default: a new one, which is printed)')
    .option('--limit <count>', 'end after so many events', countOf)
    .action(async (flags: ListenFlags, self: Command) => listen(contextOf(self, io), flags));
}

async function listen(
  context: Context,
  { since, type, connection, forwardTo, secretFile, limit }: ListenFlags,
): Promise<void> {
  const { io } = context;
  const { client } = await context.api();
  const forward = forwardTo === undefined ? undefined : await forwarder(context, forwardTo, secretFile);
  io.note(`Waiting for events${since === undefined ? '' : ` since ${since}`}. Ctrl-C ends it.`);
  const onRetry = (cause: unknown, pauseMs: number): void =>
    io.note(`Lost the connection (${messageOf(cause)}). Trying again in ${Math.ceil(pauseMs / 1000)} s.`);
  // The API checks the types.
  const types = type?.split(',') as EventFilter[] | undefined;
  let count = 0;
  for await (const { event } of client.events({ since, types, connection, signal: io.signal, onRetry })) {
    const outcome = await forward?.(event);
    if (context.isJson) await printJson(context, event);
    else await printLines(context, [eventLine(context, event, outcome)]);
    if (context.isJson && outcome !== undefined) io.note(`${event.id} ${outcome}`);
    count += 1;
    if (count === limit) return;
  }
}

function eventLine(
  { locale }: Context,
  { type, resource, created_at: at }: PaytoEvent,
  outcome: string | undefined,
): string {
  const sent = outcome === undefined ? '' : `  → ${outcome}`;
  return `${clockTime(at, locale)}  ${type.padEnd(26)}  ${resource.uid}${sent}`;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const TIMEOUT_MS = 15_000;
const PAUSES_MS = [1000, 3000] as const;

/** Sends events like the worker does: https://github.com/standard-webhooks/standard-webhooks. @returns what became of an event. */
async function forwarder(
  { io }: Context,
  url: string,
  secretFile: string | undefined,
): Promise<(event: PaytoEvent) => Promise<string>> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw usage(`expected an http or https URL for --forward-to, found ${url}`);
  const secret = secretFile === undefined ? newSecret() : (await readFile(secretFile, 'utf8')).trim();
  const webhook = new Webhook(secret);
  if (secretFile === undefined) io.note(`The secret of these webhooks, for your backend: ${secret}`);
  const send = async (event: PaytoEvent): Promise<string> => {
    const [at, body] = [new Date(io.now()), JSON.stringify(event)];
    const response = await fetch(url, {
      ...{ method: 'POST', body, redirect: 'manual' },
      headers: {
        'content-type': 'application/json',
        'user-agent': 'payto-listen',
        'webhook-id': event.id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': webhook.sign(event.id, at, body),
      },
      signal: AbortSignal.any([io.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`status ${response.status}`);
    return String(response.status);
  };
  return async (event) => {
    for (const pauseMs of PAUSES_MS) {
      try {
        return await send(event);
      } catch (error) {
        io.note(`Forwarding ${event.type} failed (${reasonOf(error)}). Trying again in ${pauseMs / 1000} s.`);
        await pause(pauseMs, undefined, { signal: io.signal });
      }
    }
    return send(event).catch((error: unknown) => `not delivered: ${reasonOf(error)}`);
  };
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? error.cause.message : messageOf(error);

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
