// Debtor and creditor as callers write them, in each version of the API.
import { z } from 'zod';
import { asciiText, RequestAccountIdentifier } from '../http/wire.schema.js';

const DebtorAccount = RequestAccountIdentifier.refine(
  ({ type, value }) => type !== 'bban' || /^\d{6}-\d{1,9}$/.test(value),
  { path: ['value'], error: 'a debtor account number has at most 9 digits' },
);

const debtor = {
  party_name: asciiText(140),
  ultimate_party_name: asciiText(140).nullish(),
  account_identifier: DebtorAccount,
};
/** The creditor's ultimate name is required, which the debtor's is not (facts 7.1). */
const creditor = {
  party_name: asciiText(140),
  ultimate_party_name: asciiText(140),
  account_identifier: RequestAccountIdentifier,
};

export const PaymentAccountUid = z.string().min(1).max(64);

/** That one of the two is enough is inferred: the documents only say that a party may carry the second (interface 2.3). */
const hasAccount = (party: { account_identifier?: unknown; payment_account_uid?: unknown }): boolean =>
  party.account_identifier != null || party.payment_account_uid != null;
const withoutAccount = {
  path: ['account_identifier'],
  error: 'is required where there is no payment_account_uid',
};

export const LegacyDebtor = z.strictObject(debtor);
export const LegacyCreditor = z.strictObject(creditor);

export const CurrentDebtor = z
  .strictObject({
    ...debtor,
    account_identifier: DebtorAccount.nullish(),
    payment_account_uid: PaymentAccountUid.nullish(),
  })
  .refine(hasAccount, withoutAccount);
export const CurrentCreditor = z
  .strictObject({
    ...creditor,
    account_identifier: RequestAccountIdentifier.nullish(),
    payment_account_uid: PaymentAccountUid.nullish(),
  })
  .refine(hasAccount, withoutAccount);

/** A party in either version's words; what a version does not know is absent. */
export type RequestParty = z.output<typeof CurrentDebtor>;

export const LegacyCreditorChanges = z.strictObject(creditor).partial();
export const CurrentCreditorChanges = z
  .strictObject({ ...creditor, payment_account_uid: PaymentAccountUid.nullable() })
  .partial();

/** What a debtor may change by itself: its account. */
export const DebtorChanges = z.strictObject({ account_identifier: DebtorAccount });
