// POST /counterparties: 201 with the counterparty and the uids of its accounts. From version 20260901 on.
import { randomUUID } from 'node:crypto';
import type { Engine } from '../engine.js';
import { registerOperation } from '../http/operation.js';
import { refusalFrom, refuse } from '../http/refusal.js';
import type { Router } from '../http/responses.js';
import { isAtLeast } from '../http/version.js';
import { noteChange } from './client-ledger.js';
import { checkCounterparty } from './counterparty-rules.js';
import type { Counterparty, PaymentAccount, Verification } from './counterparty.schema.js';
import { CreateCounterparty, type RequestVerification } from './create-counterparty.schema.js';
import { formatCounterparty } from './format-counterparty.js';

const OPERATION = {
  name: 'create_counterparty',
  method: 'POST',
  path: '/counterparties',
  scope: 'counterparties',
} as const;

export function registerCreateCounterparty(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ body, version }) => {
    if (!isAtLeast(version, '20260901')) {
      throw refuse(404, 'Not Found', `There is no POST /counterparties on version ${version}`);
    }
    const parsed = CreateCounterparty.safeParse(body);
    if (!parsed.success) throw refusalFrom(parsed.error);
    checkCounterparty(engine, parsed.data);
    const id = randomUUID();
    const accounts = parsed.data.payment_accounts.map((given) => newAccount(given, id));
    const counterparty = newCounterparty(engine, parsed.data, id, accounts);
    register(engine, counterparty, accounts);
    return { status: 201, body: { data: formatCounterparty(counterparty, accounts) } };
  });
}

function newCounterparty(
  { clock }: Engine,
  { identity }: CreateCounterparty,
  id: string,
  accounts: readonly PaymentAccount[],
): Counterparty {
  return {
    id,
    created_at: clock.iso(),
    identity:
      identity == null
        ? null
        : { legal_name: identity.legal_name, verification: newVerification(identity.verification) },
    payment_account_uids: accounts.map(({ uid }) => uid),
  };
}

function newAccount(
  { uid, account_identifier, verification }: CreateCounterparty['payment_accounts'][number],
  counterpartyId: string,
): PaymentAccount {
  return {
    uid: uid ?? randomUUID(),
    counterparty_id: counterpartyId,
    account_identifier,
    verification: verification == null ? null : newVerification(verification),
  };
}

function newVerification(given: RequestVerification): Verification {
  return {
    method: given.method,
    provider_name: 'provider_name' in given ? given.provider_name : null,
    reference: given.reference ?? null,
    verified_at: given.verified_at == null ? null : new Date(given.verified_at).toISOString(),
  };
}

function register(engine: Engine, counterparty: Counterparty, accounts: readonly PaymentAccount[]): void {
  const { counterparties, paymentAccounts } = engine.store;
  counterparties.set(counterparty.id, counterparty);
  for (const account of accounts) paymentAccounts.set(account.uid, account);
  noteChange(engine, 'counterparty', counterparty.id, { from: null, to: 'registered' });
}
