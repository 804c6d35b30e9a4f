// What the provider's codes about payments, their retries and refunds mean (facts 5, 8, 9). Data only.
import { row } from './error-family.js';
import type { ErrorFamilies, ErrorFamily } from './error-family.js';

const CREDITOR = 'Use the creditor as the agreement names it, or amend the agreement.';
const DATES = 'Choose a day that the agreement allows.';
const AMOUNT = 'Use the amount that the agreement fixes for this payment.';

const CREATE: ErrorFamily = {
  otherwise: row('invalid_request', 'never', 'Read what the provider says and correct the payment.'),
  codes: {
    '00': row(
      'duplicate_uid',
      'look_up',
      'Look the payment up by its uid and adopt it if it is the one meant.',
    ),
    '01': row('limit_reached', 'later', 'Try again tomorrow, or ask the provider for a higher daily limit.'),
    '02': row('limit_reached', 'never', 'Take less at once, or ask the provider for a higher limit.'),
    '03': row('state_forbids', 'never', 'Look at the agreement: payments need it to be active.'),
    '04': row('differs_from_agreement', 'never', CREDITOR),
    '05': row('differs_from_agreement', 'never', CREDITOR),
    '06': row('differs_from_agreement', 'never', CREDITOR),
    '07': row('terms_forbid', 'never', 'Make a new agreement: this one is past its validity.'),
    '08': row('terms_forbid', 'later', 'Wait until the agreement is valid.'),
    '09': row(
      'terms_forbid',
      'never',
      'Say whether this is the last payment: balloon terms need last_payment.',
    ),
    '10': row('terms_forbid', 'never', 'Leave last_payment out: only balloon terms have it.'),
    '11': row('invalid_request', 'never', 'Name the creditor: the agreement names none.'),
    '12': row('terms_forbid', 'never', 'Take no more than the max_amount that the payer accepted.'),
    '13': row('terms_forbid', 'never', 'Make a new agreement: the last payment date has passed.'),
    '14': row('terms_forbid', 'never', 'Take the first payment on its date.'),
    '15': row('terms_forbid', 'never', AMOUNT),
    '16': row('terms_forbid', 'never', DATES),
    '17': row('terms_forbid', 'later', 'Wait for the next period: this one has all its payments.'),
    '18': row('terms_forbid', 'never', AMOUNT),
    '19': row('terms_forbid', 'never', AMOUNT),
    '20': row('terms_forbid', 'never', 'Take the last payment on its date.'),
    '21': row('terms_forbid', 'never', 'Make a new agreement: the last payment was made already.'),
    '22': row('unknown_resource', 'never', 'Check the agreement_uid: the provider knows no such agreement.'),
    '23': row('differs_from_agreement', 'never', 'Leave the debtor out, or name it as the agreement does.'),
    '24': row('service_down', 'later', 'Try again later: a bank that takes part is not available.'),
    '25': row('not_configured', 'never', 'Leave the debtor out: this account may not name its own.'),
  },
};

const RETRY: ErrorFamily = {
  otherwise: row('state_forbids', 'look_up', 'Look at the payment: its state decides whether to retry it.'),
  codes: {
    '00': row('state_forbids', 'look_up', 'Look at the payment: it is not failed, or must not be retried.'),
    '01': row('limit_reached', 'never', 'Settle it with the payer another way: all retries are used up.'),
    '02': row('terms_forbid', 'never', 'Make a new agreement: this one is past its validity.'),
    '03': row('limit_reached', 'later', 'Try again at the time that the detail names.'),
    '04': row('terms_forbid', 'never', 'Make a new agreement: the next retry would come past its validity.'),
    '05': row('terms_forbid', 'never', 'Leave the creditor out: that of a refund payment is fixed.'),
  },
};

const REFUND: ErrorFamily = {
  otherwise: row('invalid_request', 'never', 'Read what the provider says and correct the refund.'),
  codes: {
    '00': row(
      'duplicate_uid',
      'look_up',
      'Look the refund up by its uid and adopt it if it is the one meant.',
    ),
    '01': row('unknown_resource', 'never', 'Check original_payment_uid: the provider knows no such payment.'),
    '02': row('state_forbids', 'never', 'Look at the payment: only what has settled can be refunded.'),
    '03': row(
      'unknown_resource',
      'never',
      'Check float_bank_account_id: the provider knows no such account.',
    ),
    '04': row('account_unusable', 'never', 'Use another float account: this one is not active.'),
    '05': row('account_unusable', 'never', 'Use another float account: this one cannot pay in real time.'),
    '06': row('limit_reached', 'never', 'Refund no more than what is left of the payment.'),
    '07': row('insufficient_funds', 'later', 'Put funds into the float account, then try again.'),
    '09': row('terms_forbid', 'never', 'Refund the original payment: a refund cannot be refunded.'),
    '10': row('invalid_request', 'never', 'Use an account instead: the alias is too long for a refund.'),
    '12': row('invalid_request', 'never', 'Begin the description with REFUND.'),
  },
};

export const PAYMENT_FAMILIES: ErrorFamilies = { ZPPAY: CREATE, ZPPRY: RETRY, ZPREF: REFUND };
