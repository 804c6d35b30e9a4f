// The control routes: no token, JSON in and out, and a refusal that says what was wrong with the request.
import type { Hono } from 'hono';
import type { z } from 'zod';
import { refuse } from '../http/refusal.js';
import type { Env, RequestContext } from '../http/responses.js';
import type { Control } from './control.js';
import {
  ActAsPayer,
  AddFault,
  AdvanceClock,
  LedgerQuery,
  Nothing,
  RevokeGrants,
  ScriptPayer,
  ScriptPayment,
  SetWebhook,
} from './requests.schema.js';

type Answer = object | Promise<object>;
interface ControlRoute {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  answer: (c: RequestContext, control: Control) => Answer;
}

const DONE = { done: true };

const ROUTES: readonly ControlRoute[] = [
  { method: 'GET', path: '/state', answer: (_, control) => control.state() },
  {
    method: 'GET',
    path: '/ledger',
    answer: (c, control) => ({ data: control.ledger(parse(LedgerQuery, c.req.query()).since) }),
  },
  {
    method: 'POST',
    path: '/clock',
    answer: async (c, control) => control.advance((await read(c, AdvanceClock)).advance_seconds),
  },
  {
    method: 'PUT',
    path: '/payers/:uid',
    answer: async (c, control) => {
      control.scriptPayer(uidOf(c), await read(c, ScriptPayer));
      return DONE;
    },
  },
  {
    method: 'PUT',
    path: '/payments-script/:uid',
    answer: async (c, control) => {
      control.scriptPayment(uidOf(c), await read(c, ScriptPayment));
      return DONE;
    },
  },
  {
    method: 'POST',
    path: '/agreements/:uid/payer',
    answer: async (c, control) => {
      control.actAsPayer(uidOf(c), (await read(c, ActAsPayer)).action);
      return DONE;
    },
  },
  {
    method: 'POST',
    path: '/faults',
    answer: async (c, control) => control.addFault(await read(c, AddFault)),
  },
  {
    method: 'DELETE',
    path: '/faults',
    answer: (_, control) => {
      control.clearFaults();
      return DONE;
    },
  },
  {
    method: 'DELETE',
    path: '/faults/:uid',
    answer: (c, control) => {
      control.removeFault(uidOf(c));
      return DONE;
    },
  },
  {
    method: 'PUT',
    path: '/webhook',
    answer: async (c, control) => {
      const { url, secret } = await read(c, SetWebhook);
      if (url !== undefined) control.setWebhookUrl(url);
      if (secret !== undefined) control.setWebhookSecret(secret);
      return DONE;
    },
  },
  {
    method: 'POST',
    path: '/webhooks/flush',
    answer: async (c, control) => {
      await read(c, Nothing);
      await control.flushWebhooks();
      return DONE;
    },
  },
  {
    method: 'POST',
    path: '/grants/revoke',
    answer: async (c, control) => {
      control.revokeGrants((await read(c, RevokeGrants)).grant);
      return DONE;
    },
  },
  {
    method: 'POST',
    path: '/reset',
    answer: async (c, control) => {
      await read(c, Nothing);
      control.reset();
      return DONE;
    },
  },
];

export function registerControl(app: Hono<Env>, control: Control): void {
  for (const { method, path, answer } of ROUTES) {
    app.on(method, `/_control${path}`, async (c) => c.json(await answer(c, control)));
  }
}

function uidOf(c: RequestContext): string {
  return c.req.param('uid') ?? '';
}

/** An empty body counts as `{}`. */
async function read<Schema extends z.ZodType>(c: RequestContext, schema: Schema): Promise<z.output<Schema>> {
  const text = await c.req.text();
  let body: unknown = {};
  try {
    if (text.trim() !== '') body = JSON.parse(text);
  } catch {
    throw refuse(400, 'Bad control request', 'The body must be JSON');
  }
  return parse(schema, body);
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'request'}: ${message}`,
  );
  throw refuse(400, 'Bad control request', details.join('; '));
}
