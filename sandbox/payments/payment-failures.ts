// What can make a collection fail, and whether the provider lets it be tried again (facts 8.3). Data only.

/** The whole list of them: no other code is retryable. */
export const RETRYABLE_CODES = [
  'AB01', 'AB02', 'AB03', 'AB04', 'AB08', 'AC06', 'AG07', 'AM04', 'AM21', 'FF10', 'MD20', 'NARR', 'SL13',
  'SL14', 'TD03', 'TM01',
] as const; // prettier-ignore

const FINAL_CODES = [
  'AC01', 'AC02', 'AC03', 'AC04', 'AC05', 'AC07', 'AC13', 'AC14', 'AG01', 'AG03', 'AM02', 'AM03', 'AM12',
  'AM14', 'AVED', 'BE06', 'BVSD', 'CUST', 'FRAD', 'MD01', 'MD07', 'MS02', 'MS03', 'NACT', 'NAUT', 'RR04',
  'UKNWN', 'ZPPAY24', 'ZPUNP06', 'ZPUNP07', 'ZPUNP08',
] as const; // prettier-ignore

export const FAILURE_CODES = [...RETRYABLE_CODES, ...FINAL_CODES] as const;
export type FailureCode = (typeof FAILURE_CODES)[number];

/** What each is called, and the sentence that comes with it. The words are ours. */
export const FAILURE_WORDS: Record<FailureCode, readonly [title: string, detail: string]> = {
  AB01: ['Clearing timed out', 'Clearing was given up because it took too long.'],
  AB02: ['Clearing aborted', 'Clearing was given up because of a fatal error.'],
  AB03: ['Settlement timed out', 'Settlement was given up because it took too long.'],
  AB04: ['Settlement aborted', 'Settlement was given up because of a fatal error.'],
  AB08: ['Creditor institution offline', 'The institution of the creditor is not online.'],
  AC06: ['Blocked account', 'The account is blocked for the moment.'],
  AG07: ['Debit not possible', 'The debtor account could not be debited.'],
  AM04: ['Insufficient funds', 'The debtor account lacks the funds.'],
  AM21: ['Limit exceeded', 'The amount is over the limit of the debtor at its bank.'],
  FF10: ['Bank system error', 'The infrastructure of a bank was not available.'],
  MD20: ['Agreement not available', 'The agreement could not be read at the institution of the debtor.'],
  NARR: ['See narrative', 'A bank refused for a reason that has no code.'],
  SL13: ['Number of debits exceeded', 'The debtor bank allows no more debits in this period.'],
  SL14: ['Value of debits exceeded', 'The debtor bank allows no more value in this period.'],
  TD03: ['Transport error', 'The message did not get through.'],
  TM01: ['Cut-off time passed', 'No outcome came before the cut-off time.'],
  AC01: ['Incorrect account number', 'An account number is not valid.'],
  AC02: ['Invalid debtor account', 'The debtor account number is not valid.'],
  AC03: ['Invalid creditor account', 'The creditor account number is not valid.'],
  AC04: ['Closed account', 'An account is closed.'],
  AC05: ['Closed debtor account', 'The debtor account is closed.'],
  AC07: ['Closed creditor account', 'The creditor account is closed.'],
  AC13: ['Debtor account type', 'The debtor account cannot be debited this way.'],
  AC14: ['Creditor account type', 'The creditor account cannot take this payment.'],
  AG01: ['Transaction forbidden', 'The account does not allow this kind of payment.'],
  AG03: ['Transaction not supported', 'The account does not support this kind of payment.'],
  AM02: ['Amount not allowed', 'The amount is over what the agreement allows.'],
  AM03: ['Currency not allowed', 'The account does not take this currency.'],
  AM12: ['Invalid amount', 'The amount is not valid.'],
  AM14: ['Agreed amount exceeded', 'The amount is over what was agreed with the debtor.'],
  AVED: ['Agreement expired', 'The validity of the agreement has ended.'],
  BE06: ['Unknown customer', 'The customer is not known at that institution.'],
  BVSD: ['Agreement not yet valid', 'The validity of the agreement has not begun.'],
  CUST: ['Requested by customer', 'The customer asked for this.'],
  FRAD: ['Fraud', 'The payment is held to be fraudulent.'],
  MD01: ['No agreement', 'The institution of the debtor knows no such agreement.'],
  MD07: ['Customer deceased', 'The customer has died.'],
  MS02: ['Refused by customer', 'The customer refused and gave no reason.'],
  MS03: ['Refused by institution', 'The institution refused and gave no reason.'],
  NACT: ['Agreement not active', 'The agreement is not active in the scheme.'],
  NAUT: ['Not authorised', 'The initiator is not authorised by the agreement.'],
  RR04: ['Regulatory reason', 'A rule of the regulator stands against it.'],
  UKNWN: ['Unknown reason', 'The payer bank gave no reason.'],
  ZPPAY24: ['Participant unavailable', 'An institution that takes part is offline.'],
  ZPUNP06: ['Alias resolution unavailable', 'The addressing service could not be reached.'],
  ZPUNP07: ['Debtor alias not found', 'The alias is not known to the addressing service.'],
  ZPUNP08: ['Creditor alias not found', 'The alias is not known to the addressing service.'],
};
