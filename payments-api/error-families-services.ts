// What the provider's codes that any operation may meet mean, and those of its other services (facts 5, 15). Data only.
import { row } from './error-family.js';
import type { ErrorFamilies, ErrorFamily } from './error-family.js';

const CREDITOR_ACCOUNT = 'Use another creditor account: ';

const GENERAL: ErrorFamily = {
  otherwise: row('invalid_request', 'never', 'Read what the provider says and correct the request.'),
  codes: {
    '00': row('invalid_request', 'never', 'Correct what the detail names: the request breaks the schema.'),
    '01': row('account_unusable', 'never', 'Ask the payer for another account: this bank has no PayTo.'),
    '02': row('account_unusable', 'never', `${CREDITOR_ACCOUNT}this one cannot take real-time funds.`),
    '03': row('account_unusable', 'never', `${CREDITOR_ACCOUNT}this number is all zeroes.`),
    '04': row('account_unusable', 'never', `${CREDITOR_ACCOUNT}this number is reserved.`),
    '05': row('account_unusable', 'never', `${CREDITOR_ACCOUNT}this branch code is unknown.`),
    '06': row('service_down', 'later', 'Try again later: PayIDs cannot be looked up at present.'),
    '07': row('alias_unknown', 'never', 'Ask the payer for the right PayID, or for an account.'),
    '08': row('alias_unknown', 'never', 'Correct the PayID of the creditor, or use an account.'),
    '09': row('not_configured', 'never', 'Have the provider enable PayIDs for the account.'),
  },
};

const ALIAS: ErrorFamily = {
  otherwise: row('service_down', 'later', 'Try again later, or ask the payer for an account.'),
  codes: {
    '01': row('alias_unknown', 'never', 'Ask the payer for the right PayID, or for an account.'),
    '02': row('limit_reached', 'later', 'Try again later: the account has looked up too many PayIDs.'),
    '03': row('limit_reached', 'later', 'Try again later: this address has looked up too many PayIDs.'),
    '04': row('limit_reached', 'later', 'Try again later: this requester has looked up too many PayIDs.'),
    '98': row('service_down', 'later', 'Try again later: PayIDs cannot be looked up at present.'),
  },
};

const DAILY = row(
  'limit_reached',
  'later',
  'Try again tomorrow: the daily limit of account checks is reached.',
);

const ACCOUNT_CHECK: ErrorFamily = {
  otherwise: row('unconfirmed', 'never', 'Check the account with its owner another way.'),
  codes: {
    '00': row(
      'unconfirmed',
      'never',
      'Check the account with its owner another way: the bank cannot confirm it.',
    ),
    '01': row('unconfirmed', 'never', 'Check the branch code: its bank could not be found out.'),
    '02': row('account_unusable', 'never', 'Ask for another account: the bank knows no such one.'),
    '04': DAILY,
    '05': DAILY,
    '06': DAILY,
    '07': DAILY,
  },
};

export const SERVICE_FAMILIES: ErrorFamilies = {
  ZPUNP: GENERAL,
  ZPPGN: {
    otherwise: row('invalid_request', 'never', 'Correct the paging of the list.'),
    codes: {
      '00': row('invalid_request', 'never', 'Ask for 1 to 100 entries, and go on from an entry of the list.'),
    },
  },
  ZPADD: ALIAS,
  ZCOPR: ACCOUNT_CHECK,
  ZCLT: {
    otherwise: row('invalid_request', 'never', 'Read what the provider says and correct the client.'),
    codes: {
      '05': row('not_configured', 'never', 'Give the client the payto service and wait until it is active.'),
    },
  },
};
