// Which account numbers and branches the provider takes. Account identifiers alone: agreements and payments both ask.
import type { AccountIdentifier } from '../entities.schema.js';
import type { ErrorCode } from '../http/refusal.js';

export interface AccountProblem {
  code: ErrorCode;
  detail: string;
}

/** The branch codes with a meaning in the documented sandbox (facts 16); any other six digits are good. */
const BRANCH = { unknown: '100000', withoutPayTo: '100001', cannotReceive: '100002' };

/** Which numbers are reserved is not documented: here, those that are nothing but nines. */
const RESERVED = /^9+$/;
const ZEROES = /^0+$/;

interface Rule extends AccountProblem {
  isBroken: (account: { branch: string; number: string }) => boolean;
}

const DEBTOR_RULES: readonly Rule[] = [
  {
    code: 'ZPAGR12',
    detail: 'the debtor account number is zeroes',
    isBroken: ({ number }) => ZEROES.test(number),
  },
  {
    code: 'ZPAGR13',
    detail: 'the debtor account number is reserved',
    isBroken: ({ number }) => RESERVED.test(number),
  },
  {
    code: 'ZPAGR14',
    detail: 'the branch of the debtor account is not known',
    isBroken: ({ branch }) => branch === BRANCH.unknown,
  },
  {
    code: 'ZPUNP01',
    detail: 'the institution of the debtor does not support PayTo',
    isBroken: ({ branch }) => branch === BRANCH.withoutPayTo,
  },
];

const CREDITOR_RULES: readonly Rule[] = [
  {
    code: 'ZPUNP03',
    detail: 'the creditor account number is zeroes',
    isBroken: ({ number }) => ZEROES.test(number),
  },
  {
    code: 'ZPUNP04',
    detail: 'the creditor account number is reserved',
    isBroken: ({ number }) => RESERVED.test(number),
  },
  {
    code: 'ZPUNP05',
    detail: 'the branch of the creditor account is not known',
    isBroken: ({ branch }) => branch === BRANCH.unknown,
  },
  {
    code: 'ZPUNP02',
    detail: 'the creditor account cannot receive real-time funds',
    isBroken: ({ branch }) => branch === BRANCH.cannotReceive,
  },
];

/** Aliases are not judged here: whether one is known shows later, by an event. */
function problemIn(rules: readonly Rule[], { type, value }: AccountIdentifier): AccountProblem | undefined {
  if (type !== 'bban') return undefined;
  const account = { branch: branchOf(value), number: value.slice(7) };
  const broken = rules.find((rule) => rule.isBroken(account));
  return broken && { code: broken.code, detail: broken.detail };
}

/** The six digits before the hyphen of a `bban`. */
export const branchOf = (bban: string): string => bban.slice(0, 6);

/** Why nobody can pay from that account under an agreement: the first rule that it breaks. */
export function debtorAccountProblem(account: AccountIdentifier): AccountProblem | undefined {
  return problemIn(DEBTOR_RULES, account);
}

/** Why nobody can be paid into that account: the first rule that it breaks. */
export function creditorAccountProblem(account: AccountIdentifier): AccountProblem | undefined {
  return problemIn(CREDITOR_RULES, account);
}

export function isSameAccount(one: AccountIdentifier, other: AccountIdentifier): boolean {
  return one.type === other.type && one.value === other.value;
}
