// The provider's error codes (docs/provider.md#errors): the meaning of each, and advice for a person.
// A new code is one row. Retries are decided in activities/failure.ts, not here.
import { adviceOn } from '../domain/provider/reason-codes.js';
import type { Meaning } from '../domain/provider/error-meaning.js';

export interface ErrorRow {
  means: Meaning;
  /** One plain sentence of advice for a person. */
  advice: string;
}

const row = (means: Meaning, advice: string): ErrorRow => ({ means, advice });
/** For codes that also occur as payment failures. The advice comes from the table of failure codes. */
const asFailure = (means: Meaning, code: string): ErrorRow => row(means, adviceOn({ code }).next ?? '');

const STATE = 'Check the agreement: its state decides whether you still need this.';
const PENDING = 'Wait for the outcome of the pending request. Get the agreement to see it.';

// prettier-ignore
export const ERROR_TABLE: Readonly<Record<string, ErrorRow>> = {
  ZPUNP00: row('invalid_request', 'Correct the fields that the detail names: the request violates the schema.'),
  ZPUNP01: asFailure('account_unusable', 'ZPUNP01'),
  ZPUNP02: asFailure('account_unusable', 'ZPUNP02'),
  ZPUNP03: row('account_unusable', 'Use another creditor account: this number is all zeroes.'),
  ZPUNP04: row('account_unusable', 'Use another creditor account: this number is reserved.'),
  ZPUNP05: row('account_unusable', 'Use another creditor account: this branch code is unknown.'),
  ZPUNP06: asFailure('service_down', 'ZPUNP06'),
  ZPUNP07: asFailure('alias_unknown', 'ZPUNP07'),
  ZPUNP08: asFailure('alias_unknown', 'ZPUNP08'),
  ZPUNP09: row('not_configured', 'Have the provider enable PayIDs for the account.'),
  ZPPGN00: row('invalid_request', 'Request 1 to 100 entries per page, and continue from an entry of the list.'),
  ZPADD01: row('alias_unknown', 'Ask the payer for the right PayID, or for an account.'),
  ZPADD02: row('limit', 'Try again later: the account has looked up too many PayIDs.'),
  ZPADD03: row('limit', 'Try again later: this address has looked up too many PayIDs.'),
  ZPADD04: row('limit', 'Try again later: this requester has looked up too many PayIDs.'),
  ZPADD98: row('service_down', 'Try again later: PayID look-ups are unavailable.'),
  ZCOPR00: row('unconfirmed', 'Confirm the account with its owner another way: the bank cannot confirm it.'),
  ZCOPR01: row('unconfirmed', 'Check the branch code: the provider cannot identify its bank.'),
  ZCOPR02: row('account_unusable', 'Ask for another account: the bank does not know this one.'),
  ZCOPR04: row('limit', 'Try again tomorrow: the daily limit of account checks is reached.'),
  ZCOPR05: row('limit', 'Try again tomorrow: the daily limit of account checks is reached.'),
  ZCOPR06: row('limit', 'Try again tomorrow: the daily limit of account checks is reached.'),
  ZCOPR07: row('limit', 'Try again tomorrow: the daily limit of account checks is reached.'),
  ZCLT05: row('not_configured', 'Ask the provider to configure the PayTo service: its API cannot add one to an existing client. Then wait until it is active.'),
  ZPAGR00: row('duplicate_uid', 'Look up the agreement by its uid. Adopt it if it is the intended one.'),
  ZPAGR01: row('not_configured', 'Have the provider register an ABN for the account.'),
  ZPAGR02: row('invalid_request', 'Set an earlier resolution_requested_before.'),
  ZPAGR03: row('invalid_request', 'Set a resolution_requested_before in the future.'),
  ZPAGR04: row('invalid_request', 'Set a validity_start_date of today or later, in Sydney time.'),
  ZPAGR05: row('invalid_request', 'Do not change the start date: it cannot be amended.'),
  ZPAGR06: row('invalid_request', 'Set a validity_start_date before the end date.'),
  ZPAGR07: row('invalid_request', 'Set a validity_start_date on or before the first payment date.'),
  ZPAGR08: row('invalid_request', 'Set a later validity_end_date.'),
  ZPAGR09: row('invalid_request', 'Set first and last payment dates in the future and in order.'),
  ZPAGR10: row('invalid_request', 'Set first and last payment dates in the future and in order.'),
  ZPAGR11: row('invalid_request', 'Set first and last payment dates in the future and in order.'),
  ZPAGR12: row('account_unusable', 'Ask the payer for another account: this number is all zeroes.'),
  ZPAGR13: row('account_unusable', 'Ask the payer for another account: this number is reserved.'),
  ZPAGR14: row('account_unusable', 'Ask the payer for the right branch code: this one is unknown.'),
  ZPAGR15: row('limit', 'Try again in 24 hours: this payer has received too many agreements.'),
  ZPAGR16: row('limit', 'Try again in 24 hours, or ask the provider for a higher limit.'),
  ZPAGR17: row('invalid_request', 'Set resolution_requested_before, or leave out cancel_if_unresolved.'),
  ZPAGR18: row('invalid_request', 'Identify the initiator by exactly one of the permitted identifiers.'),
  ZPAMN00: row('wrong_state', `Only active and suspended agreements can be amended. ${STATE}`),
  ZPAMN01: row('amendment_pending', 'Wait for the outcome of the pending amendment, or recall it.'),
  ZPAMN02: row('invalid_request', 'Set at least one change.'),
  ZPAMN03: row('no_change', 'Check the agreement: it already contains these changes.'),
  ZPAMN04: row('terms_forbid', 'Leave out the end date: an agreement created without one cannot get one later.'),
  ZPAMN05: row('not_configured', 'Leave out the initiator: this account may not change it.'),
  ZPAMN06: row('invalid_request', 'Set an earlier resolution_requested_before.'),
  ZPAMN07: row('invalid_request', 'Set a resolution_requested_before in the future.'),
  ZPAMN08: row('terms_forbid', 'Create a new agreement: the last payment under this one was made.'),
  ZPARE00: row('wrong_state', 'Check the amendment: it can no longer be recalled.'),
  ZPARE01: row('already_processing', 'Wait for the outcome of the pending recall.'),
  ZPARE02: row('no_amendment', 'Check the agreement: no amendment is waiting for the payer.'),
  ZPCAN00: row('wrong_state', `The agreement cannot be cancelled in its current state. ${STATE}`),
  ZPCAN01: row('already_processing', PENDING),
  ZPSUS00: row('wrong_state', `The agreement cannot be suspended in its current state. ${STATE}`),
  ZPSUS01: row('already_processing', PENDING),
  ZPREA00: row('wrong_state', 'Check the agreement: it is not suspended, or the payer suspended it and only the payer can resume it.'),
  ZPREA01: row('already_processing', PENDING),
  ZPPAY00: asFailure('duplicate_uid', 'ZPPAY00'),
  ZPPAY01: row('limit', 'Try again tomorrow, or ask the provider for a higher daily limit.'),
  ZPPAY02: row('over_limit', 'Request a smaller amount, or ask the provider for a higher limit.'),
  ZPPAY03: row('wrong_state', 'Check the agreement: payments require it to be active.'),
  ZPPAY04: row('differs_from_agreement', 'Use the creditor of the agreement, or amend the agreement.'),
  ZPPAY05: row('differs_from_agreement', 'Use the creditor of the agreement, or amend the agreement.'),
  ZPPAY06: row('differs_from_agreement', 'Use the creditor of the agreement, or amend the agreement.'),
  ZPPAY07: row('terms_forbid', 'Create a new agreement: the validity of this one has ended.'),
  ZPPAY08: row('terms_forbid', 'Wait until the agreement is valid.'),
  ZPPAY09: row('terms_forbid', 'Set last_payment to true or false: balloon terms require it.'),
  ZPPAY10: row('terms_forbid', 'Leave out last_payment: only balloon terms allow it.'),
  ZPPAY11: row('invalid_request', 'Set the creditor: the agreement has none.'),
  ZPPAY12: row('terms_forbid', 'Request at most the max_amount that the payer accepted.'),
  ZPPAY13: row('terms_forbid', 'Create a new agreement: the last payment date has passed.'),
  ZPPAY14: row('terms_forbid', 'Take the first payment on its date.'),
  ZPPAY15: row('terms_forbid', 'Use the amount that the agreement sets for this payment.'),
  ZPPAY16: row('terms_forbid', 'Choose a day that the agreement allows.'),
  ZPPAY17: row('terms_forbid', 'Wait for the next period: this one already has all its payments.'),
  ZPPAY18: row('terms_forbid', 'Use the amount that the agreement sets for this payment.'),
  ZPPAY19: row('terms_forbid', 'Use the amount that the agreement sets for this payment.'),
  ZPPAY20: row('terms_forbid', 'Take the last payment on its date.'),
  ZPPAY21: row('terms_forbid', 'Create a new agreement: the last payment was already made.'),
  ZPPAY22: row('unknown_resource', 'Check the agreement_uid: the provider does not know this agreement.'),
  ZPPAY23: row('differs_from_agreement', 'Leave out the debtor, or use the debtor of the agreement.'),
  ZPPAY24: asFailure('service_down', 'ZPPAY24'),
  ZPPAY25: row('not_configured', 'Leave out the debtor: this account may not set it.'),
  ZPPRY00: row('wrong_state', 'Check the payment: it has not failed, or its failure does not allow a retry.'),
  ZPPRY01: row('over_limit', 'Collect the amount from the payer another way: no retries are left.'),
  ZPPRY02: row('terms_forbid', 'Create a new agreement: the validity of this one has ended.'),
  ZPPRY03: row('too_soon', 'Try again at the time given in the detail.'),
  ZPPRY04: row('terms_forbid', 'Create a new agreement: its validity ends before the next retry.'),
  ZPPRY05: row('terms_forbid', 'Leave out the creditor: a refund payment has a fixed one.'),
  ZPREF00: row('duplicate_uid', 'Look up the refund by its uid. Adopt it if it is the intended one.'),
  ZPREF01: row('unknown_resource', 'Check original_payment_uid: the provider does not know this payment.'),
  ZPREF02: row('wrong_state', 'Check the payment: only settled payments can be refunded.'),
  ZPREF03: row('unknown_resource', 'Check float_bank_account_id: the provider does not know this account.'),
  ZPREF04: row('account_unusable', 'Use another float account: this one is not active.'),
  ZPREF05: row('account_unusable', 'Use another float account: this one cannot make real-time payments.'),
  ZPREF06: row('over_limit', 'Refund at most the remaining amount of the payment.'),
  ZPREF07: asFailure('insufficient_funds', 'ZPREF07'),
  ZPREF09: row('terms_forbid', 'Refund the original payment: a refund cannot be refunded.'),
  ZPREF10: row('invalid_request', 'Use an account instead: the alias is too long for a refund.'),
  ZPREF12: row('invalid_request', 'Start the description with REFUND.'),
};

/** Advice for codes that have no row yet, by family. */
// prettier-ignore
const FAMILY_ADVICE: Readonly<Record<string, string>> = {
  ZPUNP: 'Read the message of the provider and correct the request.',
  ZPPGN: 'Correct the paging of the list.',
  ZPADD: 'Try again later, or ask the payer for an account.',
  ZCOPR: 'Check the account with its owner another way.',
  ZCLT: 'Read the message of the provider and correct the client.',
  ZPAGR: 'Read the message of the provider and correct the agreement.',
  ZPAMN: 'Read the message of the provider and correct the amendment.',
  ZPARE: 'Check the amendment: the payer may have answered it already.',
  ZPCAN: STATE,
  ZPSUS: STATE,
  ZPREA: STATE,
  ZPPAY: 'Read the message of the provider and correct the payment.',
  ZPPRY: 'Check the payment: its state decides whether to retry it.',
  ZPREF: 'Read the message of the provider and correct the refund.',
};

const ROWS = new Map(Object.entries(ERROR_TABLE));
const FAMILIES = new Map(
  Object.entries(FAMILY_ADVICE).map(([letters, advice]) => [letters, row('unrecognised', advice)]),
);
const CODE = /^([A-Z]+)\d+$/;

/**
 * The row of a code such as `ZPAGR00`, or the `unrecognised` row of its family.
 * @returns undefined for an unknown family.
 */
export const errorRow = (code: string): ErrorRow | undefined =>
  ROWS.get(code) ?? FAMILIES.get(CODE.exec(code)?.[1] ?? '');
