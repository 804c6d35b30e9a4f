// POST /simulate/incoming_npp_bban_payment and …/incoming_de_payment: a payer pays into a float account (docs/provider.md#provider-sandbox).
import { z } from 'zod';
import { registerOperation } from '../calls/operation.js';
import type { Engine } from '../engine/parts.js';
import { parseOrRefuse, refuseInASentence } from '../http/refusal.js';
import type { Router } from '../http/responses.js';
import { asciiText, Cents } from '../http/wire.schema.js';
import type { FloatAccount, FloatEntry } from '../store/float-account.schema.js';
import { publishRaw } from '../webhooks/events.js';
import { bbanOf, floatAccountAt, formatFloatEntry } from './accounts.js';
import { moveMoney } from './money.js';

// The bodies of POST /simulate/incoming_*. Three fields are documented (docs/provider.md#provider-sandbox); the others, all optional, are ours.
const Branch = z.string().regex(/^\d{3}-?\d{3}$/, 'must be six digits');

const fields = {
  to_bsb: Branch,
  to_account_number: z.string().min(1).max(28),
  amount: Cents,
  from_bsb: Branch.default('200001'),
  from_account_number: z
    .string()
    .regex(/^\d{1,9}$/, 'must be up to 9 digits')
    .default('12340001'),
  debtor_name: asciiText(140).default('Sandbox Payer'),
};

/** `reference` is the lodgement reference. */
export const IncomingDirectEntry = z.strictObject({ ...fields, reference: asciiText(18).default('SANDBOX') });

/** `reference` is the end-to-end identification. */
export const IncomingNpp = z.strictObject({
  ...fields,
  reference: asciiText(35).default('NOTPROVIDED'),
  description: asciiText(280).optional(),
});

/** As either channel has it; a direct entry has no description. */
export type IncomingCredit = z.output<typeof IncomingDirectEntry> & { description?: string | undefined };

// The webhook of a credit that no payment announced (docs/provider.md#unmatched-credits): an envelope of its own, without links.
export const UNMATCHED_CREDIT = 'float_accounts.unmatched_credit.received';

export type Channel = 'new_payments_platform' | 'direct_entry';

const bban = (value: string) => ({ type: 'bban', value });

/** @param entry its id is that of the transaction, by which the event is known as well. */
export function formatUnmatchedCredit(
  account: FloatAccount,
  entry: FloatEntry,
  credit: IncomingCredit,
  channel: Channel,
) {
  return {
    data: {
      id: entry.id,
      type: 'FloatBankTransaction',
      received_at: entry.created_at,
      amount: entry.amount,
      description: entry.description,
      channel,
      creditor: {
        id: account.id,
        type: 'FloatBankAccount',
        party_name: account.title,
        account_identifier: bban(bbanOf(account)),
        owner: { id: account.owner_id, type: 'Account' },
      },
      debtor: formatDebtor(credit),
    },
    event: {
      at: entry.created_at,
      type: UNMATCHED_CREDIT,
      who: {
        account_id: account.owner_id,
        account_type: 'Account',
        bank_account_id: account.id,
        bank_account_type: 'BankAccount',
      },
    },
  };
}

function formatDebtor({
  debtor_name,
  reference,
  from_bsb,
  from_account_number,
  description,
}: IncomingCredit) {
  return {
    party_name: debtor_name,
    reference,
    account_identifier: bban(`${digits(from_bsb)}-${from_account_number}`),
    ...(description === undefined ? {} : { description }),
  };
}

/** A branch code may be written `200-001`. */
export const digits = (branch: string): string => branch.replace('-', '');

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
      const request = parseOrRefuse(schema, body);
      const entry = receive(engine, request, channel);
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
