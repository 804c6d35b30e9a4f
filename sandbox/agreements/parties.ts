// Debtor and creditor: which accounts the provider accepts, and how it resolves the party of a request.
import { paymentAccount } from '../clients/records.js';
import type { Engine } from '../engine/parts.js';
import { type FixedCode, refuseInDetail } from '../http/refusal.js';
import type { PaymentTerms } from '../store/agreement.schema.js';
import type { AccountIdentifier, Party } from '../store/entities.schema.js';
import type { RequestParty, Terms } from './request.schema.js';

/** Branch codes with a documented meaning in the provider's sandbox (docs/provider.md#provider-sandbox). All others are valid. */
const BRANCH = { unknown: '100000', withoutPayTo: '100001', cannotReceive: '100002' };

/** The documents do not list the reserved numbers. Here, a number that consists of nines is reserved. */
const RESERVED = /^9+$/;
const ZEROES = /^0+$/;

interface Rule {
  code: FixedCode;
  isBroken: (account: { branch: string; number: string }) => boolean;
}

const DEBTOR_RULES: readonly Rule[] = [
  { code: 'ZPAGR12', isBroken: ({ number }) => ZEROES.test(number) },
  { code: 'ZPAGR13', isBroken: ({ number }) => RESERVED.test(number) },
  { code: 'ZPAGR14', isBroken: ({ branch }) => branch === BRANCH.unknown },
  { code: 'ZPUNP01', isBroken: ({ branch }) => branch === BRANCH.withoutPayTo },
];

const CREDITOR_RULES: readonly Rule[] = [
  { code: 'ZPUNP03', isBroken: ({ number }) => ZEROES.test(number) },
  { code: 'ZPUNP04', isBroken: ({ number }) => RESERVED.test(number) },
  { code: 'ZPUNP05', isBroken: ({ branch }) => branch === BRANCH.unknown },
  { code: 'ZPUNP02', isBroken: ({ branch }) => branch === BRANCH.cannotReceive },
];

/** Checks no aliases: an event reports later if an alias is unknown. */
function problemIn(rules: readonly Rule[], { type, value }: AccountIdentifier): FixedCode | undefined {
  if (type !== 'bban') return undefined;
  const account = { branch: branchOf(value), number: value.slice(7) };
  return rules.find((rule) => rule.isBroken(account))?.code;
}

/** The six digits before the hyphen of a `bban`. */
export const branchOf = (bban: string): string => bban.slice(0, 6);

/** The code of the first rule that the debtor account breaks. Undefined if payments can be taken from it. */
export function debtorAccountProblem(account: AccountIdentifier): FixedCode | undefined {
  return problemIn(DEBTOR_RULES, account);
}

/** The code of the first rule that the creditor account breaks. Undefined if payments can go to it. */
export function creditorAccountProblem(account: AccountIdentifier): FixedCode | undefined {
  return problemIn(CREDITOR_RULES, account);
}

export function isSameAccount(one: AccountIdentifier, other: AccountIdentifier): boolean {
  return one.type === other.type && one.value === other.value;
}

// A party of a request, with its account: the given one, or the account of a registered counterparty.

/** @throws Refusal 422 ZPUNP00 for an unknown payment account, or for one that differs from the account given with it. */
export function partyFrom(engine: Engine, role: 'debtor' | 'creditor', asked: RequestParty): Party {
  return {
    party_name: asked.party_name,
    ultimate_party_name: asked.ultimate_party_name ?? asked.party_name,
    account_identifier: accountOf(engine, role, asked),
    payment_account_uid: asked.payment_account_uid ?? null,
  };
}

function accountOf(
  engine: Engine,
  role: 'debtor' | 'creditor',
  { account_identifier: given, payment_account_uid: uid }: RequestParty,
): AccountIdentifier {
  if (uid == null) {
    if (given != null) return given;
    throw refuseInDetail('ZPUNP00', `${role}.account_identifier: is required`);
  }
  const registered = paymentAccount(engine, uid)?.account_identifier;
  if (registered === undefined) {
    throw refuseInDetail('ZPUNP00', `${role}.payment_account_uid: there is no payment account ${uid}`);
  }
  if (given == null || isSameAccount(given, registered)) return registered;
  throw refuseInDetail('ZPUNP00', `${role}.payment_account_uid: does not match account_identifier`);
}

// Terms as the provider stores them: a field that the caller omits is null.
export function termsFrom(terms: Terms): PaymentTerms {
  return {
    type: terms.type,
    frequency: terms.frequency,
    count: terms.count ?? null,
    max_amount: terms.max_amount ?? null,
    amount: terms.amount ?? null,
    first_payment_amount: terms.first_payment_amount ?? null,
    last_payment_amount: terms.last_payment_amount ?? null,
    first_payment_date: terms.first_payment_date ?? null,
    last_payment_date: terms.last_payment_date ?? null,
  };
}
