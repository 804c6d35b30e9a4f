// The scheme's codes for declined, suspended and cancelled agreements. No payment fails with them. Pure.
import { ASK_PAYER, ENDED, NEW_AGREEMENT, NO_PAYTO, OTHER_ACCOUNT, OVER_LIMIT, type Row } from './row.js';

const ALL_PAID = 'No action is needed: every agreed payment is made. Create another agreement for more.';

// prettier-ignore
export const AGREEMENT_REASONS: Readonly<Record<string, Row>> = {
  AC04: ['Closed Account Number', undefined, 'The account is closed, so the agreement is no longer valid.', OTHER_ACCOUNT, NEW_AGREEMENT],
  AM14: ['Amount Exceeds Agreed Limit', undefined, 'The amount is over the limit of the payer’s account.', OVER_LIMIT, 'Ask the payer to raise the limit, or create an agreement with a smaller amount.'],
  CTAM: ['Contract Amended', undefined, 'The contract behind the agreement has changed.', undefined, 'Agree on the change with the payer. Then amend the agreement or create another one.'],
  CTCA: ['Contract Cancellation Initiated By Debtor', undefined, 'The payer has cancelled the contract behind the agreement.', ENDED, 'Create no more payments. Create another agreement only if the payer wants one.'],
  CTEX: ['Contract Expired', undefined, 'The contract behind the agreement has expired.', ENDED, 'Create another agreement if the contract continues.'],
  MCFC: ['Mandate Suspended Final Collection', undefined, 'The final payment has been made.', undefined, ALL_PAID],
  MCOC: ['Mandate Suspended Once Off Collection', undefined, 'The only payment has been made.', undefined, ALL_PAID],
  MD07: ['End Customer Deceased', undefined, 'The payer has died.', undefined, 'Create no more payments, and settle open amounts with the estate.'],
  MD08: ['No Mandate Service By Agent', undefined, 'The payer’s bank no longer supports PayTo.', NO_PAYTO, NEW_AGREEMENT],
  MD09: ['No Agreement Service On Customer', undefined, 'The payer’s account does not support this type of agreement.', OTHER_ACCOUNT, NEW_AGREEMENT],
  MD16: ['Requested By Customer', undefined, 'The payer requested it.', undefined, ASK_PAYER],
  MD17: ['Requested By Initiating Party', undefined, 'The creditor or the initiator requested it.', undefined, 'No action is needed if you requested it. The initiator can reactivate an agreement that it has suspended.'],
  MD21: ['Agreement Cancelled Due To Fraud', undefined, 'The payer’s bank detected fraud in the agreement.', undefined, 'Ask the provider what was found. Create no other agreement with this payer before that.'],
  MSUC: ['Mandate Suspended 7 Consecutive Unsuccessful Collections', undefined, 'Seven payments in a row have failed.', 'Several payments have failed, so your agreement is paused. Please make sure that your account can pay.', 'Find out with the payer why payments fail, then reactivate the agreement. If the provider refuses the reactivation, only the payer’s bank can resume the agreement.'],
  NOAS: ['No Answer From Customer', undefined, 'The payer did not answer in time.', 'Your bank’s app asked you to approve an agreement, and the time for it has passed. We can ask again.', 'Ask the payer whether they want the agreement. If so, create another one under another uid.'],
};
