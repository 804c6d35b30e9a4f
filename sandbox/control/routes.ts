// The control API over HTTP. It needs no token, takes and returns JSON, and explains each refusal.
import type { Hono } from 'hono';
import type { z } from 'zod';
import { Refusal, refuse } from '../http/refusal.js';
import type { RequestContext, Env } from '../http/responses.js';
import { ActionScript } from '../store/action.schema.js';
import { ReceiveCredit } from '../float-accounts/incoming.js';
import { PatchFloatAccount } from '../store/float-account.schema.js';
import type { Control } from './create.js';
import * as requests from './requests.schema.js';
import { AddFault } from './requests.schema.js';

// A control route parses its input, then calls one function of the control API.
export interface ControlRoute {
  method: string;
  path: string;
  answer: (c: RequestContext, control: Control) => Promise<object>;
}

/** The answer if the function returns nothing. */
const DONE = { done: true };

/** A GET route with a validated query. */
function question<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  ask: (control: Control, query: z.output<Schema>) => object,
): ControlRoute {
  return {
    method: 'GET',
    path,
    answer: (c, control) => Promise.resolve(ask(control, parse(schema, c.req.query()))),
  };
}

/** @param route method and path. The `:uid` in the path is passed to `act`. */
function command<Schema extends z.ZodType>(
  route: `${'POST' | 'PUT' | 'DELETE'} ${string}`,
  schema: Schema,
  act: (control: Control, body: z.output<Schema>, uid: string) => object | void | Promise<object | void>,
): ControlRoute {
  const [method = '', path = ''] = route.split(' ');
  return {
    method,
    path,
    answer: async (c, control) =>
      (await act(control, await read(c, schema), c.req.param('uid') ?? '')) ?? DONE,
  };
}

/** An empty body counts as `{}`. */
async function read<Schema extends z.ZodType>(c: RequestContext, schema: Schema): Promise<z.output<Schema>> {
  const text = await c.req.text();
  let body: unknown = {};
  try {
    if (text.trim() !== '') body = JSON.parse(text);
  } catch {
    throw refuse(400, 'Invalid control request', 'The body must be JSON');
  }
  return parse(schema, body);
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'request'}: ${message}`,
  );
  throw refuse(400, 'Invalid control request', details.join('; '));
}

const ROUTES: readonly ControlRoute[] = [
  question('/state', requests.Nothing, (control) => control.state()),
  question('/ledger', requests.LedgerQuery, (control, { since, ...filter }) => ({
    data: control.ledger(since, filter),
  })),
  question('/deliveries', requests.Nothing, (control) => ({ data: control.deliveries() })),
  question('/faults', requests.Nothing, (control) => ({ data: control.state().faults })),

  command('POST /clock', requests.AdvanceClock, (control, { advance_seconds }) =>
    control.advance(advance_seconds),
  ),
  command('PUT /payers/:uid', requests.ScriptPayer, (control, script, uid) =>
    control.scriptPayer(uid, script),
  ),
  command('PUT /payments-script/:uid', requests.ScriptPayment, (control, script, uid) =>
    control.scriptPayment(uid, script),
  ),
  command('PUT /agreements/:uid/script', ActionScript, (control, script, uid) =>
    control.scriptAction(uid, script),
  ),
  command('POST /agreements/:uid/payer', requests.ActAsPayer, (control, { action }, uid) =>
    control.actAsPayer(uid, action),
  ),
  command('POST /agreements/:uid/service', requests.ActAsService, (control, { action }, uid) =>
    control.actAsService(uid, action),
  ),
  command('POST /payments/:uid/outcome', requests.ResolvePayment, (control, { outcome }, uid) =>
    control.resolvePayment(uid, outcome),
  ),
  command(
    'PUT /clients/:uid',
    requests.SetMerchantCategory,
    (control, { merchant_category_code: code }, id) => control.setMerchantCategory(id, code),
  ),
  command('PUT /clients/:uid/services', requests.SetClientService, (control, { service, status }, id) =>
    control.setClientService(id, service, status),
  ),
  command('PUT /float-accounts/:uid', PatchFloatAccount, (control, patch, id) =>
    control.patchFloatAccount(id, patch),
  ),

  command('POST /float-accounts/:uid/credits', ReceiveCredit, (control, credit, id) =>
    control.receiveCredit(id, credit),
  ),
  command('DELETE /float-entries/:uid', requests.Nothing, (control, _, id) => control.loseFloatEntry(id)),
  command('PUT /settlement/:uid', requests.OmitFromReport, (control, settlement, uid) =>
    control.omitFromReport(uid, settlement),
  ),
  command('PUT /clock', requests.SetClock, (control, { now }) => control.setClock(now)),

  command('POST /faults', AddFault, (control, rule) => control.addFault(rule)),
  command('DELETE /faults', requests.Nothing, (control) => control.clearFaults()),
  command('DELETE /faults/:uid', requests.Nothing, (control, _, id) => control.removeFault(id)),
  command('PUT /seed', requests.SetSeed, (control, { seed }) => control.setSeed(seed)),

  command('PUT /limits', requests.SetLimits, (control, limits) => control.setLimits(limits)),
  command('PUT /organisation', requests.SetOrganisation, (control, organisation) =>
    control.setOrganisation(organisation),
  ),
  command('PUT /application', requests.SetApplication, (control, application) =>
    control.setApplication(application),
  ),
  command('PUT /oauth', requests.SetOAuth, (control, oauth) => control.setOAuth(oauth)),
  command('PUT /webhook', requests.SetWebhook, (control, { url, secret }) => {
    if (url !== undefined) control.setWebhookUrl(url);
    if (secret !== undefined) control.setWebhookSecret(secret);
  }),
  command('POST /webhooks/flush', requests.Nothing, (control) => control.flushWebhooks()),
  command('POST /grants/revoke', requests.RevokeGrants, (control, { grant }) => control.revokeGrants(grant)),
  command('POST /reset', requests.Nothing, (control) => control.reset()),
];

export function registerControl(app: Hono<Env>, control: Control): void {
  for (const { method, path, answer } of ROUTES) {
    app.on(method, `/_control${path}`, async (c) => c.json(await explained(() => answer(c, control))));
  }
}

/** A 404 of the provider API has no body. In the control API it names the missing resource. */
async function explained(act: () => Promise<object>): Promise<object> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Refusal && error.status === 404 && error.errors.length === 0) {
      throw refuse(404, 'Not Found', error.message);
    }
    throw error;
  }
}
