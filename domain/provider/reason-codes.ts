// Why agreements end or pause and payments fail, by the codes in the provider's events and resources: what each means, what to say to the payer, and
// what to try next. The one table of them; codes with which the provider refuses a request stand in payments-api/error-table.ts. Pure.

/** Where a code is named in docs/provider.md; and who says what it means: the provider, or other documents of the same scheme. */
type Source = 'events' | 'failures' | 'errors';
type Reading = 'provider' | 'scheme';

export interface ReasonCode {
  means: string;
  /** Fit to be said to the payer; absent where it is no matter of theirs. */
  payer?: string | undefined;
  /** What an operator or a backend can try. */
  next: string;
  source: Source;
  reading: Reading;
}

type Row = readonly [
  source: Source,
  reading: Reading,
  means: string,
  payer: string | undefined,
  next: string,
];

const OTHER_ACCOUNT = 'This account cannot be used for PayTo. Please choose another one.';
const AT_THE_BANK = 'Your bank did not allow this payment. Please ask your bank, or choose another account.';
const DELAYED = 'Your payment did not go through for a technical reason. Nothing was taken.';
const OVER_LIMIT =
  'This is over a limit that your bank sets. Please raise it in your bank’s app, or pay another way.';
const ENDED = 'The agreement has ended. A new one is needed before you can be charged again.';

const RETRY = 'Try it again under the same uid, while `failure.retryable` allows it.';
const NEW_AGREEMENT = 'Start another agreement, with another account of the payer.';
const ASK_PAYER = 'Ask the payer what they want before anything else is tried.';
const CREDITOR_ACCOUNT =
  'Correct the creditor’s account, or name another `creditor` with the retry or the next payment.';
const CORRECTION =
  'Compare the payment with the agreement at the provider, correct it, and ask for it under another uid.';
const LOOK_UP = 'Look the agreement up: its state there decides whether a new one is needed.';

// prettier-ignore
const ROWS: Readonly<Record<string, Row>> = {
  AB01: ['failures', 'scheme', 'Clearing took too long and was given up.', DELAYED, RETRY],
  AB02: ['failures', 'scheme', 'Clearing was given up after an error.', DELAYED, RETRY],
  AB03: ['failures', 'scheme', 'Settlement took too long and was given up.', DELAYED, RETRY],
  AB04: ['failures', 'scheme', 'Settlement was given up after an error.', DELAYED, RETRY],
  AB08: ['failures', 'scheme', 'The creditor’s bank is offline.', DELAYED, RETRY],
  AC01: ['failures', 'scheme', 'An account number is not valid.', OTHER_ACCOUNT, NEW_AGREEMENT],
  AC02: ['events', 'scheme', 'The payer’s account does not exist.', OTHER_ACCOUNT, NEW_AGREEMENT],
  AC03: ['failures', 'scheme', 'The creditor’s account is not valid.', undefined, CREDITOR_ACCOUNT],
  AC04: ['events', 'scheme', 'The account is closed.', OTHER_ACCOUNT, NEW_AGREEMENT],
  AC05: ['events', 'scheme', 'The payer’s account is closed.', OTHER_ACCOUNT, NEW_AGREEMENT],
  AC06: ['events', 'scheme', 'The account is blocked.', 'Your account is blocked. Please ask your bank, or choose another account.', 'Wait until the payer has had it unblocked; then try it again, or start another agreement with another account.'],
  AC07: ['failures', 'scheme', 'The creditor’s account is closed.', undefined, CREDITOR_ACCOUNT],
  AC13: ['events', 'scheme', 'This type of account cannot be debited, such as one that needs two to sign.', OTHER_ACCOUNT, NEW_AGREEMENT],
  AC14: ['failures', 'scheme', 'The creditor’s type of account cannot take it.', undefined, CREDITOR_ACCOUNT],
  AG01: ['events', 'scheme', 'The payer’s bank forbids debits of this account, as where two have to sign.', AT_THE_BANK, NEW_AGREEMENT],
  AG03: ['events', 'scheme', 'The account does not support this kind of payment.', OTHER_ACCOUNT, NEW_AGREEMENT],
  AG07: ['failures', 'scheme', 'The payer’s account could not be debited.', AT_THE_BANK, RETRY],
  AM02: ['failures', 'scheme', 'The amount is more than is allowed.', undefined, CORRECTION],
  AM03: ['events', 'scheme', 'The account cannot be debited in Australian dollars.', OTHER_ACCOUNT, NEW_AGREEMENT],
  AM04: ['failures', 'provider', 'The payer’s account lacks the funds.', 'There was not enough money in your account. Please add funds.', 'Try it again under the same uid on a day when funds are likely, such as the payer’s payday; failures in a row lead to suspension.'],
  AM12: ['events', 'scheme', 'An amount is missing or not valid.', undefined, CORRECTION],
  AM14: ['events', 'scheme', 'The amount is over the limit that the payer has agreed with their bank.', OVER_LIMIT, 'Ask the payer to have the limit raised, or take a smaller amount if the agreement allows it.'],
  AM21: ['failures', 'scheme', 'The amount is over a limit of the payer at their bank.', OVER_LIMIT, 'Ask the payer to have the limit raised, then try it again; or try it on the next day, if the limit is a daily one.'],
  AVED: ['failures', 'provider', 'The agreement is past its validity.', ENDED, 'Start another agreement, or amend the end of validity where it has one.'],
  BE06: ['events', 'scheme', 'The bank does not know the customer.', OTHER_ACCOUNT, NEW_AGREEMENT],
  BVSD: ['failures', 'scheme', 'The agreement is not valid yet.', undefined, 'Wait until the first day of validity, and ask for another payment then.'],
  CTAM: ['events', 'scheme', 'The contract behind the agreement has changed.', undefined, 'Agree on the change with the payer, then amend the agreement or start another one.'],
  CTCA: ['events', 'scheme', 'The payer has ended the contract behind the agreement.', ENDED, 'Take no more payments. Start another agreement only if the payer wants one.'],
  CTEX: ['events', 'scheme', 'The contract behind the agreement has run out.', ENDED, 'Start another agreement if the contract goes on.'],
  CUST: ['failures', 'scheme', 'The customer asked for this.', undefined, ASK_PAYER],
  FF10: ['failures', 'scheme', 'A bank’s system had an error.', DELAYED, RETRY],
  FRAD: ['failures', 'provider', 'The payment is held to be fraudulent.', undefined, 'Stop payments under the agreement, and ask the provider what was found. Never try this one again.'],
  MCFC: ['events', 'scheme', 'The final payment has been made.', undefined, 'Nothing: all that was agreed has been paid. Start another agreement for more.'],
  MCOC: ['events', 'scheme', 'The only payment has been made.', undefined, 'Nothing: all that was agreed has been paid. Start another agreement for more.'],
  MD01: ['failures', 'scheme', 'The payer’s bank knows no such agreement.', undefined, LOOK_UP],
  MD07: ['events', 'provider', 'The payer has died.', undefined, 'Take no more payments, and settle what is owed with the estate.'],
  MD08: ['events', 'scheme', 'The payer’s bank offers no PayTo any more.', 'Your bank does not support PayTo. Please choose an account at another bank.', NEW_AGREEMENT],
  MD09: ['events', 'scheme', 'The payer’s account does not take this kind of agreement.', OTHER_ACCOUNT, NEW_AGREEMENT],
  MD16: ['events', 'provider', 'The payer asked for it.', undefined, ASK_PAYER],
  MD17: ['events', 'provider', 'The initiator asked for it.', undefined, 'Nothing, where it was meant so: what the initiator has suspended it can reactivate.'],
  MD20: ['events', 'scheme', 'The agreement has expired, or could not be used.', undefined, LOOK_UP],
  MD21: ['events', 'provider', 'The payer’s bank holds the agreement to be fraudulent.', undefined, 'Ask the provider what was found. Start no other agreement with this payer before.'],
  MS02: ['events', 'provider', 'The payer refused, and gave no reason.', undefined, ASK_PAYER],
  MS03: ['events', 'scheme', 'The payer’s bank refused, and gave no reason.', AT_THE_BANK, 'Ask the payer to ask their bank. Only the bank can say why.'],
  MSUC: ['events', 'provider', 'Seven payments in a row have failed.', 'Several payments have failed, so your agreement is paused. Please make sure that your account can pay.', 'Find out with the payer why they fail before the agreement is reactivated; if that is refused, only the payer’s bank can resume it.'],
  NACT: ['failures', 'provider', 'The agreement is not active in the scheme.', undefined, LOOK_UP],
  NARR: ['events', 'scheme', 'A bank gives its reason as a text.', undefined, 'Read `detail` or `narrative`, and act on it.'],
  NAUT: ['failures', 'provider', 'The agreement does not authorise the initiator.', undefined, 'Compare the initiator with the agreement’s, and ask the provider.'],
  NOAS: ['events', 'provider', 'The payer has not answered in time.', 'Your bank’s app asked you to approve an agreement, and the time for it has passed. We can ask once more.', 'Ask the payer whether they want it, and start another agreement under another uid.'],
  RR04: ['events', 'scheme', 'A rule of the regulator stands against it.', AT_THE_BANK, 'Ask the provider. Do not try it again before.'],
  SL01: ['events', 'scheme', 'A service of the payer’s bank stands against it.', AT_THE_BANK, 'Ask the payer to ask their bank. Only the bank can say why.'],
  SL11: ['events', 'scheme', 'The payer has their bank allow named creditors only, and this is none of them.', 'Your bank only allows businesses that you have listed. Please add us in your bank’s app.', 'Start another agreement once the payer has allowed the creditor.'],
  SL12: ['events', 'scheme', 'The payer has their bank block this creditor.', 'Your bank blocks us at your request. Please lift that in your bank’s app, if it is not meant.', 'Start another agreement only once the payer has lifted the block.'],
  SL13: ['failures', 'scheme', 'The payer’s bank allows no more debits in this period.', OVER_LIMIT, 'Try it again in the next period, or once the payer has had the limit raised.'],
  SL14: ['failures', 'scheme', 'The payer’s bank allows no higher amount in this period.', OVER_LIMIT, 'Try it again in the next period, or once the payer has had the limit raised.'],
  TD03: ['failures', 'scheme', 'The message between the banks did not get through.', DELAYED, RETRY],
  TM01: ['failures', 'scheme', 'No outcome came before the cut-off time.', DELAYED, RETRY],
  UKNWN: ['events', 'provider', 'No reason is known.', undefined, 'Ask the provider why. Of a payment `failure.retryable` says whether it may be tried again.'],
  ZPPAY24: ['failures', 'provider', 'A bank that takes part is not available.', DELAYED, 'Try again later: a bank that takes part is not available.'],
  ZPUNP01: ['errors', 'provider', 'The payer’s bank has no PayTo.', 'Your bank does not support PayTo. Please choose an account at another bank.', 'Ask the payer for another account: this bank has no PayTo.'],
  ZPUNP06: ['errors', 'provider', 'PayIDs cannot be looked up at present.', DELAYED, 'Try again later: PayIDs cannot be looked up at present.'],
  ZPUNP07: ['errors', 'provider', 'The payer’s PayID is not registered.', 'Your PayID was not found. Please check it, or give us your account.', 'Ask the payer for the right PayID, or for an account.'],
  ZPUNP08: ['errors', 'provider', 'The creditor’s PayID is not registered.', undefined, 'Correct the PayID of the creditor, or use an account.'],
};

const MMS: Row = [
  'events',
  'provider',
  'The scheme’s agreement service did not carry it out.',
  undefined,
  'Look the agreement up, and ask for the same once more if its state allows it; else ask the provider.',
];

const asReason = ([source, reading, means, payer, next]: Row): ReasonCode => ({
  means,
  payer,
  next,
  source,
  reading,
});

/** All that have a row; `MMS.API.9…` stands for the scheme's own numbers, of which no list is documented. */
export const REASON_CODES: ReadonlyMap<string, ReasonCode> = new Map(
  [...Object.entries(ROWS), ['MMS.API.9…', MMS] as const].map(([code, row]) => [code, asReason(row)]),
);
const MMS_CODE = /^MMS\.API\.9/;

export const UNKNOWN_CODE_NEXT =
  'This code has no advice here. Ask the provider what it means before anything is tried again; it is kept as it came.';

/** Codes of our own, in small letters, and where nothing is said, have what they bring and no more. */
const isLocal = (code: string): boolean => /^[a-z_]+$/.test(code);

export interface Advice {
  next?: string | undefined;
  payer?: string | undefined;
}

/** What can be done about a code, and said to the payer: by its row, unless it came with words of its own. */
export function adviceOn({ code, next }: { code?: string | undefined; next?: string | undefined }): Advice {
  if (code === undefined || isLocal(code)) return { next };
  const row = REASON_CODES.get(MMS_CODE.test(code) ? 'MMS.API.9…' : code);
  return { next: next ?? row?.next ?? UNKNOWN_CODE_NEXT, payer: row?.payer };
}
