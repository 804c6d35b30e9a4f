// Whom a payment may go to: the creditor that the agreement names, or its own where the agreement names none.
import type { Agreement } from '../agreements/agreement.schema.js';
import { creditorAccountProblem, isSameAccount } from '../agreements/account-rules.js';
import { refuseByCode } from '../http/refusal.js';
import type { RequestedCreditor } from './payment-case.js';
import { enforce, when, type Rule } from './rule.js';

interface CreditorCase {
  /** What the request says; nothing, where it relies on the agreement. */
  creditor: RequestedCreditor | null | undefined;
  agreement: Pick<Agreement, 'uid' | 'creditor'>;
}

const RULES: readonly Rule<CreditorCase>[] = [
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
  enforce(RULES, it, paymentUid);
  const problem = it.creditor == null ? undefined : creditorAccountProblem(it.creditor.account_identifier);
  if (problem !== undefined) throw refuseByCode(problem.code, problem.detail, paymentUid);
}
