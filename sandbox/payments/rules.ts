// The business rules for a new payment, in the order of the checks. The first broken rule is the answer. The order is not
// documented. `acceptance.ts` checks ZPPAY00 and ZPPAY22 before them.
import { creditorAccountProblem, isSameAccount, branchOf } from '../agreements/parties.js';
import { refuseByCode, enforce, type Rule } from '../http/refusal.js';
import type { Agreement } from '../store/agreement.schema.js';
import type { RequestedCreditor, Case } from './request.js';
import { AMOUNT_RULES, LIMIT_RULES, DATE_RULES, VALIDITY_RULES } from './terms-rules.js';

// The creditor of a payment: the agreement's creditor, or the request's if the agreement has none.
interface CreditorCase {
  /** The creditor in the request. Absent if the agreement's creditor applies. */
  creditor: RequestedCreditor | null | undefined;
  agreement: Pick<Agreement, 'uid' | 'creditor'>;
}

const CREDITOR_RULES: readonly Rule<CreditorCase>[] = [
  {
    code: 'ZPPAY11',
    broken: ({ creditor, agreement }) => creditor == null && agreement.creditor === null,
  },
  {
    code: 'ZPPAY04',
    broken: ({ creditor, agreement }) => differs(creditor?.party_name, agreement.creditor?.party_name),
  },
  {
    code: 'ZPPAY05',
    broken: ({ creditor, agreement }) =>
      differs(creditor?.ultimate_party_name ?? undefined, agreement.creditor?.ultimate_party_name),
  },
  {
    code: 'ZPPAY06',
    broken: ({ creditor, agreement }) =>
      creditor != null &&
      agreement.creditor !== null &&
      !isSameAccount(creditor.account_identifier, agreement.creditor.account_identifier),
  },
];

function differs(asked: string | undefined, agreed: string | null | undefined): boolean {
  return asked !== undefined && agreed !== undefined && asked !== agreed;
}

/** @throws Refusal 422 with the code of the first broken rule, including those for a creditor's account (ZPUNP02-05). */
export function checkCreditor(it: CreditorCase, paymentUid: string): void {
  enforce(CREDITOR_RULES, it, paymentUid);
  const problem = it.creditor == null ? undefined : creditorAccountProblem(it.creditor.account_identifier);
  if (problem !== undefined) throw refuseByCode(problem, paymentUid);
}

/** Our addition to the documented branch codes: an institution with this code is offline. */
const OFFLINE_BRANCH = '100003';

const STATE_RULES: readonly Rule<Case>[] = [
  {
    code: 'ZPPAY03',
    broken: ({ agreement: { state } }) => state !== 'active',
  },
];

/** Naming the debtor requires a permission. Even then only the ultimate name may differ, not the payer. */
const PARTY_RULES: readonly Rule<Case>[] = [
  {
    code: 'ZPPAY25',
    broken: ({ request: { debtor }, customDebtor }) => debtor != null && !customDebtor,
  },
  {
    code: 'ZPPAY23',
    broken: ({ request: { debtor }, agreement }) =>
      debtor?.party_name != null && debtor.party_name !== agreement.debtor.party_name,
  },
  {
    code: 'ZPPAY24',
    broken: ({ request, agreement }) => {
      const creditor = request.creditor ?? agreement.creditor;
      const accounts = [agreement.debtor.account_identifier, creditor?.account_identifier];
      const isOffline = accounts.some((it) => it?.type === 'bban' && branchOf(it.value) === OFFLINE_BRANCH);
      return isOffline;
    },
  },
];

const FLAG_RULES: readonly Rule<Case>[] = [
  {
    code: 'ZPPAY09',
    broken: ({ request, agreement: { payment_terms: terms } }) =>
      terms.type === 'balloon' && request.last_payment == null,
  },
  {
    code: 'ZPPAY10',
    broken: ({ request, agreement: { payment_terms: terms } }) =>
      terms.type !== 'balloon' && request.last_payment != null,
  },
];

const BEFORE_THE_CREDITOR = [...STATE_RULES, ...VALIDITY_RULES, ...PARTY_RULES];
const AFTER_THE_CREDITOR = [...FLAG_RULES, ...DATE_RULES, ...AMOUNT_RULES, ...LIMIT_RULES];

/** @throws Refusal 422 with the code of the first broken rule. */
export function checkPayment(it: Case): void {
  const { uid, creditor } = it.request;
  enforce(BEFORE_THE_CREDITOR, it, uid);
  checkCreditor({ creditor, agreement: it.agreement }, uid);
  enforce(AFTER_THE_CREDITOR, it, uid);
}
