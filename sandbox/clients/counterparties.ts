// POST /counterparties: answers 201 with the counterparty and the uids of its accounts. Available since version 20260901.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { operation } from '../calls/operation.js';
import type { Engine } from '../engine/parts.js';
import { parseOrRefuse, refuse, refuseInDetail } from '../http/refusal.js';
import { isAtLeast } from '../http/request.js';
import { asciiText, RequestAccountIdentifier, Uid } from '../http/wire.schema.js';
import type { Counterparty, PaymentAccount, Verification } from '../store/client.schema.js';
import { primaryClient, noteChange } from './records.js';

// The body of POST /counterparties. docs/provider.md#counterparties lists its content, but not the field names of verifications, and
// of their methods only `third_party_provider`. We inferred the other names and define them here.
const text = asciiText(140);
const VerifiedAt = z.iso.datetime({ offset: true, error: 'must be a time such as 2026-10-03T02:00:00Z' });

/** Documented: a third party is identified by its name, a reference and a timestamp. */
const ByThirdParty = z.strictObject({
  method: z.literal('third_party_provider'),
  provider_name: text,
  reference: text,
  verified_at: VerifiedAt,
});
const byOwnService = { reference: text.nullish(), verified_at: VerifiedAt.nullish() };

const AccountVerification = z.discriminatedUnion('method', [
  ByThirdParty,
  z.strictObject({ method: z.literal('account_validation'), ...byOwnService }),
  z.strictObject({ method: z.literal('alias_resolution'), ...byOwnService }),
]);
export type RequestVerification = z.output<typeof AccountVerification>;

/** Account validation supports only a branch and number, alias resolution only an alias (docs/provider.md#checks). */
function fits(method: RequestVerification['method'] | undefined, accountType: string): boolean {
  if (method === 'account_validation') return accountType === 'bban';
  return method !== 'alias_resolution' || accountType !== 'bban';
}

const RequestPaymentAccount = z
  .strictObject({
    /** Other uids come from the caller and ids from the provider. This one is not documented, so both are accepted. */
    uid: Uid.nullish(),
    account_identifier: RequestAccountIdentifier,
    verification: AccountVerification.nullish(),
  })
  .refine(({ verification, account_identifier }) => fits(verification?.method, account_identifier.type), {
    path: ['verification', 'method'],
    error: 'does not match the type of the account',
  });

const CreateCounterparty = z.strictObject({
  identity: z.strictObject({ legal_name: text, verification: ByThirdParty }).nullish(),
  payment_accounts: z.array(RequestPaymentAccount).min(1).max(100),
});
type CreateCounterparty = z.output<typeof CreateCounterparty>;

// The business rules for a new counterparty. No codes are documented: each error is a field error, 422 ZPUNP00.
interface Case {
  request: CreateCounterparty;
  nowMs: number;
  /** The risk of the primary client. No field names the client of a counterparty. */
  isHighRisk: boolean;
  isTaken: (uid: string) => boolean;
}

/** The error, or undefined if the rule holds. */
type Rule = (it: Case) => string | undefined;

const RULES: readonly Rule[] = [
  // Documented: high-risk PayTo clients must send it.
  ({ isHighRisk, request: { identity } }) =>
    isHighRisk && identity == null ? 'identity: is required for a high-risk client' : undefined,
  ({ isHighRisk, request: { payment_accounts } }) => {
    const index = payment_accounts.findIndex(({ verification }) => verification == null);
    return isHighRisk && index !== -1
      ? `payment_accounts.${index}.verification: is required for a high-risk client`
      : undefined;
  },
  ({ nowMs, request }) => {
    const late = timesOf(request).find((time) => Date.parse(time) > nowMs);
    return late === undefined ? undefined : `verified_at: ${late} is in the future`;
  },
  ({ isTaken, request: { payment_accounts } }) => {
    const uids = payment_accounts.flatMap(({ uid }) => uid ?? []);
    const twice = uids.find((uid, index) => isTaken(uid) || uids.indexOf(uid) !== index);
    return twice === undefined ? undefined : `payment_accounts: uid ${twice} is already in use`;
  },
];

function checkCounterparty(engine: Engine, request: CreateCounterparty): void {
  const it: Case = {
    request,
    nowMs: engine.clock.now(),
    isHighRisk: primaryClient(engine).risk_level === 'high',
    isTaken: (uid) => engine.store.paymentAccounts.has(uid),
  };
  for (const rule of RULES) {
    const wrong = rule(it);
    if (wrong !== undefined) throw refuseInDetail('ZPUNP00', wrong);
  }
}

function timesOf({ identity, payment_accounts }: CreateCounterparty): string[] {
  const verifications = [identity?.verification, ...payment_accounts.map(({ verification }) => verification)];
  return verifications.flatMap((verification) => verification?.verified_at ?? []);
}

// The wire format of a counterparty: the request's fields, its id, and the uid of every account.
function formatCounterparty({ id, created_at, identity }: Counterparty, accounts: readonly PaymentAccount[]) {
  return {
    id,
    created_at,
    identity,
    payment_accounts: accounts.map(({ uid, account_identifier, verification }) => ({
      uid,
      account_identifier,
      verification,
    })),
  };
}

export const createCounterparty = operation(
  { name: 'create_counterparty', method: 'POST', path: '/counterparties', scope: 'counterparties' },
  ({ body, version }, engine) => {
    if (!isAtLeast(version, '20260901')) {
      throw refuse(404, 'Not Found', `There is no POST /counterparties in version ${version}`);
    }
    const request = parseOrRefuse(CreateCounterparty, body);
    checkCounterparty(engine, request);
    const id = randomUUID();
    const accounts = request.payment_accounts.map((given) => newAccount(given, id));
    const counterparty = newCounterparty(engine, request, id, accounts);
    register(engine, counterparty, accounts);
    return { status: 201, body: { data: formatCounterparty(counterparty, accounts) } };
  },
);

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
