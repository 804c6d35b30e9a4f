// The business rules for a new payment, in the order in which they are checked: the first that is broken is answered.
// The order is not documented. ZPPAY00 and 22 come before them, in `acceptance.ts`.
import { creditorAccountProblem, isSameAccount, branchOf } from '../agreements/parties.js';
import { refuseByCode, enforce, when, type Rule } from '../http/refusal.js';
import type { Agreement } from '../store/agreement.schema.js';
import type { RequestedCreditor, Case } from './request.js';
import { AMOUNT_RULES, LIMIT_RULES, DATE_RULES, VALIDITY_RULES } from './terms-rules.js';

// Whom a payment may go to: the creditor that the agreement names, or its own where the agreement names none.
interface CreditorCase {
  /** What the request says; nothing, where it relies on the agreement. */
  creditor: RequestedCreditor | null | undefined;
  agreement: Pick<Agreement, 'uid' | 'creditor'>;
}

const CREDITOR_RULES: readonly Rule<CreditorCase>[] = [
  {
    code: 'ZPPAY11',
    broken: ({ creditor, agreement }) =>
      when(creditor == null && agreement.creditor === null, `agreement ${agreement.uid} names no creditor`),
  },
  {
    code: 'ZPPAY04',
    broken: ({ creditor, agreement }) =>
      differs(creditor?.party_name, agreement.creditor?.party_name, 'party_name'),
  },
  {
    code: 'ZPPAY05',
    broken: ({ creditor, agreement }) =>
      differs(
        creditor?.ultimate_party_name ?? undefined,
        agreement.creditor?.ultimate_party_name,
        'ultimate_party_name',
      ),
  },
  {
    code: 'ZPPAY06',
    broken: ({ creditor, agreement }) =>
      when(
        creditor != null &&
          agreement.creditor !== null &&
          !isSameAccount(creditor.account_identifier, agreement.creditor.account_identifier),
        'creditor.account_identifier differs from the agreement',
      ),
  },
];

function differs(
  asked: string | undefined,
  agreed: string | null | undefined,
  name: string,
): string | undefined {
  const isBroken = asked !== undefined && agreed !== undefined && asked !== agreed;
  return when(isBroken, `creditor.${name} differs from the agreement`);
}

/** @throws Refusal of the first rule that is broken, those for a creditor's account (ZPUNP02-05) included. */
export function checkCreditor(it: CreditorCase, paymentUid: string): void {
  enforce(CREDITOR_RULES, it, paymentUid);
  const problem = it.creditor == null ? undefined : creditorAccountProblem(it.creditor.account_identifier);
  if (problem !== undefined) throw refuseByCode(problem.code, problem.detail, paymentUid);
}

/** Ours, beside the documented branch codes: an institution with this one is offline. */
const OFFLINE_BRANCH = '100003';

const STATE_RULES: readonly Rule<Case>[] = [
  {
    code: 'ZPPAY03',
    broken: ({ agreement: { uid, state } }) =>
      when(state !== 'active', `agreement ${uid} is ${state}, not active`),
  },
];

/** Naming the debtor takes a permission, and even then another payer cannot be named: only who it is ultimately. */
const PARTY_RULES: readonly Rule<Case>[] = [
  {
    code: 'ZPPAY25',
    broken: ({ request: { debtor }, customDebtor }) =>
      when(debtor != null && !customDebtor, 'this account may not name the debtor itself'),
  },
  {
    code: 'ZPPAY23',
    broken: ({ request: { debtor }, agreement }) =>
      when(
        debtor?.party_name != null && debtor.party_name !== agreement.debtor.party_name,
        'debtor.party_name differs from the agreement',
      ),
  },
  {
    code: 'ZPPAY24',
    broken: ({ request, agreement }) => {
      const creditor = request.creditor ?? agreement.creditor;
      const accounts = [agreement.debtor.account_identifier, creditor?.account_identifier];
      const isOffline = accounts.some((it) => it?.type === 'bban' && branchOf(it.value) === OFFLINE_BRANCH);
      return when(isOffline, `the institution of branch ${OFFLINE_BRANCH} is not available`);
    },
  },
];

const FLAG_RULES: readonly Rule<Case>[] = [
  {
    code: 'ZPPAY09',
    broken: ({ request, agreement: { payment_terms: terms } }) =>
      when(
        terms.type === 'balloon' && request.last_payment == null,
        'a balloon payment must say last_payment',
      ),
  },
  {
    code: 'ZPPAY10',
    broken: ({ request, agreement: { payment_terms: terms } }) =>
      when(
        terms.type !== 'balloon' && request.last_payment != null,
        'last_payment is for balloon terms alone',
      ),
  },
];

const BEFORE_THE_CREDITOR = [...STATE_RULES, ...VALIDITY_RULES, ...PARTY_RULES];
const AFTER_THE_CREDITOR = [...FLAG_RULES, ...DATE_RULES, ...AMOUNT_RULES, ...LIMIT_RULES];

/** @throws Refusal 422 with the code of the first rule that is broken. */
export function checkPayment(it: Case): void {
  const { uid, creditor } = it.request;
  enforce(BEFORE_THE_CREDITOR, it, uid);
  checkCreditor({ creditor, agreement: it.agreement }, uid);
  enforce(AFTER_THE_CREDITOR, it, uid);
}
