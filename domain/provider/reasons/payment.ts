// The scheme's codes for failed payments and refunds. Some of them also end or suspend an agreement. Pure.
import { ASK_PAYER, AT_THE_BANK, DELAYED, ENDED, NEW_AGREEMENT, OTHER_ACCOUNT, OVER_LIMIT } from './row.js';
import type { Row } from './row.js';

const RETRY = 'Retry the payment under the same uid, while `failure.retryable` allows it.';
const NEXT_PERIOD = 'Retry in the next period, or after the payer has raised the limit.';
const NEW_PAYMENT = 'The provider allows no retry. Create the payment again under another uid.';
const CREDITOR_ACCOUNT =
  'Correct the creditor’s account, or name another `creditor`, and create the payment under another uid.';
const CORRECTION =
  'Compare the payment with the agreement at the provider, correct it, and create the payment under another uid.';
const CONTACT = 'Contact the provider. It builds this message, so changing the request does not help.';

// prettier-ignore
export const PAYMENT_REASONS: Readonly<Record<string, Row>> = {
  AB01: ['Aborted Clearing Timeout', true, 'Clearing timed out and was aborted.', DELAYED, RETRY],
  AB02: ['Aborted Clearing Fatal Error', true, 'Clearing had a fatal error and was aborted.', DELAYED, RETRY],
  AB03: ['Aborted Settlement Timeout', true, 'Settlement timed out and was aborted.', DELAYED, RETRY],
  AB04: ['Aborted Settlement Fatal Error', true, 'Settlement had a fatal error and was aborted.', DELAYED, RETRY],
  AB08: ['Offline Creditor Agent', true, 'The creditor’s bank is not available.', DELAYED, RETRY],
  AC02: ['Invalid Debtor Account', false, 'The payer’s account does not exist.', OTHER_ACCOUNT, NEW_AGREEMENT],
  AC03: ['Invalid Creditor Account Number', false, 'The creditor’s account does not exist.', undefined, CREDITOR_ACCOUNT],
  AC05: ['Closed Debtor Account', false, 'The payer’s account is closed.', OTHER_ACCOUNT, NEW_AGREEMENT],
  AC06: ['Blocked Account', true, 'The payer’s account is blocked.', 'Your account is blocked. Please contact your bank, or choose another account.', 'Wait until the bank has unblocked the account, then retry. Otherwise create another agreement with another account.'],
  AC07: ['Closed Creditor Account Number', false, 'The creditor’s account is closed.', undefined, CREDITOR_ACCOUNT],
  AC13: ['Invalid Debtor Account Type', false, 'The payer’s account does not allow debits.', OTHER_ACCOUNT, NEW_AGREEMENT],
  AC14: ['Invalid Creditor Account Type', false, 'The creditor’s account does not allow debits.', undefined, CREDITOR_ACCOUNT],
  AC15: ['Account Details Changed', false, 'The details of the other party’s account have changed.', undefined, 'Find out whether the payer’s or the creditor’s account has changed. Then name the new account in another agreement or payment.'],
  AG01: ['Transaction Forbidden', false, 'The payer’s account cannot be debited.', AT_THE_BANK, NEW_AGREEMENT],
  AG03: ['Transaction Not Supported', false, 'The payer’s account can pay, but not to the creditor’s type of account.', 'Your account cannot pay to our account. Please choose another one.', 'Name a `creditor` with another type of account, or create another agreement with another account of the payer.'],
  AG07: ['Unsuccesful Direct Debit', true, 'The payer’s account could not be debited. It may have insufficient funds.', 'Your account could not be debited. Please make sure that it has enough money, or contact your bank.', 'Retry the payment under the same uid on a day when funds are likely.'],
  AGNT: ['Incorrect Agent', false, 'The branch code of an account is outside the scheme’s ranges.', undefined, 'Correct the branch code: the creditor’s in another payment, the payer’s in another agreement.'],
  AM01: ['Zero Amount', false, 'The amount is zero.', undefined, 'Create a payment with a positive amount under another uid.'],
  AM02: ['Not Allowed Amount', false, 'The amount is over the allowed maximum.', undefined, 'Create a payment with a smaller amount under another uid, or amend the agreement first.'],
  AM03: ['Not Allowed Currency', false, 'The payer’s account cannot be debited in Australian dollars.', OTHER_ACCOUNT, NEW_AGREEMENT],
  AM04: ['Insufficient Funds', true, 'The payer’s account has insufficient funds.', 'There was not enough money in your account. Please add funds.', 'Retry under the same uid on a day when funds are likely, such as the payer’s payday. Seven failures in a row suspend the agreement.'],
  AM06: ['Too Low Amount', false, 'The amount is below the agreed minimum.', undefined, 'Create a payment with a larger amount under another uid, or amend the agreement first.'],
  AM09: ['Wrong Amount', false, 'The amount is not the one that the payer expected.', 'Your bank rejected the amount of this payment. Please contact us.', 'Agree on the amount with the payer, then create a payment with it under another uid.'],
  AM12: ['Invalid Amount', false, 'Neither an amount nor a maximum amount is given.', undefined, 'Check the amounts in the payment terms. Then amend the agreement or create another one.'],
  AM19: ['Invalid Group Number Of Transactions', false, 'The message to the bank does not have exactly one transaction.', undefined, CONTACT],
  AM21: ['Limit Exceeded', true, 'The amount is over the payer’s limit at their bank.', OVER_LIMIT, 'Ask the payer to raise the limit, then retry. If the limit is a daily one, retry on the next day.'],
  BE05: ['Unrecognised Initiating Party', false, 'The payer asked their bank to reject the payment, because they do not know the creditor.', 'Your bank rejected our payment at your request. Please contact us if you do know us.', 'Create no more payments until the payer has confirmed that they know the creditor.'],
  BE06: ['Unknown End Customer', false, 'The payer’s bank does not know the customer of this account.', OTHER_ACCOUNT, NEW_AGREEMENT],
  BE08: ['Missing Debtor Name', false, 'The payer’s name is missing.', undefined, 'Check the debtor’s name in the agreement. If it is there, contact the provider.'],
  BE22: ['Missing Creditor Name', false, 'The creditor’s name is missing.', undefined, 'Name the creditor’s `party_name`, and create the payment under another uid.'],
  CH20: ['Decimal Points Not Compatible With Currency', false, 'The amount must have two decimal places or none.', undefined, CONTACT],
  CH21: ['Required Element Missing', false, 'The message to the bank lacks a mandatory field.', undefined, CONTACT],
  CURR: ['Incorrect Currency', false, 'The currency of the payment is wrong.', undefined, CONTACT],
  CUST: ['Requested By Customer', false, 'The payer asked their bank to reject the payment.', 'Your bank rejected this payment at your request. Please contact us if you did not ask for this.', ASK_PAYER],
  DT02: ['Invalid Creation Date', false, 'The message to the bank has a malformed creation date.', undefined, CONTACT],
  DT04: ['Future Date Not Supported', false, 'The scheme does not support payments with a future date.', undefined, 'Create the payment on its day, under another uid.'],
  ED05: ['Settlement Failed', false, 'Settlement of the payment failed.', DELAYED, NEW_PAYMENT],
  ED06: ['Settlement System Not Available', false, 'The settlement system is not available, so the payment was not cleared.', DELAYED, `${NEW_PAYMENT} Wait until the system is available.`],
  FF04: ['Invalid Service Level Code', false, 'The message to the bank has a malformed service level code.', undefined, CONTACT],
  FF08: ['Invalid End To End Id', false, 'The end-to-end id of the payment is missing or invalid.', undefined, CONTACT],
  FF10: ['Bank System Processing Error', true, 'The payer’s bank cannot process the payment because of an outage or a back-office problem.', DELAYED, RETRY],
  FF11: ['Clearing Request Aborted', false, 'The clearing request of the payment was aborted.', DELAYED, NEW_PAYMENT],
  FRAD: ['Fraudulent Origin', false, 'The payment was rejected because of fraud or a scam.', undefined, 'Stop payments under the agreement, and ask the provider what was found. Do not repeat this payment.'],
  MD01: ['No Agreement', false, 'The message to the payer’s bank contained no agreement.', undefined, 'Look up the agreement. If the provider shows it as active, contact the provider.'],
  MD02: ['Missing Mandatory Information In Agreement', false, 'The agreement lacks mandatory information.', undefined, 'Contact the provider, and ask which information is missing. Then amend the agreement or create another one.'],
  MD20: ['Agreement Expired', true, 'The agreement has expired.', undefined, 'Look up the agreement, and contact the provider. If the agreement has ended, create another one.'],
  MS02: ['Not Specified Reason Customer Generated', false, 'The payer rejected the payment and gave no reason.', undefined, ASK_PAYER],
  MS03: ['Not Specified Reason Agent Generated', false, 'The payer’s bank rejected the payment and gave no reason.', AT_THE_BANK, 'Ask the payer to contact their bank. Only the bank knows the reason.'],
  NARR: ['Narrative', true, 'The reason is given as a text.', undefined, 'Read `detail` or `narrative`. If they do not explain the failure, contact the provider.'],
  NAUT: ['Not Authorised', false, 'The payment does not match the terms of the agreement.', undefined, CORRECTION],
  RC05: ['Invalid BIC Identifier', false, 'The message to the bank has an invalid BIC or none.', undefined, CONTACT],
  RR02: ['Missing Debtor Name or Address', false, 'The payer’s name or address is missing, which regulation requires.', undefined, 'Check the debtor in the agreement. If nothing is missing there, contact the provider.'],
  RR03: ['Missing Creditor Name or Address', false, 'The creditor’s name or address is missing, which regulation requires.', undefined, 'Check the creditor in the payment and the agreement. If nothing is missing there, contact the provider.'],
  RR04: ['Regulatory Reason', false, 'Regulation does not allow the payment.', AT_THE_BANK, 'Contact the provider. Do not repeat the payment before the provider has answered.'],
  SL01: ['Specific Service offered by Debtor Agent', false, 'A service that the payer has at their bank rejected the payment.', AT_THE_BANK, 'Ask the payer to contact their bank. Only the bank knows which service it is.'],
  SL11: ['Creditor not on Whitelist of Debtor', false, 'The payer’s bank allows only creditors that the payer has listed, and this one is not listed.', 'Your bank only allows businesses that you have listed. Please add us in your bank’s app.', 'Ask the payer to list the creditor. Then create another agreement or payment.'],
  SL12: ['Creditor on Blacklist of Debtor', false, 'The payer has blocked this creditor at their bank.', 'Your bank blocks us at your request. Please remove the block in your bank’s app if you do not want it.', 'Create another agreement or payment only after the payer has removed the block.'],
  SL13: ['Maximum number of Direct Debit Transactions exceeded', true, 'The number of payments is over what the payer’s bank allows.', OVER_LIMIT, NEXT_PERIOD],
  SL14: ['Maximum Direct Debit Transaction Amount exceeded', true, 'The total of the payments is over what the payer’s bank allows.', OVER_LIMIT, NEXT_PERIOD],
  TD03: ['Incorrect File Structure', true, 'The message to the bank was incomplete or invalid.', DELAYED, 'Retry the payment under the same uid. If it fails again with this code, contact the provider.'],
  TM01: ['Invalid Cut Off Time', true, 'The payer’s bank received the payment after its cut-off time.', DELAYED, RETRY],
  AVED: ['After Validity End Date', false, 'The validity of the agreement has ended.', ENDED, 'Amend the end of validity if the agreement has one, or create another agreement.'],
  BVSD: ['Before Validity Start Date', false, 'The validity of the agreement has not started yet.', undefined, 'Wait until the first day of validity, then create the payment under another uid.'],
  MCGP: ['In Grace Period', false, 'The agreement was migrated recently and is still in its grace period.', undefined, 'Wait until the grace period has ended, then create the payment under another uid. Ask the provider when it ends.'],
  NACT: ['Not Active', false, 'The agreement is not active.', undefined, 'Look up the agreement. Its state shows whether you need a new one.'],
};
