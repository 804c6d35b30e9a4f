// The request bodies of the agreement operations, by version.
import { z } from 'zod';
import { isAtLeast, type ApiVersion } from '../http/request.js';
import {
  asciiText,
  RequestAccountIdentifier,
  Cents,
  Day,
  Instant,
  RequestMetadata,
  sandboxScript,
  Uid,
} from '../http/wire.schema.js';
import { SIMULATIONS } from '../store/action.schema.js';
import { AgreementSimulation } from '../store/agreement.schema.js';
import { REASONS } from './reasons.js';

// The initiator in a request: its business numbers before 20260901, its client id since (docs/provider.md#versions).
export const LegacyInitiator = z.strictObject({
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
});
export type LegacyInitiator = z.output<typeof LegacyInitiator>;

const ClientId = z.string().min(1).max(64);

const CurrentInitiator = z.strictObject({
  name: asciiText(140).nullish(),
  client_id: ClientId.nullish(),
});
type CurrentInitiator = z.output<typeof CurrentInitiator>;

// Debtor and creditor in a request.
const DebtorAccount = RequestAccountIdentifier.refine(
  ({ type, value }) => type !== 'bban' || /^\d{6}-\d{1,9}$/.test(value),
  { path: ['value'], error: 'a debtor account number has at most 9 digits' },
);

const debtor = {
  party_name: asciiText(140),
  ultimate_party_name: asciiText(140).nullish(),
  account_identifier: DebtorAccount,
};
/** The creditor requires an ultimate name, the debtor does not (docs/provider.md#agreements-creation). */
const creditor = {
  party_name: asciiText(140),
  ultimate_party_name: asciiText(140),
  account_identifier: RequestAccountIdentifier,
};

const PaymentAccountUid = z.string().min(1).max(64);

/** Inferred: one of the two is enough. The documents only allow the second (docs/provider.md#agreements-creation). */
const hasAccount = (party: { account_identifier?: unknown; payment_account_uid?: unknown }): boolean =>
  party.account_identifier != null || party.payment_account_uid != null;
const withoutAccount = {
  path: ['account_identifier'],
  error: 'is required unless payment_account_uid is given',
};

const LegacyDebtor = z.strictObject(debtor);
const LegacyCreditor = z.strictObject(creditor);

const CurrentDebtor = z
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

/** A party in either version. Fields that a version lacks are absent. */
export type RequestParty = z.output<typeof CurrentDebtor>;

export const LegacyCreditorChanges = z.strictObject(creditor).partial();
export const CurrentCreditorChanges = z
  .strictObject({ ...creditor, payment_account_uid: PaymentAccountUid.nullable() })
  .partial();

/** The changes that a simulated debtor can make. In production a debtor can change only the account. */
export const DebtorChanges = z.strictObject(debtor).partial();

// Payment terms in a request: complete at creation, partial in an amendment.
const TermsType = z.enum(['fixed', 'balloon', 'variable', 'usage_based']);
type TermsType = z.output<typeof TermsType>;

const Frequency = z.enum([
  'adhoc',
  'daily',
  'weekly',
  'fortnightly',
  'monthly',
  'quarterly',
  'semi_annual',
  'annual',
]);

const termsFields = {
  type: TermsType,
  frequency: Frequency,
  count: z.int().min(1).nullish(),
  max_amount: Cents.nullish(),
  amount: Cents.nullish(),
  first_payment_amount: Cents.nullish(),
  last_payment_amount: Cents.nullish(),
  first_payment_date: Day.nullish(),
  last_payment_date: Day.nullish(),
};

/** The amounts that a type requires, and those that it allows (docs/provider.md#agreements-creation). All others are refused. */
const AMOUNTS: Record<TermsType, { needs: readonly Amount[]; may: readonly Amount[] }> = {
  fixed: { needs: ['amount'], may: ['max_amount'] },
  balloon: { needs: ['amount'], may: ['max_amount', 'first_payment_amount', 'last_payment_amount'] },
  variable: { needs: [], may: ['max_amount'] },
  usage_based: { needs: [], may: ['max_amount'] },
};
const AMOUNT_FIELDS = ['amount', 'max_amount', 'first_payment_amount', 'last_payment_amount'] as const;
type Amount = (typeof AMOUNT_FIELDS)[number];

/** The complete terms of an agreement. */
export const Terms = z.strictObject(termsFields).superRefine((terms, context) => {
  const { needs, may } = AMOUNTS[terms.type];
  for (const field of AMOUNT_FIELDS) {
    const isGiven = terms[field] != null;
    if (needs.includes(field) ? isGiven : !isGiven || may.includes(field)) continue;
    const verdict = isGiven ? 'is not allowed' : 'is required';
    context.addIssue({ code: 'custom', path: [field], message: `${verdict} for type ${terms.type}` });
  }
});
export type Terms = z.output<typeof Terms>;

/** Changes to terms. They are validated after the merge. */
export const TermsChanges = z.strictObject(termsFields).partial();

// The body of POST /payto/agreements.
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

const LegacyCreateAgreement = z.strictObject({
  ...fields,
  debtor: LegacyDebtor,
  creditor: LegacyCreditor.nullish(),
  initiator: LegacyInitiator.nullish(),
});

const CurrentCreateAgreement = z.strictObject({
  ...fields,
  debtor: CurrentDebtor,
  creditor: CurrentCreditor.nullish(),
  initiator: CurrentInitiator.nullish(),
});

/** A create request in either version. Fields that a version lacks are absent. */
export type CreateAgreement = Omit<
  z.output<typeof CurrentCreateAgreement>,
  'debtor' | 'creditor' | 'initiator'
> & {
  debtor: RequestParty;
  creditor?: RequestParty | null | undefined;
  initiator?: (Partial<LegacyInitiator> & Partial<CurrentInitiator>) | null | undefined;
};

export function createAgreementSchema(version: ApiVersion): z.ZodType<CreateAgreement> {
  return isAtLeast(version, '20260901') ? CurrentCreateAgreement : LegacyCreateAgreement;
}

// The bodies of POST A/suspension, A/cancellation and A/reactivation (docs/provider.md#agreements-actions).
/** Documented as optional: null or any text. */
export const Narrative = z.string().min(1).max(256).nullish();

export const SuspensionRequest = z.strictObject({
  reason: z.enum(REASONS.suspension),
  narrative: Narrative,
  sandbox: sandboxScript(z.enum(SIMULATIONS.suspension.documented)).optional(),
});

export const CancellationRequest = z.strictObject({
  reason: z.enum(REASONS.cancellation),
  narrative: Narrative,
  sandbox: sandboxScript(z.enum(SIMULATIONS.cancellation.documented)).optional(),
});

export const ReactivationRequest = z.strictObject({
  sandbox: sandboxScript(z.enum(SIMULATIONS.reactivation.documented)).optional(),
});

// The body of POST A/add_identification. The documents do not show its layout (docs/provider.md#identification); we define it here.
export const AddIdentification = z
  .strictObject({
    initiator: z.strictObject({ client_id: ClientId }).optional(),
    debtor: z.strictObject({ payment_account_uid: PaymentAccountUid }).optional(),
  })
  .refine(({ initiator, debtor }) => initiator !== undefined || debtor !== undefined, {
    message: 'must contain initiator.client_id, debtor.payment_account_uid or both',
  });
export type AddIdentification = z.output<typeof AddIdentification>;
