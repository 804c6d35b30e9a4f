// A backend on the API. It onboards payers, takes their first payments, keeps a ledger by events, and reconciles it.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import pLimit from 'p-limit';
import { z } from 'zod';
// In your backend: from 'payto-agreements/client'
import {
  ApiProblem,
  WebhookError,
  answerOf,
  createClient,
  verifyWebhook,
  type Agreement,
  type Payment,
  type WebhookEvent,
} from '../../client/create.js';

const settings = z
  .object({
    PAYTO_URL: z.url(),
    PAYTO_API_KEY: z.string(),
    PAYTO_WEBHOOK_SECRET: z.string(),
    PORT: z.coerce.number(),
    STATE_FILE: z.string().default('backend.json'),
  })
  .parse(process.env);
const client = createClient({ url: settings.PAYTO_URL, apiKey: settings.PAYTO_API_KEY });

/** The state is in memory and in one file. In your backend, store an event and its changes in one transaction of a database. */
interface StoredState {
  /** Where to continue in the feed. */
  cursor?: string | undefined;
  handledEvents: string[];
  ledger: Record<string, { version: number; state: string; amount: number; settledOn?: string }>;
}
const state = await readState();
const oneAtATime = pLimit(1);

async function readState(): Promise<StoredState> {
  try {
    return JSON.parse(await readFile(settings.STATE_FILE, 'utf8')) as StoredState;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { handledEvents: [], ledger: {} };
    throw error;
  }
}

/** Each event comes twice, by webhook and from the feed, and either may repeat it. Ignore types that you do not use. */
async function handle(event: WebhookEvent, cursor = state.cursor): Promise<void> {
  if (!state.handledEvents.includes(event.id)) {
    if (event.type === 'agreement.active') await takeFirstPayment(event.data);
    if (event.type === 'payment.settled' || event.type === 'payment.failed')
      enter(event.data, event.resource.version, event.created_at);
    state.handledEvents.push(event.id);
  }
  state.cursor = cursor;
  await writeFile(`${settings.STATE_FILE}.new`, JSON.stringify(state));
  await rename(`${settings.STATE_FILE}.new`, settings.STATE_FILE);
}

async function takeFirstPayment({ uid, metadata }: Agreement): Promise<void> {
  const amount = Number(metadata?.['first_payment']);
  if (!amount) return; // It is not an agreement of this backend.
  // Your own uid makes a repeat harmless: it never pays twice.
  const body = { uid: `${uid}-first`, amount, reference: 'First payment', description: 'First payment' };
  const call = client.POST('/v1/agreements/{uid}/payments', { params: { path: { uid } }, body });
  await answerOf(call).catch((error: unknown) => {
    if (!(error instanceof ApiProblem) || !isRefused(error.status)) throw error;
    console.error(`no first payment under ${uid}: ${error.message}`);
  });
}

/** No repeat changes it: for example, the agreement has ended since. After any other error the event is repeated. */
const isRefused = (status: number): boolean =>
  status >= 400 && status < 500 && ![401, 403, 408, 425, 429].includes(status);

/** Webhooks and the feed are not in step, so an older event of the same payment may come later. */
function enter({ uid, amount, state: now }: Payment, version: number, at: string): void {
  if ((state.ledger[uid]?.version ?? 0) > version) return;
  const settledOn = now === 'settled' ? { settledOn: inSydney(at) } : {};
  state.ledger[uid] = { version, state: now, amount: amount ?? 0, ...settledOn };
}

const inSydney = (instant: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney' }).format(new Date(instant));

const Uid = z.string().regex(/^[\w~.-]{1,58}$/); // With `-first`, at most 64 characters.
const Payer = z.object({
  ...{ agreement: Uid, connection: z.string(), name: z.string(), account: z.string() },
  first_payment: z.int().positive(),
});

const app = new Hono();

app.post('/payers', async (c) => {
  const { agreement, connection, name, account, first_payment } = Payer.parse(await c.req.json());
  const body = {
    ...{ uid: agreement, connection, purpose: 'utility' as const, description: 'Monthly plan' },
    debtor: { party_name: name, account_identifier: { type: 'bban' as const, value: account } },
    creditor: {
      party_name: 'B Biller',
      account_identifier: { type: 'bban' as const, value: '200002-55550001' },
    },
    payment_terms: { type: 'variable' as const, frequency: 'adhoc' as const, max_amount: first_payment },
    metadata: { first_payment },
  };
  const { data } = await answerOf(client.POST('/v1/agreements', { body }));
  return c.json({ agreement: data.uid, state: data.state }, 202);
});

app.post('/webhooks', async (c) => {
  // The signature is over the body as it arrived, so verify before you parse.
  const [secret, { headers }] = [settings.PAYTO_WEBHOOK_SECRET, c.req.raw];
  const event = await verifyWebhook({ secret, headers, body: await c.req.text() });
  await oneAtATime(() => handle(event));
  return c.body(null, 204);
});

app.get('/ledger', (c) => c.json(state.ledger));

app.get('/reconciliation/:day', async (c) => {
  const [day, connection] = [c.req.param('day'), c.req.query('connection')];
  const call = client.GET('/v1/reconciliation/{day}', {
    params: { path: { day }, query: connection ? { connection } : {} },
  });
  const { payments, exceptions } = (await answerOf(call)).data;
  const settled = Object.values(state.ledger).filter(({ settledOn }) => settledOn === day);
  const ledger = { count: settled.length, amount: settled.reduce((sum, { amount }) => sum + amount, 0) };
  return c.json({ ledger, api: payments.settled, report: payments.reported, exceptions });
});

app.onError((error, c) => {
  if (error instanceof WebhookError || error instanceof z.ZodError) return c.text(error.message, 400);
  console.error(error);
  return c.text('Try again later.', 500); // The API repeats the webhook.
});

serve({ fetch: app.fetch, port: settings.PORT }, () => console.log(`backend listening on ${settings.PORT}`));

// The feed also has what happened while this process was off. Without a cursor, it starts with the oldest event.
let since: string | undefined;
for (;;) {
  try {
    for await (const { event, cursor } of client.events({ cursor: state.cursor, since, mode: 'poll' }))
      await oneAtATime(() => handle(event, cursor));
  } catch (error) {
    console.error(error);
    if (error instanceof ApiProblem && error.code === 'events_expired') {
      // Events were deleted while this process was off. In your backend, read the lists with `changed_after` first.
      state.cursor = undefined;
      since = /since=([\d:T.-]+Z)/.exec(error.message)?.[1] ?? new Date().toISOString();
    }
    await delay(5000);
  }
}
