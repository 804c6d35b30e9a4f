// POST /simulate/incoming_npp_payid_payment, …/incoming_npp_bban_payment and …/incoming_de_payment: simulate a payment into a float
// account (docs/provider.md#provider-sandbox).
import { z } from 'zod';
import { operation, type Registration } from '../calls/operation.js';
import type { Engine } from '../engine/parts.js';
import type { CallName } from '../faults/rule.schema.js';
import { parseOrRefuse, refuse } from '../http/refusal.js';
import type { FloatAccount, FloatEntry } from '../store/float-account.schema.js';
import { publishRaw } from '../webhooks/events.js';
import { bbanOf, findFloatAccount, floatAccountAt } from './accounts.js';
import { moveMoney } from './money.js';

const Branch = z.string().regex(/^\d{6}$/, 'must be six digits');
const AccountNumber = z.string().min(1).max(9);
const Name = z
  .string()
  .min(1)
  .regex(/^[ -~]+$/, 'must be printable ASCII');

const from = {
  amount: z.int().min(1).max(99_999_999_999),
  from_bsb: Branch.default('014209'),
  from_account_number: AccountNumber.default('12345678'),
};
const to = { to_bsb: Branch, to_account_number: AccountNumber };
const realTime = {
  ...from,
  debtor_name: Name.default('Simulated Debtor'),
  /** Accepted but never returned. */
  debtor_legal_name: Name.optional(),
};

/** `payment_reference` is the lodgement reference. */
const IncomingDirectEntry = z.strictObject({
  ...from,
  ...to,
  payment_reference: z.string().max(18).default('simulated-de-pymt'),
  debtor_name: Name.max(16).default('Simulated Debtor'),
});

/** `payment_reference` is the end-to-end identification. */
const IncomingNpp = z.strictObject({
  ...realTime,
  ...to,
  payment_reference: z.string().default('simulated-npp-payment'),
  payment_description: z.string().default('Simulated NPP payment'),
});

const IncomingPayId = z.strictObject({
  ...realTime,
  payid_email: z.string().min(6).max(256),
  payment_reference: z.string().default('simulated-payid-payment'),
  payment_description: z.string().default('Simulated PayID payment'),
});

type Target = { to_bsb: string; to_account_number: string } | { payid_email: string };

/** A credit from any channel. A direct entry has no description. */
type ReceivedCredit = Omit<z.output<typeof IncomingDirectEntry>, keyof typeof to> & {
  payment_description?: string | undefined;
};
type IncomingCredit = ReceivedCredit & Target;

// The webhook for a credit that matches no payment (docs/provider.md#unmatched-credits). It has its own envelope, without links.
const UNMATCHED_CREDIT = 'float_accounts.unmatched_credit.received';

export type Channel = 'new_payments_platform' | 'direct_entry';

const bban = (value: string) => ({ type: 'bban', value });

/** @param id of the transaction, and of the event. The documents do not say that it is the id of the entry. */
function formatUnmatchedCredit(
  id: string,
  account: FloatAccount,
  entry: FloatEntry,
  credit: ReceivedCredit,
  channel: Channel,
) {
  return {
    data: {
      id,
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

function formatDebtor(credit: ReceivedCredit) {
  const { payment_description: description } = credit;
  return {
    party_name: credit.debtor_name,
    reference: credit.payment_reference,
    account_identifier: bban(`${credit.from_bsb}-${credit.from_account_number}`),
    ...(description === undefined ? {} : { description }),
  };
}

interface Simulation {
  name: CallName;
  path: string;
  body: z.ZodType<IncomingCredit>;
  channel: Channel;
}

const SIMULATIONS: readonly Simulation[] = [
  {
    name: 'simulate_incoming_npp_payid_payment',
    path: '/simulate/incoming_npp_payid_payment',
    body: IncomingPayId,
    channel: 'new_payments_platform',
  },
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

/** The scope is not documented. We require the scope that reads float accounts. */
export const INCOMING_ROUTES: readonly Registration[] = SIMULATIONS.map(
  ({ name, path, body: schema, channel }) =>
    operation({ name, path, method: 'POST', scope: 'bank_accounts' }, ({ body }, engine) => {
      const request = parseOrRefuse(schema, body, 400);
      receive(engine, request, channel);
      return { status: 201, body: null };
    }),
);

/** The documents do not describe how credits are matched, so every simulated credit is unmatched. */
function receive(engine: Engine, credit: IncomingCredit, channel: Channel): void {
  receiveInto(engine, payable(engine, credit), credit, channel);
}

/** What the control API sends to an account. */
export const ReceiveCredit = z.strictObject({
  ...realTime,
  payment_reference: IncomingNpp.shape.payment_reference,
  payment_description: IncomingNpp.shape.payment_description,
  /** Of the transaction, if the notification has another id than the entry. */
  transaction_id: z.guid().optional(),
});
export type ReceiveCredit = z.input<typeof ReceiveCredit>;

/** @throws Refusal 404 for an unknown account. */
export function receiveCredit(engine: Engine, id: string, credit: ReceiveCredit): void {
  const account = findFloatAccount(engine, id);
  const { transaction_id: transactionId, ...received } = ReceiveCredit.parse(credit);
  receiveInto(engine, account, received, 'new_payments_platform', transactionId);
}

function receiveInto(
  engine: Engine,
  account: FloatAccount,
  credit: ReceivedCredit,
  channel: Channel,
  transactionId?: string,
): void {
  const { amount, payment_reference, payment_description: description = payment_reference } = credit;
  moveMoney(engine, account, { amount, description }, (entry) => {
    const id = transactionId ?? entry.id;
    const event = { id, type: UNMATCHED_CREDIT };
    const payload = formatUnmatchedCredit(id, account, entry, credit, channel);
    publishRaw(engine, { ...event, resource_uid: account.id, lane: account.id, payload });
    return event;
  });
}

/** Documented: every error is a 400. A PayID belongs to the account with its e-mail domain. */
function payable({ store }: Engine, credit: IncomingCredit): FloatAccount {
  const account =
    'payid_email' in credit
      ? [...store.floatAccounts.values()].find((it) => hasPayId(it, credit.payid_email))
      : floatAccountAt(store, bban(`${credit.to_bsb}-${credit.to_account_number}`));
  if (account?.status === 'active') return account;
  throw refuse(400, 'Validation Failed', 'No active float account has this PayID or account number');
}

const hasPayId = ({ payid_configs }: FloatAccount, email: string): boolean =>
  payid_configs.some(({ email_domain }) => email.endsWith(`@${email_domain}`));
