// The body of POST /payto/agreements, in each version of the API.
import { z } from 'zod';
import { AgreementSimulation } from './agreement.schema.js';
import { isAtLeast, type ApiVersion } from '../http/version.js';
import {
  asciiText,
  Cents,
  Day,
  Instant,
  RequestAccountIdentifier,
  RequestMetadata,
  sandboxScript,
  Uid,
} from '../http/wire.schema.js';

const NEEDS_AMOUNT = ['fixed', 'balloon'];

const Terms = z
  .strictObject({
    type: z.enum(['fixed', 'balloon', 'variable', 'usage_based']),
    frequency: z.enum([
      'adhoc',
      'daily',
      'weekly',
      'fortnightly',
      'monthly',
      'quarterly',
      'semi_annual',
      'annual',
    ]),
    count: z.int().min(1).nullish(),
    max_amount: Cents.nullish(),
    amount: Cents.nullish(),
    first_payment_amount: Cents.nullish(),
    last_payment_amount: Cents.nullish(),
    first_payment_date: Day.nullish(),
    last_payment_date: Day.nullish(),
  })
  .superRefine(({ type, amount }, context) => {
    const isNeeded = NEEDS_AMOUNT.includes(type);
    if (isNeeded === (typeof amount === 'number')) return;
    const message = `${isNeeded ? 'is required' : 'is not allowed'} for type ${type}`;
    context.addIssue({ code: 'custom', path: ['amount'], message });
  });

const debtor = {
  party_name: asciiText(140),
  ultimate_party_name: asciiText(140).nullish(),
  account_identifier: RequestAccountIdentifier.refine(
    ({ type, value }) => type !== 'bban' || /^\d{6}-\d{1,9}$/.test(value),
    { path: ['value'], error: 'a debtor account number has at most 9 digits' },
  ),
};
const creditor = {
  party_name: asciiText(140),
  ultimate_party_name: asciiText(140),
  account_identifier: RequestAccountIdentifier,
};
const withAccountUid = { payment_account_uid: z.string().min(1).max(64).nullish() };

const fields = {
  uid: Uid,
  purpose: z.enum([
    'mortgage',
    'utility',
    'loan',
    'dependant_support',
    'gambling',
    'retail',
    'salary',
    'personal',
    'government',
    'pension',
    'tax',
    'other',
  ]),
  description: asciiText(140),
  payment_terms: Terms,
  validity_start_date: Day.nullish(),
  validity_end_date: Day.nullish(),
  resolution_requested_before: Instant.nullish(),
  cancel_if_unresolved: z.boolean().nullish(),
  metadata: RequestMetadata.nullish(),
  sandbox: sandboxScript(AgreementSimulation).optional(),
};

/** Until 20260901 the initiator is told by `abn` or `acn`. */
const LegacyCreateAgreement = z.strictObject({
  ...fields,
  debtor: z.strictObject(debtor),
  creditor: z.strictObject(creditor).nullish(),
  initiator: z
    .strictObject({
      name: asciiText(140).nullish(),
      legal_name: asciiText(140).nullish(),
      abn: z
        .string()
        .regex(/^\d{11}$/, 'must be 11 digits')
        .nullish(),
      acn: z
        .string()
        .regex(/^\d{9}$/, 'must be 9 digits')
        .nullish(),
    })
    .nullish(),
});

const CurrentCreateAgreement = z.strictObject({
  ...fields,
  debtor: z.strictObject({ ...debtor, ...withAccountUid }),
  creditor: z.strictObject({ ...creditor, ...withAccountUid }).nullish(),
  initiator: z
    .strictObject({ name: asciiText(140).nullish(), client_id: z.string().min(1).max(64).nullish() })
    .nullish(),
});

type PartyWithAccountUid = { payment_account_uid?: string | null | undefined };
type Legacy = z.output<typeof LegacyCreateAgreement>;
type Current = z.output<typeof CurrentCreateAgreement>;

/** A request in either version's words; what a version does not know is absent. */
export type CreateAgreement = Omit<Legacy, 'initiator' | 'debtor' | 'creditor'> & {
  debtor: Legacy['debtor'] & PartyWithAccountUid;
  creditor?: (NonNullable<Legacy['creditor']> & PartyWithAccountUid) | null | undefined;
  initiator?: (Partial<Legacy['initiator']> & Partial<Current['initiator']>) | null | undefined;
};

export function createAgreementSchema(version: ApiVersion): z.ZodType<CreateAgreement> {
  return isAtLeast(version, '20260901') ? CurrentCreateAgreement : LegacyCreateAgreement;
}
