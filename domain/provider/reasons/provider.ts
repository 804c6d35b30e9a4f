// The provider's own reason and failure codes, and the numeric codes of the scheme's agreement service (MMS). Pure.
import { DELAYED, NO_PAYTO, type Row } from './row.js';

/** The API files list these numbers without titles. Each event carries its own title. */
const MMS: Row = [
  'MMS error',
  undefined,
  'The scheme’s agreement service had an unexpected error.',
  undefined,
  'Look up the agreement, and contact the provider. Repeat the request only if the agreement’s state allows it.',
];
const MMS_NUMBERS =
  '9000 9001 9002 9003 9005 9006 9007 9008 9009 9010 9011 9013 9015 9016 9017 9018 9019 9101 9102 9103 9104 9105 9106 9107 ' +
  '9108 9109 9110 9111 9112 9113 9114 9115 9116 9117 9118 9119 9120 9121 9301 9302 9303 9401 9402 9501 9601 9900 9901';

// prettier-ignore
export const PROVIDER_REASONS: Readonly<Record<string, Row>> = {
  UKNWN: ['Unknown Error', false, 'An unexpected error occurred.', undefined, 'Ask the provider for the reason. Retry a payment only if `failure.retryable` allows it.'],
  ZPPAY00: ['Duplicate UID', undefined, 'A payment with this uid exists already.', undefined, 'Look up the payment by its uid. Adopt it if it is the intended payment.'],
  ZPPAY24: ['Participant not available', false, 'A bank that takes part in the payment is not available.', DELAYED, 'The outage is temporary. Try again later. If the payment has failed, use another uid.'],
  ZPREF07: ['The provided fund source has insufficient funds', undefined, 'The float account has insufficient funds for the refund.', undefined, 'Put funds into the float account, then create the refund again.'],
  ZPUNP01: ['Debtor\'s financial institution does not support PayTo', false, 'The payer’s bank does not support PayTo.', NO_PAYTO, 'Ask the payer for an account at a bank that supports PayTo.'],
  ZPUNP02: ['Invalid creditor account', false, 'The creditor’s account cannot receive real-time payments.', undefined, 'Use a creditor account that can receive real-time payments.'],
  ZPUNP06: ['Error resolving alias', false, 'The provider could not reach the PayID service.', DELAYED, 'The outage is temporary. Try again later.'],
  ZPUNP07: ['Debtor alias not found', false, 'The payer’s PayID is not registered.', 'Your PayID was not found. Please check it, or give us your account.', 'Ask the payer for the correct PayID or for an account.'],
  ZPUNP08: ['Creditor alias not found', false, 'The creditor’s PayID is not registered.', undefined, 'Correct the creditor’s PayID, or use an account.'],
  ...Object.fromEntries(MMS_NUMBERS.split(' ').map((number) => [`MMS.API.${number}`, MMS])),
};
