// The business rules for a new agreement, in the order in which the provider checks them.
import type { CreateAgreement } from './create-agreement.schema.js';
import type { AccountIdentifier } from '../entities.schema.js';
import { refuseByCode, type ErrorCode } from '../http/refusal.js';
import { sydneyDay } from '../time/sydney.js';
import { isAtLeast, type ApiVersion } from '../http/version.js';

interface Circumstances {
  nowMs: number;
  version: ApiVersion;
}

interface Rule {
  code: ErrorCode;
  detail: string;
  isBroken: (request: CreateAgreement, circumstances: Circumstances) => boolean;
}

const isBefore = (a: string | null | undefined, b: string | null | undefined): boolean =>
  typeof a === 'string' && typeof b === 'string' && a < b;

/** Branch and account number, where the account is given by them. */
function bban(
  party: { account_identifier: AccountIdentifier } | null | undefined,
): { branch: string; number: string } | undefined {
  if (party?.account_identifier.type !== 'bban') return undefined;
  const { value } = party.account_identifier;
  return { branch: value.slice(0, 6), number: value.slice(7) };
}
const isZeroes = (number: string | undefined): boolean => number !== undefined && /^0+$/.test(number);

/** The branch codes with a meaning in the documented sandbox. */
const BRANCH = { unknown: '100000', withoutPayTo: '100001', cannotReceive: '100002' };

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
    code: 'ZPAGR04',
    detail: 'validity_start_date is past',
    isBroken: ({ validity_start_date: start }, { nowMs }) => isBefore(start, sydneyDay(nowMs)),
  },
  {
    code: 'ZPAGR06',
    detail: 'validity_start_date is after validity_end_date',
    isBroken: ({ validity_start_date: start, validity_end_date: end }) => isBefore(end, start),
  },
  {
    code: 'ZPAGR08',
    detail: 'validity_end_date is past',
    isBroken: ({ validity_end_date: end }, { nowMs }) => isBefore(end, sydneyDay(nowMs)),
  },
  {
    code: 'ZPAGR07',
    detail: 'validity_start_date is after first_payment_date',
    isBroken: ({ validity_start_date: start, payment_terms: terms }) =>
      isBefore(terms.first_payment_date, start),
  },
  {
    code: 'ZPAGR09',
    detail: 'first_payment_date is past',
    isBroken: ({ payment_terms: terms }, { nowMs }) => isBefore(terms.first_payment_date, sydneyDay(nowMs)),
  },
  {
    code: 'ZPAGR10',
    detail: 'last_payment_date is past',
    isBroken: ({ payment_terms: terms }, { nowMs }) => isBefore(terms.last_payment_date, sydneyDay(nowMs)),
  },
  {
    code: 'ZPAGR11',
    detail: 'last_payment_date is before first_payment_date',
    isBroken: ({ payment_terms: terms }) => isBefore(terms.last_payment_date, terms.first_payment_date),
  },
  {
    code: 'ZPAGR12',
    detail: 'the debtor account number is zeroes',
    isBroken: ({ debtor }) => isZeroes(bban(debtor)?.number),
  },
  {
    code: 'ZPAGR14',
    detail: 'the branch of the debtor account is not known',
    isBroken: ({ debtor }) => bban(debtor)?.branch === BRANCH.unknown,
  },
  {
    code: 'ZPUNP01',
    detail: 'the institution of the debtor does not support PayTo',
    isBroken: ({ debtor }) => bban(debtor)?.branch === BRANCH.withoutPayTo,
  },
  {
    code: 'ZPUNP03',
    detail: 'the creditor account number is zeroes',
    isBroken: ({ creditor }) => isZeroes(bban(creditor)?.number),
  },
  {
    code: 'ZPUNP05',
    detail: 'the branch of the creditor account is not known',
    isBroken: ({ creditor }) => bban(creditor)?.branch === BRANCH.unknown,
  },
  {
    code: 'ZPUNP02',
    detail: 'the creditor account cannot receive real-time funds',
    isBroken: ({ creditor }) => bban(creditor)?.branch === BRANCH.cannotReceive,
  },
];

export function checkAgreement(request: CreateAgreement, circumstances: Circumstances): void {
  const broken = RULES.find((rule) => rule.isBroken(request, circumstances));
  if (broken !== undefined) throw refuseByCode(broken.code, broken.detail, request.uid);
}
