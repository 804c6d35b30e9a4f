// The failure codes of payments and their texts (docs/provider.md#payments-failures).
import { type FailureCode, type PaymentFailure, RETRYABLE_CODES } from '../store/payment.schema.js';

const TEXTS: Record<FailureCode, readonly [title: string, detail: string]> = {
  AB01: ['Aborted Clearing Timeout', 'Clearing process aborted due to timeout'],
  AB02: ['Aborted Clearing Fatal Error', 'Clearing process aborted due to a fatal error'],
  AB03: ['Aborted Settlement Timeout', 'Settlement aborted due to timeout'],
  AB04: ['Aborted Settlement Fatal Error', 'Settlement process aborted due to a fatal error'],
  AB08: [
    'Offline Creditor Agent',
    'Payer Participant is unavailable to process the payment due to Payee Participant being unavailable',
  ],
  AC06: ['Blocked Account', 'The Payer Customer Account is blocked'],
  AG07: [
    'Unsuccesful Direct Debit',
    'Debtor account cannot be debited for a generic reason. May indicate insufficient funds',
  ],
  AM04: ['Insufficient Funds', 'The specified Payer Customer Account has insufficient funds'],
  AM21: [
    'Limit Exceeded',
    'The payment amount exceeds the agreed limit between the Responding Participant and the Debtor Customer',
  ],
  FF10: [
    'Bank System Processing Error',
    'Responding Participant is unable to process the payment due to back office issues or outage',
  ],
  MD20: ['Agreement Expired', 'Contact the service for more information'],
  NARR: ['Narrative', 'Contact the service for more information'],
  SL13: [
    'Maximum number of Direct Debit Transactions exceeded',
    'The payment was rejected because the number of transactions requested exceeds the Debtor Agent offering',
  ],
  SL14: [
    'Maximum Direct Debit Transaction Amount exceeded',
    'The payment was rejected because the total value of transactions requested exceeds the Debtor Agent offering',
  ],
  TD03: ['Incorrect File Structure', 'The file format is incomplete or invalid'],
  TM01: [
    'Invalid Cut Off Time',
    'The NPP Payment Initiation Request was received by the Responding Participant after an agreed cut-off time',
  ],
  AC02: ['Invalid Debtor Account', 'The Payer Customer Account does not exist within NPP'],
  AC03: ['Invalid Creditor Account Number', 'The Payee Customer Account does not exist within NPP'],
  AC04: ['Closed account', 'An account is closed.'],
  AC05: ['Closed Debtor Account', 'The Payer Customer account is closed'],
  AC07: ['Closed Creditor Account Number', 'The Payee Customer account is closed'],
  AC13: [
    'Invalid Debtor Account Type',
    'The Payer Customer Account does not allow funds to be debited within NPP',
  ],
  AC14: [
    'Invalid Creditor Account Type',
    'The Payee Customer Account does not allow funds to be debited within NPP',
  ],
  AG01: ['Transaction Forbidden', 'The Payer Customer Account is unable to be debited'],
  AG03: [
    'Transaction Not Supported',
    'The Payer Customer Account is able to make NPP Payments, but is not able to make NPP Payments to the Payee Customer Account type',
  ],
  AM02: ['Not Allowed Amount', 'Specified transaction amount is greater than allowed maximum'],
  AM03: ['Not Allowed Currency', 'The Payer Customer Account cannot draw funds in AUD'],
  AM12: ['Invalid Amount', 'No amount and/or no maximum amount have been specified'],
  AM14: ['Agreed amount exceeded', 'The amount is over what was agreed with the debtor.'],
  AVED: ['After Validity End Date', "It is after the agreement's validity end date"],
  BE06: [
    'Unknown End Customer',
    'The Payer Customer associated with the nominated Payer Customer Account does not exist within the Payer Participant (or applicable identified Institution) customer list',
  ],
  BVSD: ['Before Validity Start Date', "It is before the agreement's validity start date"],
  CUST: [
    'Requested By Customer',
    'Debtor Customer has directed the Responding Participant to reject the payment',
  ],
  FRAD: ['Fraudulent Origin', 'The NPP payment was rejected due to identified fraud or due to a scam'],
  MD01: ['No Agreement', 'The NPP Payment Initiation Request did not contain a Agreement'],
  MD07: ['Customer deceased', 'The customer has died.'],
  MS02: [
    'Not Specified Reason Customer Generated',
    'The payment was rejected by the Debtor Customer, but no reason was provided',
  ],
  MS03: [
    'Not Specified Reason Agent Generated',
    'The payment was rejected by the Responding Participant, but no reason was provided',
  ],
  NACT: ['Not Active', 'Agreement is not active'],
  NAUT: ['Not Authorised', 'The payment contents do not align with the Agreement terms'],
  RR04: ['Regulatory Reason', 'The Agreement/Payment is rejected due to regulatory reasons'],
  UKNWN: ['Unknown Error', 'An unexpected error occured. Reach out to the service for more information'],
  ZPPAY24: [
    'Participant not available',
    'One of the participants is currently not available to process the payment.',
  ],
  ZPUNP06: ['Error resolving alias', 'The service was unable to reach the addressing service'],
  ZPUNP07: ['Debtor alias not found', 'The service was unable to resolve the given debtor alias'],
  ZPUNP08: ['Creditor alias not found', 'The service was unable to resolve the given creditor alias'],
};

export function failureOf(code: FailureCode): PaymentFailure {
  const [title, detail] = TEXTS[code];
  return { code, title, detail, retryable: RETRYABLE_CODES.some((retryable) => retryable === code) };
}
