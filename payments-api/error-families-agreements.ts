// What the provider's codes about agreements and what is done with them mean (facts 5, 7.4, 7.5). Data only.
import { row } from './error-family.js';
import type { ErrorFamilies, ErrorFamily } from './error-family.js';

const LOOK = 'Look at the agreement: its state decides whether this is still wanted.';
const WAIT = 'Wait for the outcome of the one that is under way; look at the agreement to see it.';

/** Cancelling and suspending are refused alike. */
const action = (verb: string): ErrorFamily => ({
  otherwise: row('state_forbids', 'look_up', LOOK),
  codes: {
    '00': row('state_forbids', 'look_up', `The agreement is in no state to be ${verb}. ${LOOK}`),
    '01': row('in_progress', 'look_up', WAIT),
  },
});

const CREATE: ErrorFamily = {
  otherwise: row('invalid_request', 'never', 'Read what the provider says and correct the agreement.'),
  codes: {
    '00': row(
      'duplicate_uid',
      'look_up',
      'Look the agreement up by its uid and adopt it if it is the one meant.',
    ),
    '01': row('not_configured', 'never', 'Have the provider register an ABN for the account.'),
    '02': row('invalid_request', 'never', 'Set an earlier resolution_requested_before.'),
    '03': row('invalid_request', 'never', 'Set a resolution_requested_before in the future.'),
    '04': row('invalid_request', 'never', 'Set a validity_start_date of today or later, by Sydney days.'),
    '05': row('invalid_request', 'never', 'Leave the start date as it is: it can never be amended.'),
    '06': row('invalid_request', 'never', 'Set a validity_start_date before the end date.'),
    '07': row('invalid_request', 'never', 'Set a validity_start_date on or before the first payment date.'),
    '08': row('invalid_request', 'never', 'Set a later validity_end_date.'),
    '09': row('invalid_request', 'never', 'Set first and last payment dates in the future and in order.'),
    '10': row('invalid_request', 'never', 'Set first and last payment dates in the future and in order.'),
    '11': row('invalid_request', 'never', 'Set first and last payment dates in the future and in order.'),
    '12': row('account_unusable', 'never', 'Ask the payer for another account: this number is all zeroes.'),
    '13': row('account_unusable', 'never', 'Ask the payer for another account: this number is reserved.'),
    '14': row('account_unusable', 'never', 'Ask the payer for the right branch code: this one is unknown.'),
    '15': row(
      'limit_reached',
      'later',
      'Try again in 24 hours: too many agreements were asked of this payer.',
    ),
    '16': row('limit_reached', 'later', 'Try again in 24 hours, or ask the provider for a higher limit.'),
    '17': row(
      'invalid_request',
      'never',
      'Give a resolution_requested_before, or leave cancel_if_unresolved out.',
    ),
    '18': row(
      'invalid_request',
      'never',
      'Identify the initiator by exactly one of the identifiers it may have.',
    ),
  },
};

const AMEND: ErrorFamily = {
  otherwise: row('invalid_request', 'never', 'Read what the provider says and correct the amendment.'),
  codes: {
    '00': row('state_forbids', 'look_up', `Only active and suspended agreements can be amended. ${LOOK}`),
    '01': row('in_progress', 'look_up', 'Wait for the amendment that is under way, or recall it.'),
    '02': row('invalid_request', 'never', 'Name at least one change.'),
    '03': row('nothing_to_do', 'look_up', 'Look at the agreement: it says already what the changes ask for.'),
    '04': row(
      'terms_forbid',
      'never',
      'Leave the end date out: an agreement made without one gets none later.',
    ),
    '05': row('not_configured', 'never', 'Leave the initiator out: this account may not change it.'),
    '06': row('invalid_request', 'never', 'Set an earlier resolution_requested_before.'),
    '07': row('invalid_request', 'never', 'Set a resolution_requested_before in the future.'),
    '08': row('terms_forbid', 'never', 'Make a new agreement: the last payment under this one was made.'),
  },
};

const RECALL: ErrorFamily = {
  otherwise: row('state_forbids', 'look_up', 'Look at the amendment: it may be decided already.'),
  codes: {
    '00': row('state_forbids', 'look_up', 'Look at the amendment: it is past the point of being recalled.'),
    '01': row('in_progress', 'look_up', 'Wait for the outcome of the recall that is under way.'),
    '02': row(
      'unknown_resource',
      'look_up',
      'Look at the agreement: no amendment awaits the payer any more.',
    ),
  },
};

export const AGREEMENT_FAMILIES: ErrorFamilies = {
  ZPAGR: CREATE,
  ZPAMN: AMEND,
  ZPARE: RECALL,
  ZPCAN: action('cancelled'),
  ZPSUS: action('suspended'),
  ZPREA: {
    otherwise: row('state_forbids', 'look_up', LOOK),
    codes: {
      '00': row(
        'state_forbids',
        'look_up',
        'Look at the agreement: it is not suspended, or the payer suspended it and only the payer can resume it.',
      ),
      '01': row('in_progress', 'look_up', WAIT),
    },
  },
};
