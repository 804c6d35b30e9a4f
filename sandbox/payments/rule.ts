// What a business rule is, here and for refunds: a code of the provider's, and what is wrong where it is broken.
import { refuseByCode, type ErrorCode } from '../http/refusal.js';

export interface Rule<Case> {
  code: ErrorCode;
  /** What is wrong, or undefined when nothing is. */
  broken: (it: Case) => string | undefined;
}

export const when = (isBroken: boolean, detail: string): string | undefined =>
  isBroken ? detail : undefined;

/** @throws Refusal 422 with the code of the first rule that is broken. */
export function enforce<Case>(rules: readonly Rule<Case>[], it: Case, resourceUid: string): void {
  for (const { code, broken } of rules) {
    const detail = broken(it);
    if (detail !== undefined) throw refuseByCode(code, detail, resourceUid);
  }
}
