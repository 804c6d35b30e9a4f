// The business rules for a new agreement, in the order in which the provider checks them.
import { creditorAccountProblem, debtorAccountProblem } from './account-rules.js';
import type { CreateAgreement } from './create-agreement.schema.js';
import { checkDates } from './date-rules.js';
import type { PaymentTerms } from './agreement.schema.js';
import type { Party } from '../entities.schema.js';
import { refuseByCode, type ErrorCode } from '../http/refusal.js';
import { isAtLeast, type ApiVersion } from '../http/version.js';

/** How long the payer has; then the provider says `expired` (interface 8). */
export const UNANSWERED_MS = 5 * 24 * 60 * 60_000;

interface Circumstances {
  nowMs: number;
  version: ApiVersion;
}

interface Rule {
  code: ErrorCode;
  detail: string;
  isBroken: (request: CreateAgreement, circumstances: Circumstances) => boolean;
}

const RULES: readonly Rule[] = [
  {
    code: 'ZPAGR18',
    detail: 'initiator must carry exactly one of abn and acn',
    isBroken: ({ initiator }, { version }) =>
      !isAtLeast(version, '20260901') &&
      initiator != null &&
      [initiator.abn, initiator.acn].filter((identifier) => identifier != null).length !== 1,
  },
  {
    code: 'ZPAGR17',
    detail: 'cancel_if_unresolved needs resolution_requested_before',
    isBroken: (request) =>
      request.cancel_if_unresolved === true && request.resolution_requested_before == null,
  },
  {
    code: 'ZPAGR03',
    detail: 'resolution_requested_before is past',
    isBroken: ({ resolution_requested_before: before }, { nowMs }) =>
      before != null && Date.parse(before) <= nowMs,
  },
  {
    code: 'ZPAGR02',
    detail: 'resolution_requested_before is later than the agreement can wait, 5 days',
    isBroken: ({ resolution_requested_before: before }, { nowMs }) =>
      before != null && Date.parse(before) > nowMs + UNANSWERED_MS,
  },
];

/** The parties with the accounts that they were found to have. */
export interface Parties {
  debtor: Party;
  creditor: Party | null;
}

/** @throws Refusal: 422 with the code of the first rule that is broken. */
export function checkAgreement(
  request: CreateAgreement,
  { terms, debtor, creditor }: Parties & { terms: PaymentTerms },
  circumstances: Circumstances,
): void {
  const { uid } = request;
  const broken =
    RULES.find((rule) => rule.isBroken(request, circumstances)) ??
    debtorAccountProblem(debtor.account_identifier) ??
    (creditor === null ? undefined : creditorAccountProblem(creditor.account_identifier));
  if (broken !== undefined) throw refuseByCode(broken.code, broken.detail, uid);
  checkDates(
    {
      ...terms,
      uid,
      validity_start_date: request.validity_start_date ?? null,
      validity_end_date: request.validity_end_date ?? null,
    },
    circumstances.nowMs,
  );
}
