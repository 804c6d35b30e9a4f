// The provider's error codes in one table (docs/provider.md#errors): what each means to a program, and what a person should do about it.
// A new code is one row. Whether a call is tried again is decided in activities/failure.ts, never here.
import { adviceOn } from '../domain/provider/reason-codes.js';
import type { Meaning } from '../domain/provider/error-meaning.js';

export interface ErrorRow {
  means: Meaning;
  /** One plain sentence: what a person should do. */
  advice: string;
}

const row = (means: Meaning, advice: string): ErrorRow => ({ means, advice });
/** A code that comes as a failure as well: what to do about it stands in the table of those. */
const asFailure = (means: Meaning, code: string): ErrorRow => row(means, adviceOn({ code }).next ?? '');

const STATE = 'Look at the agreement: its state decides whether this is still wanted.';
const PENDING = 'Wait for the outcome of the one that is under way; look at the agreement to see it.';

// prettier-ignore
export const ERROR_TABLE: Readonly<Record<string, ErrorRow>> = {
  ZPUNP00: row('invalid_request', 'Correct what the detail names: the request breaks the schema.'),
  ZPUNP01: asFailure('account_unusable', 'ZPUNP01'),
  ZPUNP02: asFailure('account_unusable', 'ZPUNP02'),
  ZPUNP03: row('account_unusable', 'Use another creditor account: this number is all zeroes.'),
  ZPUNP04: row('account_unusable', 'Use another creditor account: this number is reserved.'),
  ZPUNP05: row('account_unusable', 'Use another creditor account: this branch code is unknown.'),
  ZPUNP06: asFailure('service_down', 'ZPUNP06'),
  ZPUNP07: asFailure('alias_unknown', 'ZPUNP07'),
  ZPUNP08: asFailure('alias_unknown', 'ZPUNP08'),
  ZPUNP09: row('not_configured', 'Have the provider enable PayIDs for the account.'),
  ZPPGN00: row('invalid_request', 'Ask for 1 to 100 entries, and go on from an entry of the list.'),
  ZPADD01: row('alias_unknown', 'Ask the payer for the right PayID, or for an account.'),
  ZPADD02: row('limit', 'Try again later: the account has looked up too many PayIDs.'),
  ZPADD03: row('limit', 'Try again later: this address has looked up too many PayIDs.'),
  ZPADD04: row('limit', 'Try again later: this requester has looked up too many PayIDs.'),
  ZPADD98: row('service_down', 'Try again later: PayIDs cannot be looked up at present.'),
  ZCOPR00: row('unconfirmed', 'Check the account with its owner another way: the bank cannot confirm it.'),
  ZCOPR01: row('unconfirmed', 'Check the branch code: its bank could not be found out.'),
  ZCOPR02: row('account_unusable', 'Ask for another account: the bank knows no such one.'),
  ZCOPR04: row('limit', 'Try again tomorrow: the daily limit of account checks is reached.'),
  ZCOPR05: row('limit', 'Try again tomorrow: the daily limit of account checks is reached.'),
  ZCOPR06: row('limit', 'Try again tomorrow: the daily limit of account checks is reached.'),
  ZCOPR07: row('limit', 'Try again tomorrow: the daily limit of account checks is reached.'),
  ZCLT05: row('not_configured', 'Ask the provider to configure the PayTo service: its API adds none to a client that exists. Then wait until it is active.'),
  ZPAGR00: row('duplicate_uid', 'Look the agreement up by its uid and adopt it if it is the one meant.'),
  ZPAGR01: row('not_configured', 'Have the provider register an ABN for the account.'),
  ZPAGR02: row('invalid_request', 'Set an earlier resolution_requested_before.'),
  ZPAGR03: row('invalid_request', 'Set a resolution_requested_before in the future.'),
  ZPAGR04: row('invalid_request', 'Set a validity_start_date of today or later, by Sydney days.'),
  ZPAGR05: row('invalid_request', 'Leave the start date as it is: it can never be amended.'),
  ZPAGR06: row('invalid_request', 'Set a validity_start_date before the end date.'),
  ZPAGR07: row('invalid_request', 'Set a validity_start_date on or before the first payment date.'),
  ZPAGR08: row('invalid_request', 'Set a later validity_end_date.'),
  ZPAGR09: row('invalid_request', 'Set first and last payment dates in the future and in order.'),
  ZPAGR10: row('invalid_request', 'Set first and last payment dates in the future and in order.'),
  ZPAGR11: row('invalid_request', 'Set first and last payment dates in the future and in order.'),
  ZPAGR12: row('account_unusable', 'Ask the payer for another account: this number is all zeroes.'),
  ZPAGR13: row('account_unusable', 'Ask the payer for another account: this number is reserved.'),
  ZPAGR14: row('account_unusable', 'Ask the payer for the right branch code: this one is unknown.'),
  ZPAGR15: row('limit', 'Try again in 24 hours: too many agreements were asked of this payer.'),
  ZPAGR16: row('limit', 'Try again in 24 hours, or ask the provider for a higher limit.'),
  ZPAGR17: row('invalid_request', 'Give a resolution_requested_before, or leave cancel_if_unresolved out.'),
  ZPAGR18: row('invalid_request', 'Identify the initiator by exactly one of the identifiers it may have.'),
  ZPAMN00: row('wrong_state', `Only active and suspended agreements can be amended. ${STATE}`),
  ZPAMN01: row('amendment_pending', 'Wait for the amendment that is under way, or recall it.'),
  ZPAMN02: row('invalid_request', 'Name at least one change.'),
  ZPAMN03: row('no_change', 'Look at the agreement: it says already what the changes ask for.'),
  ZPAMN04: row('terms_forbid', 'Leave the end date out: an agreement made without one gets none later.'),
  ZPAMN05: row('not_configured', 'Leave the initiator out: this account may not change it.'),
  ZPAMN06: row('invalid_request', 'Set an earlier resolution_requested_before.'),
  ZPAMN07: row('invalid_request', 'Set a resolution_requested_before in the future.'),
  ZPAMN08: row('terms_forbid', 'Make a new agreement: the last payment under this one was made.'),
  ZPARE00: row('wrong_state', 'Look at the amendment: it is past the point of being recalled.'),
  ZPARE01: row('already_processing', 'Wait for the outcome of the recall that is under way.'),
  ZPARE02: row('no_amendment', 'Look at the agreement: no amendment awaits the payer any more.'),
  ZPCAN00: row('wrong_state', `The agreement is in no state to be cancelled. ${STATE}`),
  ZPCAN01: row('already_processing', PENDING),
  ZPSUS00: row('wrong_state', `The agreement is in no state to be suspended. ${STATE}`),
  ZPSUS01: row('already_processing', PENDING),
  ZPREA00: row('wrong_state', 'Look at the agreement: it is not suspended, or the payer suspended it and only the payer can resume it.'),
  ZPREA01: row('already_processing', PENDING),
  ZPPAY00: asFailure('duplicate_uid', 'ZPPAY00'),
  ZPPAY01: row('limit', 'Try again tomorrow, or ask the provider for a higher daily limit.'),
  ZPPAY02: row('limit', 'Take less at once, or ask the provider for a higher limit.'),
  ZPPAY03: row('wrong_state', 'Look at the agreement: payments need it to be active.'),
  ZPPAY04: row('differs_from_agreement', 'Use the creditor as the agreement names it, or amend the agreement.'),
  ZPPAY05: row('differs_from_agreement', 'Use the creditor as the agreement names it, or amend the agreement.'),
  ZPPAY06: row('differs_from_agreement', 'Use the creditor as the agreement names it, or amend the agreement.'),
  ZPPAY07: row('terms_forbid', 'Make a new agreement: this one is past its validity.'),
  ZPPAY08: row('terms_forbid', 'Wait until the agreement is valid.'),
  ZPPAY09: row('terms_forbid', 'Say whether this is the last payment: balloon terms need last_payment.'),
  ZPPAY10: row('terms_forbid', 'Leave last_payment out: only balloon terms have it.'),
  ZPPAY11: row('invalid_request', 'Name the creditor: the agreement names none.'),
  ZPPAY12: row('terms_forbid', 'Take no more than the max_amount that the payer accepted.'),
  ZPPAY13: row('terms_forbid', 'Make a new agreement: the last payment date has passed.'),
  ZPPAY14: row('terms_forbid', 'Take the first payment on its date.'),
  ZPPAY15: row('terms_forbid', 'Use the amount that the agreement fixes for this payment.'),
  ZPPAY16: row('terms_forbid', 'Choose a day that the agreement allows.'),
  ZPPAY17: row('terms_forbid', 'Wait for the next period: this one has all its payments.'),
  ZPPAY18: row('terms_forbid', 'Use the amount that the agreement fixes for this payment.'),
  ZPPAY19: row('terms_forbid', 'Use the amount that the agreement fixes for this payment.'),
  ZPPAY20: row('terms_forbid', 'Take the last payment on its date.'),
  ZPPAY21: row('terms_forbid', 'Make a new agreement: the last payment was made already.'),
  ZPPAY22: row('unknown_resource', 'Check the agreement_uid: the provider knows no such agreement.'),
  ZPPAY23: row('differs_from_agreement', 'Leave the debtor out, or name it as the agreement does.'),
  ZPPAY24: asFailure('service_down', 'ZPPAY24'),
  ZPPAY25: row('not_configured', 'Leave the debtor out: this account may not name its own.'),
  ZPPRY00: row('wrong_state', 'Look at the payment: it is not failed, or must not be retried.'),
  ZPPRY01: row('limit', 'Settle it with the payer another way: all retries are used up.'),
  ZPPRY02: row('terms_forbid', 'Make a new agreement: this one is past its validity.'),
  ZPPRY03: row('too_soon', 'Try again at the time that the detail names.'),
  ZPPRY04: row('terms_forbid', 'Make a new agreement: the next retry would come past its validity.'),
  ZPPRY05: row('terms_forbid', 'Leave the creditor out: that of a refund payment is fixed.'),
  ZPREF00: row('duplicate_uid', 'Look the refund up by its uid and adopt it if it is the one meant.'),
  ZPREF01: row('unknown_resource', 'Check original_payment_uid: the provider knows no such payment.'),
  ZPREF02: row('wrong_state', 'Look at the payment: only what has settled can be refunded.'),
  ZPREF03: row('unknown_resource', 'Check float_bank_account_id: the provider knows no such account.'),
  ZPREF04: row('account_unusable', 'Use another float account: this one is not active.'),
  ZPREF05: row('account_unusable', 'Use another float account: this one cannot pay in real time.'),
  ZPREF06: row('limit', 'Refund no more than what is left of the payment.'),
  ZPREF07: asFailure('insufficient_funds', 'ZPREF07'),
  ZPREF09: row('terms_forbid', 'Refund the original payment: a refund cannot be refunded.'),
  ZPREF10: row('invalid_request', 'Use an account instead: the alias is too long for a refund.'),
  ZPREF12: row('invalid_request', 'Begin the description with REFUND.'),
};

/** What to do about a code of the family that has no row yet. */
// prettier-ignore
const FAMILY_ADVICE: Readonly<Record<string, string>> = {
  ZPUNP: 'Read what the provider says and correct the request.',
  ZPPGN: 'Correct the paging of the list.',
  ZPADD: 'Try again later, or ask the payer for an account.',
  ZCOPR: 'Check the account with its owner another way.',
  ZCLT: 'Read what the provider says and correct the client.',
  ZPAGR: 'Read what the provider says and correct the agreement.',
  ZPAMN: 'Read what the provider says and correct the amendment.',
  ZPARE: 'Look at the amendment: it may be decided already.',
  ZPCAN: STATE,
  ZPSUS: STATE,
  ZPREA: STATE,
  ZPPAY: 'Read what the provider says and correct the payment.',
  ZPPRY: 'Look at the payment: its state decides whether to retry it.',
  ZPREF: 'Read what the provider says and correct the refund.',
};

const ROWS = new Map(Object.entries(ERROR_TABLE));
const FAMILIES = new Map(
  Object.entries(FAMILY_ADVICE).map(([letters, advice]) => [letters, row('unrecognised', advice)]),
);
const CODE = /^([A-Z]+)\d+$/;

/**
 * The row of a code such as `ZPAGR00`: its own, else the `unrecognised` one of its family.
 * @returns nothing for a code of a family that is not in the table.
 */
export const errorRow = (code: string): ErrorRow | undefined =>
  ROWS.get(code) ?? FAMILIES.get(CODE.exec(code)?.[1] ?? '');
