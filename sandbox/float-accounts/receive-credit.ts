// POST /simulate/incoming_npp_bban_payment and …/incoming_de_payment: somebody pays into a float account (facts 16).
import type { z } from 'zod';
import type { Engine } from '../engine.js';
import { digits, formatUnmatchedCredit, UNMATCHED_CREDIT, type Channel } from './format-unmatched-credit.js';
import { floatAccountAt } from './float-account-at.js';
import type { FloatAccount, FloatEntry } from './float-account.schema.js';
import { formatFloatEntry } from './format-float-account.js';
import { IncomingDirectEntry, IncomingNpp, type IncomingCredit } from './incoming-credit.schema.js';
import { moveMoney } from './move-money.js';
import { publishRaw } from '../webhooks/events.js';
import { registerOperation } from '../http/operation.js';
import { refusalFrom, refuseInASentence } from '../http/refusal.js';
import type { Router } from '../http/responses.js';

interface Simulation {
  name: 'simulate_incoming_npp_bban_payment' | 'simulate_incoming_de_payment';
  path: string;
  body: z.ZodType<IncomingCredit>;
  channel: Channel;
}

const SIMULATIONS: readonly Simulation[] = [
  {
    name: 'simulate_incoming_npp_bban_payment',
    path: '/simulate/incoming_npp_bban_payment',
    body: IncomingNpp,
    channel: 'new_payments_platform',
  },
  {
    name: 'simulate_incoming_de_payment',
    path: '/simulate/incoming_de_payment',
    body: IncomingDirectEntry,
    channel: 'direct_entry',
  },
];

/** The scope is not documented: the one that float accounts are read with. */
export function registerReceiveCredit(router: Router, engine: Engine): void {
  for (const { name, path, body: schema, channel } of SIMULATIONS) {
    registerOperation(router, engine, { name, path, method: 'POST', scope: 'bank_accounts' }, ({ body }) => {
      const parsed = schema.safeParse(body);
      if (!parsed.success) throw refusalFrom(parsed.error);
      const entry = receive(engine, parsed.data, channel);
      return { status: 201, body: { data: formatFloatEntry(entry, engine.settings.baseUrl) } };
    });
  }
}

/** Nothing says what a credit is matched by, so all that comes in this way is unmatched. */
function receive(engine: Engine, credit: IncomingCredit, channel: Channel): FloatEntry {
  const account = payable(engine, credit);
  const { amount, reference, description = reference } = credit;
  return moveMoney(engine, account, { amount, description }, (entry) => {
    const event = { id: entry.id, type: UNMATCHED_CREDIT };
    const payload = formatUnmatchedCredit(account, entry, credit, channel);
    publishRaw(engine, { ...event, resource_uid: account.id, lane: account.id, payload });
    return event;
  });
}

function payable({ store }: Engine, { to_bsb, to_account_number }: IncomingCredit): FloatAccount {
  const value = `${digits(to_bsb)}-${to_account_number}`;
  const account = floatAccountAt(store, { type: 'bban', value });
  if (account === undefined) throw refuseInASentence(404, `There is no float account ${value}`);
  if (account.status === 'active') return account;
  throw refuseInASentence(422, `Float account ${value} takes no money any more`);
}
