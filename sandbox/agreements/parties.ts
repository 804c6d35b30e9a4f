// Debtor and creditor: which accounts the provider takes, and what a request stands for once it is resolved.
import { paymentAccount } from '../clients/records.js';
import type { Engine } from '../engine/parts.js';
import { type FixedCode, refuseInDetail } from '../http/refusal.js';
import type { PaymentTerms } from '../store/agreement.schema.js';
import type { AccountIdentifier, Party } from '../store/entities.schema.js';
import type { RequestParty, Terms } from './request.schema.js';

// Which account numbers and branches the provider takes. Account identifiers alone: agreements and payments both ask.
/** The branch codes with a meaning in the documented sandbox (docs/provider.md#provider-sandbox); any other six digits are good. */
const BRANCH = { unknown: '100000', withoutPayTo: '100001', cannotReceive: '100002' };

/** Which numbers are reserved is not documented: here, those that are nothing but nines. */
const RESERVED = /^9+$/;
const ZEROES = /^0+$/;

interface Rule {
  code: FixedCode;
  isBroken: (account: { branch: string; number: string }) => boolean;
}

const DEBTOR_RULES: readonly Rule[] = [
  {
    code: 'ZPAGR12',
    isBroken: ({ number }) => ZEROES.test(number),
  },
  {
    code: 'ZPAGR13',
    isBroken: ({ number }) => RESERVED.test(number),
  },
  {
    code: 'ZPAGR14',
    isBroken: ({ branch }) => branch === BRANCH.unknown,
  },
  {
    code: 'ZPUNP01',
    isBroken: ({ branch }) => branch === BRANCH.withoutPayTo,
  },
];

const CREDITOR_RULES: readonly Rule[] = [
  {
    code: 'ZPUNP03',
    isBroken: ({ number }) => ZEROES.test(number),
  },
  {
    code: 'ZPUNP04',
    isBroken: ({ number }) => RESERVED.test(number),
  },
  {
    code: 'ZPUNP05',
    isBroken: ({ branch }) => branch === BRANCH.unknown,
  },
  {
    code: 'ZPUNP02',
    isBroken: ({ branch }) => branch === BRANCH.cannotReceive,
  },
];

/** Aliases are not judged here: whether one is known shows later, by an event. */
function problemIn(rules: readonly Rule[], { type, value }: AccountIdentifier): FixedCode | undefined {
  if (type !== 'bban') return undefined;
  const account = { branch: branchOf(value), number: value.slice(7) };
  return rules.find((rule) => rule.isBroken(account))?.code;
}

/** The six digits before the hyphen of a `bban`. */
export const branchOf = (bban: string): string => bban.slice(0, 6);

/** Why no payment can come from that account under an agreement: the code of the first rule that it breaks. */
export function debtorAccountProblem(account: AccountIdentifier): FixedCode | undefined {
  return problemIn(DEBTOR_RULES, account);
}

/** Why no payment can go to that account: the code of the first rule that it breaks. */
export function creditorAccountProblem(account: AccountIdentifier): FixedCode | undefined {
  return problemIn(CREDITOR_RULES, account);
}

export function isSameAccount(one: AccountIdentifier, other: AccountIdentifier): boolean {
  return one.type === other.type && one.value === other.value;
}

// A party of a request with the account it stands for: its own, or that of a registered counterparty.

/** @throws Refusal: 422 ZPUNP00 for an unknown payment account, or one that is not the account given beside it. */
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
  throw refuseInDetail('ZPUNP00', `${role}.payment_account_uid: its account is not account_identifier`);
}

// Terms as the provider keeps them, of terms as a caller wrote them: every field is there, null where it was left out.
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
